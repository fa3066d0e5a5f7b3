package longmap

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"
)

const (
	minBits = 3
	maxBits = 30
)

// Map is a concurrent map from uint64 to *V. The zero Map is empty and ready. It must not be copied after first use.
//
// Goroutines: every operation on one key is linearizable. What a goroutine did before it put a value happens before
// what another goroutine does after it got that value. [Map.Get] writes nothing. A writer locks the one bucket of its
// key (about three entries) for some nanoseconds. A value is a pointer that is never nil; nil means that there is
// none. What it points to belongs to the program.
//
// Memory: a bucket takes 128 bytes, an entry 28 to 57 bytes, without the values. The map grows and shrinks while it is
// used. Each write moves at most 16 pairs of buckets, and makes at most one shelf of 4096 buckets (512 KiB). An
// operation allocates only when the map grows or shrinks, or when a bucket overflows for the first time.
//
// Functions that are passed in run while nothing is locked, so they may use this map. A function may be called more
// than once, and its result may be discarded if another goroutine was faster. A panic in it leaves the map unchanged.
//
// Traversals never fail. They show each entry exactly once if it stays during the whole traversal, and any other entry
// at most once. Their order means nothing.
//
// Not guaranteed: that [Map.Size] is the size at one instant while others write; that [Map.Clear] or [Map.RemoveIf] is
// one step; that a writer never waits. If the goroutine that locked a bucket loses its processor, other writers of
// that bucket spin, yield, then sleep.
type Map[V any] struct {
	_ [0]func() // neither compared nor converted

	// table is replaced when all of it has moved to its successor, and first when the first entry is put.
	table atomic.Pointer[table[V]]

	floor int  // the bits of the smallest table this map shrinks to, if more than minBits
	eager bool // for tests: heed every cause to resize
}

// New returns an empty map with room for that many entries. It never shrinks below that size. It panics if expected is
// negative.
func New[V any](expected int) *Map[V] {
	if expected < 0 {
		panic(fmt.Sprintf("longmap: room for %d entries: give 0 or more", expected))
	}
	const entries = 4 // a bucket
	m := &Map[V]{floor: minBits}
	for m.floor < maxBits && entries<<m.floor < expected {
		m.floor++
	}
	return m
}

// start is the table, made for the first entry if need be.
func (m *Map[V]) start() *table[V] {
	if t := m.table.Load(); t != nil {
		return t
	}
	floor := m.floor
	if floor == 0 && !m.eager {
		floor = minBits
	}
	m.table.CompareAndSwap(nil, newTable[V](floor, rand.Uint64(), 0).makeAll())
	return m.table.Load()
}

// Get returns the value of the key, or nil.
func (m *Map[V]) Get(key uint64) *V {
	t := m.table.Load()
	if t == nil {
		return nil
	}
	hash := key * spread
	// Mostly nothing is being written here, and the first tag that fits is the key's.
	if _, b := t.at(hash); b != nil {
		head := b.head.Load()
		if match := matches(head, tagOf(hash)); match != 0 && head&(locked|moved) == 0 {
			slot := first(match)
			value := b.values[slot].Load()
			if b.keys[slot].Load() == key && b.head.Load() == head {
				return value
			}
		}
	}
	return m.search(t, hash, key)
}

// search is Get wherever the key is.
func (m *Map[V]) search(t *table[V], hash, key uint64) *V {
	for waits := 0; ; waits++ {
		_, b, head, in := seek(t, hash)
		t = in
		if head&locked == 0 {
			// After so many writers that no look stayed valid, one under the lock.
			under := waits > spins && b.lock(head)
			e := b.find(head, hash, key)
			value := e.load()
			if under {
				b.head.Store(head)
				return value
			}
			if b.head.Load() == head {
				return value
			}
		}
		pause(waits)
	}
}

