package longmap

import (
	"sync"
	"sync/atomic"
)

// leastSpill is how many entries the smallest overflow holds.
const leastSpill = 8

// spill is the entries that did not fit into a bucket: open addressing, where a nil value is a free place, with a seed that
// nobody can foresee: keys that were chosen to collide in the table do not collide here. Written under the bucket's lock,
// read under its version.
type spill[V any] struct {
	seed   uint64
	keys   []atomic.Uint64
	values []atomic.Pointer[V]
	count  atomic.Int64

	next *spill[V] // the next of the spares, while it is one
}

func newSpill[V any](capacity int, seed uint64) *spill[V] {
	return &spill[V]{seed: seed, keys: make([]atomic.Uint64, capacity), values: make([]atomic.Pointer[V], capacity)}
}

// isFull: the smallest is used to the last place, larger ones to three quarters.
func (s *spill[V]) isFull() bool {
	if len(s.keys) == leastSpill {
		return s.count.Load() == leastSpill
	}
	return int(s.count.Load()) == len(s.keys)/4*3
}

func (s *spill[V]) home(key uint64) int {
	hash := key ^ s.seed
	hash = (hash ^ hash>>32) * 0xD6E8FEB86659FD93
	hash = (hash ^ hash>>32) * 0xD6E8FEB86659FD93
	return int(hash^hash>>32) & (len(s.keys) - 1)
}

// find is where a key is, or -1. It ends whatever others write meanwhile.
func (s *spill[V]) find(key uint64) int {
	at := s.home(key)
	for range s.keys {
		if s.values[at].Load() == nil {
			return -1
		}
		if s.keys[at].Load() == key {
			return at
		}
		at = (at + 1) & (len(s.keys) - 1)
	}
	return -1
}

// add adds a key that is not there; there is room.
func (s *spill[V]) add(key uint64, value *V) {
	at := s.home(key)
	for s.values[at].Load() != nil {
		at = (at + 1) & (len(s.keys) - 1)
	}
	s.keys[at].Store(key)
	s.values[at].Store(value)
	s.count.Add(1)
}

func (s *spill[V]) addAll(other *spill[V]) {
	for i := range other.keys {
		if value := other.values[i].Load(); value != nil {
			s.add(other.keys[i].Load(), value)
		}
	}
}

// remove removes an entry, and moves those behind it that would not be found any more.
func (s *spill[V]) remove(at int) {
	mask := len(s.keys) - 1
	gap := at
	for i := 1; i <= mask; i++ {
		next := (at + i) & mask
		value := s.values[next].Load()
		if value == nil {
			break
		}
		key := s.keys[next].Load()
		if (next-s.home(key))&mask >= (next-gap)&mask {
			s.keys[gap].Store(key)
			s.values[gap].Store(value)
			gap = next
		}
	}
	s.values[gap].Store(nil)
	s.count.Add(-1)
}

// spares is overflows of the smallest size that no bucket of a shelf needs now: crowded buckets come and go, and leave no
// garbage. Who finds it locked goes on without.
type spares[V any] struct {
	mu    sync.Mutex
	list  *spill[V]
	count int
}

func (s *spares[V]) take() *spill[V] {
	if !s.mu.TryLock() {
		return nil
	}
	defer s.mu.Unlock()
	taken := s.list
	if taken != nil {
		s.list, taken.next = taken.next, nil
		s.count--
	}
	return taken
}

// give keeps an empty overflow, if there are not too many.
func (s *spares[V]) give(spare *spill[V], most int) {
	if len(spare.keys) != leastSpill || !s.mu.TryLock() {
		return
	}
	defer s.mu.Unlock()
	if s.count < most {
		spare.next, s.list = s.list, spare
		s.count++
	}
}
