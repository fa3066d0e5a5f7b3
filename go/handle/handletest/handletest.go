// Package handletest fails tests that leak handles.
package handletest

import (
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
// that open handles.
func VerifyNone(t TB) {
	t.Helper()
	level := handle.CurrentDetection()
	handle.SetDetection(handle.DetectFull)
	handle.Drain(limit) // what earlier tests forgot is not this one's
	before := handle.Stats()
	t.Cleanup(func() {
		t.Helper()
		defer handle.SetDetection(level)
		if !handle.Drain(limit) {
			t.Errorf("handletest: the net was not at rest after %v: a releaser hangs, or nobody serves a handle.Queue", limit)
			return
		}
		verify(t, before, handle.Stats())
	})
}

func verify(t TB, before, after handle.Snapshot) {
	t.Helper()
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
			t.Errorf("handletest: %d handles of type %s are still open; close them:%s", n, one.Name, sitesOf(one.Name))
		}
	}
}

func sitesOf(name string) (text string) {
	for _, s := range handle.Sites()[name] {
		text += "\n  opened at"
		for _, frame := range s.Stack {
			text += " " + frame + "\n           "
		}
	}
	return text
}
