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
	typ := handle.NewType(handle.Options{Name: t.Name(), ReleaseID: func(uintptr) {}})
	level := handle.CurrentDetection()

	var good fake
	handletest.VerifyNone(&good)
	_ = typ.OpenID(1).Close()
	if text := good.end(); text != "" {
		t.Errorf("a test that closes: %s", text)
	}

	var forgets fake
	handletest.VerifyNone(&forgets)
	typ.OpenID(2)
	if text := forgets.end(); !strings.Contains(text, "1 handles of type TestVerifyNone were forgotten") ||
		!strings.Contains(text, "TestVerifyNone(handletest_test.go:") {
		t.Errorf("a test that forgets: %q", text)
	}

	var keeps fake
	handletest.VerifyNone(&keeps)
	h := typ.OpenID(3)
	if text := keeps.end(); !strings.Contains(text, "1 handles of type TestVerifyNone are still open") ||
		!strings.Contains(text, "TestVerifyNone(handletest_test.go:") {
		t.Errorf("a test that keeps: %q", text)
	}
	_ = h.Close()
	if handle.CurrentDetection() != level {
		t.Error("the level was not put back")
	}
}
