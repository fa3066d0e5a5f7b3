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

// Map is a concurrent map from uint64 to *V. The zero Map is empty and ready for use. A Map must not be copied after
// its first use.
//
// Goroutines: any goroutine may call any method. Every operation on one key is linearizable. Actions of a goroutine
// before it puts a value happen before actions of another goroutine after it got that value. [Map.Get] writes nothing.
// A writer locks only the bucket of its key (about three entries), for some nanoseconds. A value is a pointer that is
// never nil; nil means that there is none. The map does not touch what it points to.
//
// Memory: without the values, an entry takes 28 to 57 bytes; a bucket takes 128 bytes. The map grows and shrinks while
// it is used. Meanwhile each write moves at most 16 pairs of buckets, and allocates at most one piece of 4096 buckets
// (512 KiB). An operation allocates only if the map grows or shrinks, or if a bucket overflows for the first time.
//
// Functions that the caller passes run while the map holds no lock, so they may use this map. A function may be called
// more than once. Its result is discarded if another goroutine was faster. If it panics, the map is unchanged.
// [Map.Compute], [Map.ComputeIfPresent] and [Map.Merge] do not return as long as their function writes its own key in
// each call.
//
// Traversals never fail. They show an entry exactly once if it stays during the whole traversal, and any other entry at
// most once. Their order has no meaning.
//
// Not guaranteed:
//
//   - that [Map.Size] is the size at one instant while other goroutines write;
//   - that [Map.Clear] or [Map.RemoveIf] is one atomic step;
//   - that a writer never waits: if a goroutine that locked a bucket loses its processor, other writers of that bucket
//     spin, yield, then sleep.
type Map[V any] struct {
	_ [0]func() // neither compared nor converted

	// table is replaced when all of it has moved to its successor, and first when the first entry is put.
	table atomic.Pointer[table[V]]

	floor int  // the bits of the smallest table this map shrinks to, if more than minBits
	eager bool // for tests: heed every cause to resize
}

// New returns an empty map with room for the expected number of entries. The map never shrinks below that room. New
// panics if expected is negative.
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

// Get returns the value of a key, or nil if the key has none.
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

// Put sets the value of a key, and returns the previous value, or nil. It panics if value is nil.
func (m *Map[V]) Put(key uint64, value *V) *V {
	return m.assign(key, value, anything, nil)
}

// PutIfAbsent sets the value of a key if the key has none. It returns the present value; nil means that the new value
// was set. It panics if value is nil.
func (m *Map[V]) PutIfAbsent(key uint64, value *V) *V {
	if present := m.Get(key); present != nil {
		return present
	}
	return m.assign(key, value, nothing, nil)
}

// Replace sets the value of a key if the key has one. It returns the previous value; nil means that nothing was set. It
// panics if value is nil.
func (m *Map[V]) Replace(key uint64, value *V) *V {
	return m.assign(key, value, something, nil)
}

// CompareAndSwap sets the value of a key if the present value is the pointer before, and returns whether it did. If
// before is nil, the key must have no value. If value is nil, CompareAndSwap removes the key.
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

// Remove removes a key, and returns its value, or nil.
func (m *Map[V]) Remove(key uint64) *V { return m.take(key, anything, nil) }

// ComputeIfAbsent returns the value of a key. If the key has none, it calls the function and sets its result; the
// result nil sets nothing. If another goroutine sets a value meanwhile, the result is discarded.
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

// ComputeIfPresent replaces the value of a key by the result of a function, if the key has a value. It returns the new
// value, or nil. The function may be called more than once. The result nil removes the key.
func (m *Map[V]) ComputeIfPresent(key uint64, function func(key uint64, present *V) *V) *V {
	return m.Compute(key, func(key uint64, present *V) *V {
		if present == nil {
			return nil
		}
		return function(key, present)
	})
}

// Compute replaces the value of a key by the result of a function, atomically, and returns the new value. If another
// goroutine changes the value meanwhile, Compute calls the function again. The function receives nil if the key has no
// value. The result nil removes the key.
func (m *Map[V]) Compute(key uint64, function func(key uint64, present *V) *V) *V {
	for {
		present := m.Get(key)
		made := function(key, present)
		if m.CompareAndSwap(key, present, made) {
			return made
		}
	}
}

// Merge sets the value of a key if the key has none. Otherwise it replaces the present value by the result of the
// function. It returns the new value, or nil. The function may be called more than once. The result nil removes the
// key.
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
