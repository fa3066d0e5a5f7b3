// Package spec finds the files of spec/ for tests. These files are shared by all languages. They are beside the module
// in the repository, not in the module.
package spec

import (
	"os"
	"path/filepath"
	"testing"
)

// Dir returns the path of a folder in spec/. The test fails if it does not exist.
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

// Files returns the files in a folder of spec/ that match a pattern. The test fails if there are fewer than atLeast.
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
