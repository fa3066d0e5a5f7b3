package handle_test

import (
	"sync/atomic"
	"testing"
	"time"

	"offcut.dev/go/handle"
)

// drainLimit is how long a test waits for the net at most. It measures nothing.
const drainLimit = 5 * time.Minute

// ledger counts the releases of each id.
type ledger struct {
	t        *testing.T
	released []atomic.Int32
}

func newLedger(t *testing.T, n int) *ledger {
	return &ledger{t, make([]atomic.Int32, n)}
}

func (l *ledger) release(id uintptr) { l.released[id].Add(1) }

func (l *ledger) count() (n int) {
	for i := range l.released {
		n += int(l.released[i].Load())
	}
	return n
}

// once fails unless each of the first n ids was released exactly once.
func (l *ledger) once(n int) {
	l.t.Helper()
	bad := 0
	for i := range n {
		if got := l.released[i].Load(); got != 1 {
			if bad++; bad <= 5 {
				l.t.Errorf("id %d was released %d times", i, got)
			}
		}
	}
	if bad > 5 {
		l.t.Errorf("%d ids of %d were not released once", bad, n)
	}
}

func drain(t *testing.T) {
	t.Helper()
	if !handle.Drain(drainLimit) {
		t.Fatal("Drain: time was up")
	}
}

// settle drains until the net has released as many of a type.
func settle(t *testing.T, name string, forgotten int64) handle.TypeStats {
	t.Helper()
	drain(t)
	stats := handle.Stats().Of(name)
	for range 20 {
		if stats.Forgotten >= forgotten {
			break
		}
		drain(t)
		stats = handle.Stats().Of(name)
	}
	if stats.Forgotten != forgotten {
		t.Fatalf("%s: %d forgotten, want %d", name, stats.Forgotten, forgotten)
	}
	if stats.Opened != stats.Closed+stats.Forgotten+stats.Open {
		t.Fatalf("%s: opened %d is not closed %d + forgotten %d + open %d", name, stats.Opened, stats.Closed, stats.Forgotten, stats.Open)
	}
	return stats
}
