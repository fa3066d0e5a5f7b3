package handle_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"offcut.dev/go/handle"
)

// opener is one kind of handle: what opens one for an id.
type opener func(id uintptr) io.Closer

// eachKind runs a test for pointer handles and both fronts of a pool. make is called by each goroutine.
func eachKind(t *testing.T, run func(t *testing.T, name string, l *ledger, make func() (open opener, done func())), size int) {
	nothing := func() {}
	t.Run("handle", func(t *testing.T) {
		l := newLedger(t, size)
		typ := handle.NewTypeOf(l.release, handle.Options{Name: t.Name()})
		run(t, typ.Name(), l, func() (opener, func()) {
			return func(id uintptr) io.Closer { return typ.Open(id) }, nothing
		})
	})
	t.Run("pool", func(t *testing.T) {
		l := newLedger(t, size)
		pool := handle.NewPool(l.release, handle.Options{Name: t.Name()})
		run(t, pool.Name(), l, func() (opener, func()) {
			return func(id uintptr) io.Closer { return pool.Open(id) }, nothing
		})
	})
	t.Run("owner", func(t *testing.T) {
		l := newLedger(t, size)
		pool := handle.NewPool(l.release, handle.Options{Name: t.Name()})
		run(t, pool.Name(), l, func() (opener, func()) {
			o := pool.NewOwner()
			return func(id uintptr) io.Closer { return o.Open(id) }, func() { _ = o.Close() }
		})
	})
}

// TestExactlyOnce closes out of order, on other goroutines, and forgets a part.
func TestExactlyOnce(t *testing.T) {
	each := 50_000
	if testing.Short() || raceEnabled {
		each = 5_000
	}
	for _, forget := range []int{0, 1, 10, 100} {
		for _, goroutines := range []int{1, 2, 8} {
			t.Run(fmt.Sprintf("%d%%/%d", forget, goroutines), func(t *testing.T) {
				n := each * goroutines
				eachKind(t, func(t *testing.T, name string, l *ledger, make func() (opener, func())) {
					forgotten := churn(goroutines, each, forget, make)
					stats := settle(t, name, int64(forgotten))
					l.once(n)
					if stats.Opened != int64(n) || stats.Open != 0 {
						t.Errorf("opened %d, open %d; want %d and 0", stats.Opened, stats.Open, n)
					}
				}, n)
			})
		}
	}
}

// churn opens `each` ids on every goroutine, keeps up to 200 of them, closes them in random order on another goroutine, and
// returns how many it forgot.
func churn(goroutines, each, forget int, make func() (opener, func())) (forgotten int) {
	var all sync.WaitGroup
	handed := make2(goroutines)
	var mu sync.Mutex
	for g := range goroutines {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), uint64(forget)))
			open, done := make()
			defer done()
			lost := 0
			var kept []io.Closer
			for i := range each {
				h := open(uintptr(g*each + i))
				if random.IntN(100) < forget {
					lost++
					continue
				}
				kept = append(kept, h)
				if len(kept) > 200 || random.IntN(3) == 0 {
					j := random.IntN(len(kept))
					last := len(kept) - 1
					kept[j], kept[last] = kept[last], kept[j]
					handed[(g+1)%goroutines] <- kept[last]
					kept[last] = nil
					kept = kept[:last]
				}
			}
			for _, h := range kept {
				handed[(g+1)%goroutines] <- h
			}
			close(handed[(g+1)%goroutines])
			mu.Lock()
			forgotten += lost
			mu.Unlock()
		})
		all.Go(func() {
			for h := range handed[g] {
				if err := h.Close(); err != nil {
					panic(err)
				}
			}
		})
	}
	all.Wait()
	return forgotten
}

func make2(n int) []chan io.Closer {
	all := make([]chan io.Closer, n)
	for i := range all {
		all[i] = make(chan io.Closer, 16)
	}
	return all
}

// TestClose_byTwoAtOnce lets two goroutines close the same handles in the same nanoseconds: they meet before each, and who
// comes last waits as long as it takes the other to see it, more or less. One of them must win.
func TestClose_byTwoAtOnce(t *testing.T) {
	const batch = 200
	batches := 100
	switch {
	case raceEnabled: // whose goroutines are too slow to meet often
		batches = 5
	case testing.Short():
		batches = 50
	}
	eachKind(t, func(t *testing.T, name string, l *ledger, make func() (opener, func())) {
		open, done := make()
		defer done()
		var won atomic.Int64
		for b := range batches {
			var handles [batch]io.Closer
			for i := range handles {
				handles[i] = open(uintptr(b*batch + i))
			}
			var met atomic.Int64
			var closers sync.WaitGroup
			for g := range 2 {
				closers.Go(func() {
					random := rand.New(rand.NewPCG(uint64(b), uint64(g)))
					for i, h := range handles {
						meet(&met, int64(2*(i+1)), random.IntN(100))
						if h.Close() == nil {
							won.Add(1)
						}
					}
				})
			}
			closers.Wait()
		}
		if n := int64(batches * batch); won.Load() != n {
			t.Errorf("%d closes won, want %d", won.Load(), n)
		}
		l.once(batches * batch)
		if stats := handle.Stats().Of(name); stats.Closed != int64(batches*batch) || stats.Open != 0 {
			t.Errorf("%+v", stats)
		}
	}, batches*batch)
}

// TestClose_andPromoteAtOnce lets a promoter and a closer have the same handle in the same nanoseconds. The handle stays
// closed, whoever is faster.
func TestClose_andPromoteAtOnce(t *testing.T) {
	n := 15_000
	switch {
	case raceEnabled:
		n = 500
	case testing.Short():
		n = 5_000
	}
	l := newLedger(t, n)
	typ := handle.NewTypeOf(l.release, handle.Options{Name: t.Name()})
	var met atomic.Int64
	var now atomic.Pointer[handle.Of[uintptr]]
	var both sync.WaitGroup
	both.Go(func() {
		random := rand.New(rand.NewPCG(1, 1))
		for i := range n {
			now.Store(typ.Open(uintptr(i)))
			meet(&met, int64(4*i+2), random.IntN(50))
			typ.Rotate()
			meet(&met, int64(4*i+4), 0)
		}
	})
	both.Go(func() {
		random := rand.New(rand.NewPCG(1, 2))
		for i := range n {
			meet(&met, int64(4*i+2), random.IntN(1000))
			h := now.Load()
			if err := h.Close(); err != nil {
				t.Error(err)
			}
			meet(&met, int64(4*i+4), 0)
			if err := h.Close(); !errors.Is(err, handle.ErrClosed) {
				t.Errorf("a second close: %v", err)
			}
		}
	})
	both.Wait()
	l.once(n)
	if s := handle.Stats().Of(t.Name()); s.Open != 0 || s.Closed != int64(n) {
		t.Errorf("%+v", s)
	}
}

// meet returns when all have come; to the last one after so many more looks.
func meet(met *atomic.Int64, all int64, looks int) {
	if met.Add(1) < all {
		looks = 1 << 30
	}
	for i := 1; i <= looks && (looks < 1<<30 || met.Load() < all); i++ {
		if i%2000 == 0 {
			runtime.Gosched() // one processor has to do
		}
		met.Load()
	}
}
