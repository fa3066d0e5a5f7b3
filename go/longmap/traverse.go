package longmap

import (
	"iter"
	"math"
	"math/bits"
	"unsafe"
)

// All returns an iterator over all entries. The map may change during the traversal, and the loop itself may change it.
func (m *Map[V]) All() iter.Seq2[uint64, *V] {
	return func(yield func(uint64, *V) bool) {
		for c := m.cursor(); c.next(); {
			for i, key := range c.keys {
				if !yield(key, c.values[i]) {
					return
				}
			}
		}
	}
}

// RemoveIf removes the entries for which the function returns true, and returns whether it removed any. An entry whose
// value changed after the test stays.
func (m *Map[V]) RemoveIf(function func(key uint64, value *V) bool) bool {
	any := false
	for key, value := range m.All() {
		if function(key, value) && m.take(key, exactly, value) == value {
			any = true
		}
	}
	return any
}

// Keys returns all keys in a new slice, in no particular order.
func (m *Map[V]) Keys() []uint64 {
	keys := []uint64{}
	for c := m.cursor(); c.next(); {
		keys = append(keys, c.keys...)
	}
	return keys
}

// Size counts the entries. The call takes time in proportion to the size of the table.
func (m *Map[V]) Size() int {
	size := 0
	for c := m.cursor(); c.next(); {
		size += len(c.keys)
	}
	return size
}

// IsEmpty returns whether the map has no entry.
func (m *Map[V]) IsEmpty() bool {
	for c := m.cursor(); c.next(); {
		if len(c.keys) > 0 {
			return false
		}
	}
	return true
}

// Clear removes all entries, bucket by bucket, and frees their memory. An entry that another goroutine puts meanwhile
// may stay.
func (m *Map[V]) Clear() {
	t := m.table.Load()
	if t == nil {
		return
	}
	for from, more := uint64(0), true; more; more = from != 0 {
		from = t.clearBucket(from)
	}
	for {
		t = m.table.Load()
		switch {
		case t.next.Load() != nil:
			m.help(t)
		case t.bits > m.least() && t.isSparse():
			t.begin(t.bits - 1)
		default:
			return
		}
	}
}

// clearBucket empties the bucket of a hash, wherever it is now: the first hash behind it, or 0 if it was the last.
func (t *table[V]) clearBucket(hash uint64) uint64 {
	for waits := 0; ; waits++ {
		_, b, head, in := seek(t, hash)
		t = in
		if b.lock(head) {
			b.leave(0)
			return t.behind(hash)
		}
		pause(waits)
	}
}

// EstimatedSize estimates the number of entries from some of the buckets, in constant time.
func (m *Map[V]) EstimatedSize() int {
	const mostSampleBits = 10
	t := m.table.Load()
	if t == nil {
		return 0
	}
	sampleBits := min(t.bits, mostSampleBits)
	sum := 0.0
	for i := range uint64(1) << sampleBits {
		_, b, head, in := seek(t, bits.RotateLeft64(i, -sampleBits))
		sum += math.Ldexp(float64(b.count(head)), in.bits-sampleBits) // it stands for so many buckets, or a part of one
	}
	return int(math.Round(sum))
}

// RetainedBytes computes the heap memory of the map, without the values, from the sizes of its parts. The call takes
// time in proportion to the size of the table.
func (m *Map[V]) RetainedBytes() int {
	bytes := int(unsafe.Sizeof(*m))
	for t := m.table.Load(); t != nil; t = t.next.Load() {
		bytes += int(unsafe.Sizeof(*t)) + len(t.shelves)*int(unsafe.Sizeof(t.shelves[0]))
		for i := range t.shelves {
			if s := t.shelves[i].Load(); s != nil {
				bytes += s.retainedBytes()
			}
		}
	}
	return bytes
}

func (s *shelf[V]) retainedBytes() int {
	bytes := int(unsafe.Sizeof(*s)) + len(s.buckets)*int(unsafe.Sizeof(bucket[V]{}))
	for i := range s.buckets {
		if over := s.buckets[i].spill.Load(); over != nil {
			bytes += over.retainedBytes()
		}
	}
	s.spares.mu.Lock()
	defer s.spares.mu.Unlock()
	for spare := s.spares.list; spare != nil; spare = spare.next {
		bytes += spare.retainedBytes()
	}
	return bytes
}

func (s *spill[V]) retainedBytes() int {
	const place = 16 // a key and a value
	return int(unsafe.Sizeof(*s)) + place*len(s.keys)
}

// cursor walks along the hashes, bucket by bucket; a bucket is copied whole before any of it is shown.
type cursor[V any] struct {
	m      *Map[V]
	from   uint64 // the first hash not yet walked; 0 at the beginning and at the end
	begun  bool
	keys   []uint64
	values []*V
}

func (m *Map[V]) cursor() *cursor[V] { return &cursor[V]{m: m} }

// next copies the bucket of from, in whatever table it is now, and goes behind it; false at the end.
func (c *cursor[V]) next() bool {
	t := c.m.table.Load()
	if t == nil || c.begun && c.from == 0 {
		return false
	}
	c.begun = true
	for waits := 0; ; waits++ {
		_, b, head, in := seek(t, c.from)
		t = in
		if head&locked == 0 {
			under := waits > spins && b.lock(head)
			c.copy(b, head)
			valid := under || b.head.Load() == head
			if under {
				b.head.Store(head)
			}
			if valid {
				c.from = t.behind(c.from)
				return true
			}
		}
		pause(waits)
	}
}

func (c *cursor[V]) copy(b *bucket[V], head uint64) {
	c.keys, c.values = c.keys[:0], c.values[:0]
	for rest := ^freeSlots(head) & tops; rest != 0; rest &= rest - 1 {
		slot := first(rest)
		c.add(b.keys[slot].Load(), b.values[slot].Load())
	}
	if over := b.overflow(head); over != nil {
		for i := range over.keys {
			if value := over.values[i].Load(); value != nil {
				c.add(over.keys[i].Load(), value)
			}
		}
	}
}

func (c *cursor[V]) add(key uint64, value *V) {
	// In a table that shrank, the bucket begins before where this cursor is: seen already.
	if key*spread >= c.from {
		c.keys = append(c.keys, key)
		c.values = append(c.values, value)
	}
}
