package longmap

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

const (
	shelfBits = 12
	// shelfBuckets is the largest piece allocated at once: 512 KiB.
	shelfBuckets = 1 << shelfBits

	// sampled is how many buckets are counted at once, and considerEvery how often a cause to count is heeded.
	sampled       = 64
	considerEvery = 8

	// Loads are in 256ths of an entry a bucket.
	loadOne     = 256
	growAbove   = 9 * loadOne / 2
	shrinkBelow = loadOne / 2
)

// shelf is some buckets of a table.
type shelf[V any] struct {
	buckets []bucket[V]
	left    atomic.Int64 // buckets not yet moved
	spares  spares[V]
}

func newShelf[V any](buckets int) *shelf[V] {
	s := &shelf[V]{buckets: make([]bucket[V], buckets)}
	s.left.Store(int64(buckets))
	return s
}

// mostSpares: more is memory, less is garbage where buckets are crowded now and then.
func (s *shelf[V]) mostSpares() int { return max(4, len(s.buckets)/8) }

// makeSpill is an empty overflow, a spare one if there is one of that capacity.
func (s *shelf[V]) makeSpill(capacity int, seed uint64) *spill[V] {
	if capacity == leastSpill {
		if spare := s.spares.take(); spare != nil {
			return spare
		}
	}
	return newSpill[V](capacity, seed)
}

// table is 2^bits buckets.
type table[V any] struct {
	bits  int
	shift int // 63 - bits: a hash is shifted by that and by one more, since a shift by 64 is one by 0
	seed  uint64

	// shelves: nil until made; without buckets when all have moved, and so for ever.
	shelves []atomic.Pointer[shelf[V]]
	making  sync.Mutex

	// next is where this table's entries go, once it is to be grown or shrunk. Set once.
	next atomic.Pointer[table[V]]

	claim       atomic.Uint32 // the next unit to be moved by whoever comes, modulo the units
	shelvesLeft atomic.Int64  // not yet moved

	// load is the running mean of the samples. Written by anybody: a lost update costs a little accuracy.
	load atomic.Int64
}

func newTable[V any](bits int, seed uint64, load int64) *table[V] {
	t := &table[V]{bits: bits, shift: 63 - bits, seed: seed}
	t.shelves = make([]atomic.Pointer[shelf[V]], 1<<max(0, bits-shelfBits))
	t.shelvesLeft.Store(int64(len(t.shelves)))
	t.load.Store(load)
	return t
}

// makeAll makes all shelves of a table that has no predecessor.
func (t *table[V]) makeAll() *table[V] {
	for i := range t.shelves {
		t.make(i << shelfBits)
	}
	return t
}

func (t *table[V]) bucketOf(hash uint64) int { return int(hash >> t.shift >> 1) }

// at is the shelf and the bucket of a hash; nil when all of the shelf has moved, or when it is not made yet, when nobody
// looks there.
func (t *table[V]) at(hash uint64) (*shelf[V], *bucket[V]) { return t.atBucket(t.bucketOf(hash)) }

func (t *table[V]) atBucket(index int) (*shelf[V], *bucket[V]) {
	s := t.shelves[index>>shelfBits].Load()
	within := index & (shelfBuckets - 1)
	if s == nil || within >= len(s.buckets) {
		return nil, nil
	}
	return s, &s.buckets[within]
}

// make is the shelf of a bucket, made if need be; nil while another goroutine makes one, or when all of it has moved.
func (t *table[V]) make(index int) *shelf[V] {
	place := &t.shelves[index>>shelfBits]
	s := place.Load()
	if s == nil && t.making.TryLock() {
		if s = place.Load(); s == nil {
			s = newShelf[V](min(shelfBuckets, 1<<t.bits))
			place.Store(s)
		}
		t.making.Unlock()
	}
	if s == nil || len(s.buckets) == 0 {
		return nil
	}
	return s
}

// drop: all of a bucket's shelf has moved. Whether it was the last one.
func (t *table[V]) drop(index int) bool {
	t.shelves[index>>shelfBits].Store(new(shelf[V]))
	return t.shelvesLeft.Add(-1) == 0
}

// covers has the bits of a hash that do not choose a bucket.
func (t *table[V]) covers() uint64 { return ^uint64(0) >> t.bits }

// behind is the first hash behind the bucket of this one; 0 behind the last.
func (t *table[V]) behind(hash uint64) uint64 { return (hash | t.covers()) + 1 }

// sample is the mean load after one more look at some buckets.
func (t *table[V]) sample(random uint64) int64 {
	buckets := 1 << t.bits
	count := min(sampled, buckets)
	start := int(random) & (buckets - 1) & -count
	entries := 0
	for i := range count {
		_, b := t.atBucket(start + i)
		if b == nil {
			return t.load.Load()
		}
		head := b.head.Load()
		entries += takenSlots(head) + bits.OnesCount64(head&overflow) // an overflow has one entry, mostly
	}
	mean := int64(entries * loadOne / count)
	if count < buckets {
		mean = (3*t.load.Load() + mean) / 4
	}
	t.load.Store(mean)
	return mean
}

// isSparse says whether half as many buckets would do, by so many samples that the load before is gone.
func (t *table[V]) isSparse() bool {
	const samples = 16
	load := int64(0)
	for i := range uint64(samples) {
		random := i * spread
		load = t.sample(random >> 32)
	}
	return load < shrinkBelow
}
