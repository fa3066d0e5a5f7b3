// Package handletest fails tests that leak handles.
package handletest

import (
	"fmt"
	"io"
	"os"
	"time"

	"offcut.dev/go/handle"
)

// TB is the part of [testing.TB] that [VerifyNone] needs.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
}

// limit is how long a check waits for the net at most.
const limit = time.Minute

// VerifyNone fails the test when it ends, if handles that were opened during the test are still open or were forgotten.
// For the test it raises the detection level to full, so that the failure names the lines that opened them. The check
// takes several GC cycles.
//
// The counts are those of the whole program. So do not use VerifyNone in a test that runs in parallel with other tests
// that open handles: use [VerifyTestMain] in that package.
func VerifyNone(t TB) {
	t.Helper()
	level := handle.SetDetection(handle.DetectFull)
	handle.Drain(limit) // what earlier tests forgot is not this one's
	before := handle.Stats()
	t.Cleanup(func() {
		t.Helper()
		defer handle.SetDetection(level)
		verify(t, before)
	})
}

// M is the part of [testing.M] that [VerifyTestMain] needs.
type M interface {
	Run() int
}

// stderr is where VerifyTestMain prints.
var stderr io.Writer = os.Stderr

// VerifyTestMain runs the tests of a package and returns the exit code for [os.Exit]. If the tests pass, but handles that
// they opened are still open or were forgotten, it prints the lines that opened them and returns 1. For packages whose
// tests run in parallel: it sees all leaks, and does not say which test has them.
//
//	func TestMain(m *testing.M) { os.Exit(handletest.VerifyTestMain(m)) }
func VerifyTestMain(m M) int {
	defer handle.SetDetection(handle.SetDetection(handle.DetectFull))
	handle.Drain(limit) // what init functions forgot is not the tests'
	before := handle.Stats()
	code := m.Run()
	var found failures
	verify(&found, before)
	if found.count > 0 && code == 0 {
		return 1
	}
	return code
}

// failures prints and counts them.
type failures struct{ count int }

func (f *failures) Helper() {}

func (f *failures) Errorf(format string, args ...any) {
	f.count++
	fmt.Fprintf(stderr, format+"\n", args...)
}

type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

func verify(t reporter, before handle.Snapshot) {
	t.Helper()
	if !handle.Drain(limit) {
		t.Errorf("handletest: the net was not at rest after %v: a releaser hangs, or nobody serves a handle.Queue", limit)
		return
	}
	after := handle.Stats()
	seen := make(map[string]bool)
	for _, one := range after.Types {
		if seen[one.Name] {
			continue
		}
		seen[one.Name] = true
		was, is := before.Of(one.Name), after.Of(one.Name)
		if n := is.Forgotten - was.Forgotten; n > 0 {
			t.Errorf("handletest: %d handles of type %s were forgotten; close them:\n%s", n, one.Name, after.LeakReport())
		}
		if n := is.Open - was.Open; n > 0 {
			t.Errorf("handletest: %d handles of type %s are still open; close them:%s", n, one.Name, sitesOf(is))
		}
	}
}

func sitesOf(t handle.TypeStats) (text string) {
	for _, s := range t.Sites {
		if s.Open == 0 {
			continue
		}
		text += "\n  opened at"
		for _, frame := range s.Stack {
			text += " " + frame + "\n           "
		}
	}
	return text
}
