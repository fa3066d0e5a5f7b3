package handle

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// account is the native memory behind the open handles of the program. Go's collector does not see it: a program that
// forgets handles of a megabyte each would wait for a GC cycle until its small heap has doubled. So the growth of
// this account since the last cycle asks for one.
//
//	outstanding = Σ stripes = bytes opened − bytes closed − bytes released by the net
//	a cycle is asked for when outstanding − base ≥ max(budget, base), at most once an interval
//
// base is what was outstanding when the last cycle was seen, without what it found forgotten; growing by the budget at least and by all that lives at most
// keeps the collector's share of the time as bounded as GOGC=100 does.
type account struct {
	stripes  [accountStripes]accountStripe
	base     atomic.Int64
	budget   atomic.Int64
	interval atomic.Int64 // nanoseconds
	asked    atomic.Int64 // when a cycle was last asked for, nanoseconds since start
	start    time.Time
	asks     atomic.Int64

	underWay atomic.Pointer[chan struct{}] // closed after the cycle that was asked for last
}

const accountStripes = 16

type accountStripe struct {
	bytes atomic.Int64
	mark  atomic.Int64 // bytes at which the sum is looked at next; a hint, any value read is good enough
	_     [48]byte
}

var nativeBytes = newAccount()

// releaseTime is how long the account, and openers at twice the budget, wait for releasers after a cycle.
const releaseTime = 50 * time.Millisecond

func newAccount() *account {
	a := &account{start: time.Now()}
	a.budget.Store(defaultBudget)
	a.interval.Store(int64(defaultInterval))
	a.asked.Store(-int64(defaultInterval))
	return a
}

// SetBudget sets after how many native bytes, opened since the last GC cycle and not closed, one is asked for, and how
// long the pause between two such requests is at least. Past twice the budget the opener waits for the collector. 0 bytes
// asks for none. The defaults are 256 MiB and 100 ms. Only types with [Options.Bytes], and [Type.OpenSized], account
// bytes.
func SetBudget(bytes int64, interval time.Duration) {
	if bytes < 0 || interval < 0 {
		panic(fmt.Sprintf("handle: SetBudget(%d, %v): neither can be negative; 0 bytes asks for no cycles", bytes, interval))
	}
	nativeBytes.budget.Store(bytes)
	nativeBytes.interval.Store(int64(interval))
	nativeBytes.asked.Store(int64(time.Since(nativeBytes.start) - interval))
	for i := range nativeBytes.stripes {
		nativeBytes.stripes[i].mark.Store(0)
	}
}

// add accounts n bytes, negative for what is gone.
func (a *account) add(n int64) {
	s := &a.stripes[stackHash()%accountStripes]
	now := s.bytes.Add(n) // any interleaving adds up to the same sum
	if n > 0 && now > s.mark.Load() {
		a.look(s, now)
	}
}

func (a *account) look(s *accountStripe, now int64) {
	budget := a.budget.Load()
	if budget == 0 { // nobody wants to know
		s.mark.Store(now + defaultBudget/budgetParts)
		return
	}
	s.mark.Store(now + max(budget/budgetParts, 1))
	limit := max(budget, a.base.Load())
	growth := a.outstanding() - a.base.Load()
	if growth < limit {
		return
	}
	elapsed := int64(time.Since(a.start))
	last := a.asked.Load()
	if elapsed-last >= a.interval.Load() && a.asked.CompareAndSwap(last, elapsed) { // one opener asks
		a.asks.Add(1)
		done := make(chan struct{})
		a.underWay.Store(&done)
		go a.collect(done)
	}
	if growth < 2*limit {
		return
	}
	if done := a.underWay.Load(); done != nil { // the opener is faster than the collector: it waits
		<-*done
	}
}

// collect runs a cycle, and gives the net some time to release what it found.
func (a *account) collect(done chan struct{}) {
	defer close(done)
	runtime.GC()
	a.rebase()
}

// rebase is called after a GC cycle. What the cycle found forgotten shall not count as living, so it waits for it.
func (a *account) rebase() {
	if a.budget.Load() != 0 && a.outstanding() > 0 && !settled(time.Now().Add(releaseTime), false) {
		return // releasers are behind: the old base asks for the next cycle early
	}
	a.base.Store(max(a.outstanding(), 0))
	for i := range a.stripes {
		a.stripes[i].mark.Store(a.stripes[i].bytes.Load())
	}
}

// lower is called after the net released: what was forgotten when the cycle was seen is not what lives.
func (a *account) lower() {
	base, now := a.base.Load(), max(a.outstanding(), 0)
	if now < base {
		a.base.CompareAndSwap(base, now) // who changed it meanwhile knows better
	}
}

func (a *account) outstanding() int64 {
	sum := int64(0)
	for i := range a.stripes {
		sum += a.stripes[i].bytes.Load()
	}
	return sum
}

// stackHash tells goroutines apart by where their stacks lie: a few nanoseconds, no allocation, and most often the same
// answer for the same goroutine. Nothing depends on the answer but contention.
func stackHash() uint64 {
	var here byte
	return (uint64(uintptr(unsafe.Pointer(&here))) >> 13) * 0x9E3779B97F4A7C15 >> 48
}
