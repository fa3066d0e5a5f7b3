// Package spec finds the files of spec/, what both languages agree on, for tests. They stand beside the module in the
// repository and are not in the module itself.
package spec

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir is the directory of a name in spec/. The test fails if it is not there.
func Dir(t testing.TB, name string) string {
	t.Helper()
	at, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			dir := filepath.Join(at, "..", "spec", name)
			if _, err := os.Stat(dir); err == nil {
				return dir
			}
		}
		parent := filepath.Dir(at)
		if parent == at {
			t.Fatalf("no spec/%s beside a module above the test: run it in the repository", name)
		}
		at = parent
	}
}

// Files are the files in a directory of spec/ that match a pattern; at least so many, or the test fails.
func Files(t testing.TB, pattern string, atLeast int) []string {
	t.Helper()
	dir := Dir(t, filepath.Dir(pattern))
	files, err := filepath.Glob(filepath.Join(dir, filepath.Base(pattern)))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < atLeast {
		t.Fatalf("%d files %s, expected %d or more", len(files), pattern, atLeast)
	}
	return files
}
