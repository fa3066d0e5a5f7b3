package handle

import (
	"fmt"
	"math"
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
//	base        = what was outstanding when the last cycle began, less what the net has released since
//	a cycle is asked for when outstanding − base ≥ max(budget, base), at most once an interval
//
// What the net releases was opened before the cycle that found it, so base is what lived then. To grow by the budget at
// least, and by all that lives at most, bounds the collector's share of the time as GOGC=100 does.
type account struct {
	stripes  [accountStripes]accountStripe
	floor    atomic.Int64 // outstanding + released when the last cycle began
	released atomic.Int64 // bytes that the net has released, ever
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

// releaseTime is how long openers at twice the budget wait for releasers after a cycle.
const releaseTime = 50 * time.Millisecond

func newAccount() *account {
	a := &account{start: time.Now()}
	a.budget.Store(defaultBudget)
	a.interval.Store(int64(defaultInterval))
	a.asked.Store(-int64(defaultInterval))
	return a
}

// SetBudget sets when growing native memory starts a GC cycle. The threshold is the larger of two amounts: the budget,
// and the native memory of open handles that was left after the last cycle. A cycle starts when native memory has grown
// by the threshold since the last cycle. Two such cycles start at least interval apart. If native memory grows by twice
// the threshold, Open waits for the cycle.
//
// The defaults are 256 MiB and 100 ms. A budget of 0 starts no cycles. Only memory that [Options.Bytes] or
// [TypeOf.OpenSized] declares is counted. SetBudget panics if a value is negative.
func SetBudget(bytes int64, interval time.Duration) {
	if bytes < 0 || interval < 0 {
		panic(fmt.Sprintf("handle: SetBudget(%d, %v): neither can be negative; 0 bytes asks for no cycles", bytes, interval))
	}
	nativeBytes.budget.Store(bytes)
	nativeBytes.interval.Store(int64(interval))
	nativeBytes.asked.Store(int64(time.Since(nativeBytes.start) - interval))
	nativeBytes.lookAgain()
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
	base := a.base()
	limit := max(budget, base)
	growth := a.outstanding() - base
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

// collect runs a cycle, and gives the net some time to release what it found. Openers still compare with the old base
// meanwhile.
func (a *account) collect(done chan struct{}) {
	defer close(done)
	floor := a.outstanding() + a.released.Load()
	runtime.GC()
	a.floor.Store(floor)
	settled(time.Now().Add(releaseTime), false)
	a.lookAgain()
}

// lookAgain makes the next opener of each stripe look at the sum: after a cycle a stripe may have less than ever.
func (a *account) lookAgain() {
	for i := range a.stripes {
		a.stripes[i].mark.Store(math.MinInt64)
	}
}

// seen is called after a cycle of whoever's asking.
func (a *account) seen() {
	if done := a.underWay.Load(); done != nil {
		select {
		case <-*done:
		default:
			return // collect knows better when it began
		}
	}
	a.floor.Store(a.outstanding() + a.released.Load())
	a.lookAgain()
}

// forgotten takes out what the net has released.
func (a *account) forgotten(bytes int64) {
	a.add(-bytes)
	a.released.Add(bytes)
}

func (a *account) base() int64 { return max(a.floor.Load()-a.released.Load(), 0) }

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