// seek follows the successors to the bucket that has a hash now.
func seek[V any](t *table[V], hash uint64) (s *shelf[V], b *bucket[V], head uint64, in *table[V]) {
	for {
		if s, b = t.at(hash); b != nil {
			if head = b.head.Load(); head&moved == 0 {
				return s, b, head, t
			}
		}
		t = t.next.Load() // set before anything moved
	}
}

// wanted is what has to be there for a value to be stored, if not a certain one.
type wanted uint8

const (
	anything wanted = iota
	nothing
	something
	exactly
)

// Put sets the value of the key and returns the previous one, or nil. It panics if value is nil.
func (m *Map[V]) Put(key uint64, value *V) *V {
	return m.assign(key, value, anything, nil)
}

// PutIfAbsent sets the value of the key if it has none. It returns the present value, or nil if the new one was set.
// It panics if value is nil.
func (m *Map[V]) PutIfAbsent(key uint64, value *V) *V {
	if present := m.Get(key); present != nil {
		return present
	}
	return m.assign(key, value, nothing, nil)
}

// Replace sets the value of the key if it has one. It returns the previous value, or nil if there was none; then
// nothing was set. It panics if value is nil.
func (m *Map[V]) Replace(key uint64, value *V) *V {
	return m.assign(key, value, something, nil)
}

// CompareAndSwap sets the value of the key if its present value is the pointer before, and returns whether it did. If
// before is nil, the key must have no value. If value is nil, the key is removed.
func (m *Map[V]) CompareAndSwap(key uint64, before, value *V) bool {
	switch {
	case before == nil && value == nil:
		return m.Get(key) == nil
	case before == nil:
		return m.assign(key, value, nothing, nil) == nil
	case value == nil:
		return m.take(key, exactly, before) == before
	}
	return m.assign(key, value, exactly, before) == before
}

// Remove removes the key and returns its value, or nil.
func (m *Map[V]) Remove(key uint64) *V { return m.take(key, anything, nil) }

// ComputeIfAbsent returns the value of the key. If it has none, it calls the function and sets its result. The
// function may be called although another goroutine's value wins. If it returns nil, nothing is set.
func (m *Map[V]) ComputeIfAbsent(key uint64, function func(key uint64) *V) *V {
	if present := m.Get(key); present != nil {
		return present
	}
	made := function(key)
	if made == nil {
		return nil
	}
	if earlier := m.assign(key, made, nothing, nil); earlier != nil {
		return earlier
	}
	return made
}

// ComputeIfPresent replaces the value of the key by the result of the function, if there is a value, and returns the
// new value or nil. The function may be called more than once. If it returns nil, the key is removed.
func (m *Map[V]) ComputeIfPresent(key uint64, function func(key uint64, present *V) *V) *V {
	return m.Compute(key, func(key uint64, present *V) *V {
		if present == nil {
			return nil
		}
		return function(key, present)
	})
}

// Compute replaces the value of the key by the result of the function, atomically, and returns the new value. If
// another goroutine changes the value during the call of the function, the function is called again. The function
// receives nil if there is no value. If it returns nil, the key is removed.
func (m *Map[V]) Compute(key uint64, function func(key uint64, present *V) *V) *V {
	for {
		present := m.Get(key)
		made := function(key, present)
		if m.CompareAndSwap(key, present, made) {
			return made
		}
	}
}

// Merge sets the value of the key if it has none. Otherwise it replaces the present value by the result of the
// function. It returns the new value, or nil. The function may be called more than once. If it returns nil, the key is
// removed.
func (m *Map[V]) Merge(key uint64, value *V, function func(present, value *V) *V) *V {
	return m.Compute(key, func(_ uint64, present *V) *V {
		if present == nil {
			return value
		}
		return function(present, value)
	})
}

const (
	spins  = 64
	yields = 64
)

// pause waits a little longer each time: hosts are oversubscribed, and spinning alone may starve.
func pause(waits int) {
	switch {
	case waits >= spins+yields:
		time.Sleep(time.Microsecond << min(waits-spins-yields, 7))
	case waits >= spins:
		runtime.Gosched()
	}
}
