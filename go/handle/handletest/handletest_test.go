package handletest_test

import (
	"fmt"
	"strings"
	"testing"

	"offcut.dev/go/handle"
	"offcut.dev/go/handle/handletest"
)

// fake is a test that is watched.
type fake struct {
	cleanups []func()
	errors   []string
}

func (f *fake) Helper()          {}
func (f *fake) Cleanup(c func()) { f.cleanups = append(f.cleanups, c) }
func (f *fake) Errorf(format string, args ...any) {
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}

func (f *fake) end() string {
	for _, c := range f.cleanups {
		c()
	}
	return strings.Join(f.errors, "\n")
}

func TestVerifyNone(t *testing.T) {
	typ := handle.NewTypeOf(func(uintptr) {}, handle.Options{Name: t.Name()})
	level := handle.Stats().Level

	var good fake
	handletest.VerifyNone(&good)
	_ = typ.Open(1).Close()
	if text := good.end(); text != "" {
		t.Errorf("a test that closes: %s", text)
	}

	var forgets fake
	handletest.VerifyNone(&forgets)
	typ.Open(2)
	if text := forgets.end(); !strings.Contains(text, "1 handles of type TestVerifyNone were forgotten") ||
		!strings.Contains(text, "TestVerifyNone(handletest_test.go:") {
		t.Errorf("a test that forgets: %q", text)
	}

	var keeps fake
	handletest.VerifyNone(&keeps)
	h := typ.Open(3)
	if text := keeps.end(); !strings.Contains(text, "1 handles of type TestVerifyNone are still open") ||
		!strings.Contains(text, "TestVerifyNone(handletest_test.go:") {
		t.Errorf("a test that keeps: %q", text)
	}
	_ = h.Close()
	if handle.Stats().Level != level {
		t.Error("the level was not put back")
	}
}

// tests are those of a package.
type tests func() int

func (t tests) Run() int { return t() }

func TestVerifyTestMain(t *testing.T) {
	typ := handle.NewTypeOf(func(uintptr) {}, handle.Options{Name: t.Name()})
	level := handle.Stats().Level
	var kept interface{ Close() error }
	for _, c := range []struct {
		name string
		run  tests
		code int
		says string
	}{
		{"closes", func() int { _ = typ.Open(1).Close(); return 0 }, 0, ""},
		{"fails", func() int { return 3 }, 3, ""},
		{"forgets", func() int { typ.Open(2); return 0 }, 1, "1 handles of type TestVerifyTestMain were forgotten"},
		{"fails and keeps", func() int { kept = typ.Open(3); return 2 }, 2, "are still open"},
	} {
		var out strings.Builder
		restore := handletest.SetStderr(&out)
		code := handletest.VerifyTestMain(c.run)
		restore()
		if code != c.code {
			t.Errorf("%s: exit code %d", c.name, code)
		}
		if !strings.Contains(out.String(), c.says) || (c.says == "") != (out.Len() == 0) {
			t.Errorf("%s: printed %q", c.name, out.String())
		}
		if c.says != "" && !strings.Contains(out.String(), "handletest_test.go:") {
			t.Errorf("%s: no line in %q", c.name, out.String())
		}
	}
	_ = kept.Close()
	if handle.Stats().Level != level {
		t.Error("the level was not put back")
	}
}
