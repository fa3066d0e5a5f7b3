package longmap

import (
	"sync/atomic"
)

// bucket is a cache line of what a look needs, and one of what it leads to. Written under the header's lock, but for a
// bucket that nobody else sees yet; read under its version.
type bucket[V any] struct {
	head   atomic.Uint64
	keys   [slots]atomic.Uint64
	spill  atomic.Pointer[spill[V]] // if the header says overflow
	values [slots]atomic.Pointer[V]
}

// lock locks a bucket whose header was this; false if it is locked or changed.
func (b *bucket[V]) lock(head uint64) bool {
	return head&locked == 0 && b.head.CompareAndSwap(head, head|locked)
}

// entry is where a key is.
type entry[V any] struct {
	value *atomic.Pointer[V] // nil: nowhere
	slot  int                // in the bucket, if spill is nil; else in that
	spill *spill[V]          // looked into, since the bucket has not got the key
}

// find is where a key is. What it finds while others write has to be validated.
func (b *bucket[V]) find(head, hash, key uint64) entry[V] {
	for match := matches(head, tagOf(hash)); match != 0; match &= match - 1 {
		if slot := first(match); b.keys[slot].Load() == key {
			return entry[V]{&b.values[slot], slot, nil}
		}
	}
	over := b.overflow(head)
	if over == nil {
		return entry[V]{}
	}
	slot := over.find(key)
	if slot < 0 {
		return entry[V]{nil, -1, over}
	}
	return entry[V]{&over.values[slot], slot, over}
}

func (e *entry[V]) load() *V {
	if e.value == nil {
		return nil
	}
	return e.value.Load()
}

// overflow is that of a bucket, or nil; nil too, without validation, when it was just emptied.
func (b *bucket[V]) overflow(head uint64) *spill[V] {
	if head&overflow == 0 {
		return nil
	}
	return b.spill.Load()
}

// fill puts an entry into a free slot of a locked bucket: the header to unlock it with.
func (b *bucket[V]) fill(head, hash, key uint64, value *V) uint64 {
	slot := first(freeSlots(head))
	b.keys[slot].Store(key)
	b.values[slot].Store(value)
	return (head | tagOf(hash)<<(4*slot)) + version
}

// spillOver puts an entry into the overflow of a locked bucket, into a larger one if the present one is full: the header to
// unlock it with.
func (b *bucket[V]) spillOver(head uint64, larger *spill[V], key uint64, value *V) uint64 {
	over := b.overflow(head)
	if over == nil || over.isFull() {
		if over != nil {
			larger.addAll(over)
		}
		b.spill.Store(larger)
		over = larger
	}
	over.add(key, value)
	return (head | overflow) + version
}

// leave takes everything out of a locked bucket, or of one nobody else sees, and unlocks it in a state: 0 or moved.
func (b *bucket[V]) leave(state uint64) {
	b.spill.Store(nil)
	for slot := range b.values {
		b.values[slot].Store(nil)
	}
	b.head.Store(b.head.Load()&^(version-1) + version | state)
}

// count is how many entries a bucket has; right if the header is still the same after.
func (b *bucket[V]) count(head uint64) int {
	count := takenSlots(head)
	if over := b.overflow(head); over != nil {
		count += int(over.count.Load())
	}
	return count
}
