// Package lint checks what this module forbids itself, beyond what linters know.
package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// file is a source file of the module and what the checks ask of it.
type file struct {
	path   string
	isTest bool
	ast    *ast.File
	lines  int
	nested bool // in a module of its own, or an example: programs
}

const root = "../.."

func files(t *testing.T) (*token.FileSet, []file) {
	t.Helper()
	set := token.NewFileSet()
	var all []file
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		parsed, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		top, _, _ := strings.Cut(rel, string(filepath.Separator))
		all = append(all, file{rel, strings.HasSuffix(path, "_test.go"), parsed,
			set.Position(parsed.End()).Line, top == "bench" || top == "adapters" || top == "cmemory" || top == "examples"})
		return nil
	})
	if err != nil || len(all) < 10 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	return set, all
}

func TestNoInit_noCgo_noForbiddenImports(t *testing.T) {
	set, all := files(t)
	for _, f := range all {
		for _, i := range f.ast.Imports {
			path := strings.Trim(i.Path.Value, `"`)
			first, _, _ := strings.Cut(path, "/")
			switch {
			case f.nested:
			case path == "C":
				t.Errorf("%s: cgo is for examples and measurements", f.path)
			case strings.Contains(first, ".") && first != "offcut.dev" && !strings.HasPrefix(path, "golang.org/x/sys/"):
				t.Errorf("%s: imports %s; the module depends on golang.org/x/sys alone", f.path, path)
			}
		}
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s: init", set.Position(fn.Pos()))
			}
		}
	}
}

func TestExported_isDocumented(t *testing.T) {
	set, all := files(t)
	for _, f := range all {
		if f.isTest || f.ast.Name.Name == "main" {
			continue
		}
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && receiverIsExported(d) && d.Doc == nil {
					t.Errorf("%s: %s has no comment", set.Position(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					checkSpec(t, set, d, s)
				}
			}
		}
	}
}

func receiverIsExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	switch generic := typ.(type) {
	case *ast.IndexExpr:
		typ = generic.X
	case *ast.IndexListExpr:
		typ = generic.X
	}
	name, ok := typ.(*ast.Ident)
	return ok && name.IsExported()
}

func checkSpec(t *testing.T, set *token.FileSet, d *ast.GenDecl, s ast.Spec) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() && s.Doc == nil && d.Doc == nil {
			t.Errorf("%s: %s has no comment", set.Position(s.Pos()), s.Name.Name)
		}
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
				t.Errorf("%s: %s has no comment", set.Position(s.Pos()), n.Name)
			}
		}
	}
}

func TestFiles_areShort(t *testing.T) {
	_, all := files(t)
	for _, f := range all {
		if f.lines > 400 && !f.isTest {
			t.Errorf("%s has %d lines; one concept a file, 400 at most", f.path, f.lines)
		}
	}
}

// Untyped atomics and linknames; sleeps in tests wait for a condition, so each stands in a loop.
func TestForbiddenWords(t *testing.T) {
	_, all := files(t)
	for _, f := range all {
		text, err := os.ReadFile(filepath.Join(root, f.path))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"//go:" + "linkname", "atomic." + "AddInt64(", "atomic." + "LoadPointer(", "t." + "Skip(", "reflect." + "SliceHeader"} {
			if strings.Contains(string(text), word) {
				t.Errorf("%s: %s", f.path, word)
			}
		}
	}
}
