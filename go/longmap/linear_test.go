package longmap_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"offcut.dev/go/longmap"
)

// operation is what one call on one key got, and the moments of its begin and end.
type operation struct {
	name       string
	old, new   *int
	value      *int // before
	done       bool // of a swap
	begin, end int64
}

// after is the value of the key after the operation, and whether the operation can have got what it got.
func (o operation) after(before *int) (after *int, fits bool) {
	switch o.name {
	case "put":
		return o.new, o.value == before
	case "remove":
		return nil, o.value == before
	case "swap":
		if o.done {
			return o.new, before == o.old
		}
		return before, before != o.old
	}
	return before, o.value == before
}

// linearizable says whether some order of at most 64 operations explains all their results, in which none comes before one
// that ended before its begin.
func linearizable(history []operation) bool {
	type state struct {
		left  uint64
		value *int
	}
	seen := make(map[state]bool)
	var search func(left uint64, value *int) bool
	search = func(left uint64, value *int) bool {
		if left == 0 {
			return true
		}
		if seen[state{left, value}] {
			return false
		}
		seen[state{left, value}] = true
		first := int64(1<<63 - 1) // the first end: what begins later comes later
		for i, o := range history {
			if left>>i&1 != 0 {
				first = min(first, o.end)
			}
		}
		for i, o := range history {
			if left>>i&1 == 0 || o.begin > first {
				continue
			}
			if after, fits := o.after(value); fits && search(left&^(1<<i), after) {
				return true
			}
		}
		return false
	}
	return search(1<<len(history)-1, nil)
}

// TestMap_linearizable: histories of four goroutines on one key, in half of which the table grows and shrinks meanwhile.
func TestMap_linearizable(t *testing.T) {
	const goroutines, calls, histories = 4, 15, 300
	random := seeded(t)
	resized := 0
	for round := range histories {
		m := longmap.New[int](0)
		m.Put(1, ptr(0))
		small := m.RetainedBytes()
		var clock atomic.Int64
		parts := make([][]operation, goroutines)
		var start, working, filling sync.WaitGroup
		start.Add(1)
		for g := range goroutines {
			own := rand.New(rand.NewPCG(random.Uint64(), 0))
			working.Go(func() {
				last := ptr(0)
				start.Wait()
				for i := range calls {
					o := operation{name: []string{"put", "remove", "swap", "get"}[own.IntN(4)], old: last, new: ptr(g*calls + i)}
					o.begin = clock.Add(1)
					switch o.name {
					case "put":
						o.value = m.Put(0, o.new)
					case "remove":
						o.value = m.Remove(0)
					case "swap":
						o.done = m.CompareAndSwap(0, o.old, o.new)
					default:
						o.value = m.Get(0)
					}
					o.end = clock.Add(1)
					parts[g] = append(parts[g], o)
					if last = o.new; o.value != nil {
						last = o.value
					}
				}
			})
		}
		var done atomic.Bool
		grew := false
		if round%2 == 0 {
			filling.Go(func() {
				start.Wait()
				for once := true; once || !done.Load(); once = false {
					for key := uint64(2); key < 600; key++ {
						m.Put(key, ptr(0))
					}
					grew = grew || m.RetainedBytes() > 4*small
					for key := uint64(2); key < 600; key++ {
						m.Remove(key)
					}
				}
			})
		}
		start.Done()
		working.Wait()
		done.Store(true)
		filling.Wait()
		if grew {
			resized++
		}
		if history := slices.Concat(parts...); !linearizable(history) {
			t.Fatalf("history %d: no order explains %+v", round, history)
		}
	}
	if resized < histories/4 {
		t.Errorf("the table was resized in %d of %d histories only", resized, histories)
	}
}

// The check refuses a history that cannot be.
func TestLinearizable_removedValue_isRefused(t *testing.T) {
	one := ptr(1)
	history := []operation{{name: "put", new: one, begin: 1, end: 2}, {name: "remove", value: one, begin: 3, end: 4},
		{name: "get", value: one, begin: 5, end: 6}}
	if linearizable(history) || !linearizable(history[:2]) {
		t.Error("a removed value may be got")
	}
}
