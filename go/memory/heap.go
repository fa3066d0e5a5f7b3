package memory

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Heap allocates and frees single blocks in any order, like malloc.
//
// A heap of [Owner.OpenHeap] is confined, like an arena: one goroutine at a time uses it and frees its blocks, and the
// program orders the hand-over. It keeps one empty slab for each size, until it is closed or a request meets a limit.
// Any goroutine may use a heap of [Owner.OpenSharedHeap] at any time; a block costs three or four atomic operations.
//
//	stripe   for goroutines whose stack addresses hash alike; a confined heap has one. Two bins for each size class, one
//	         of them for tracked blocks
//	bin      slabs of blocks of one size
//	slab     a granule of the pool, cut into blocks; or a chunk that is one larger block
//
// There are two kinds of blocks. A raw block is an unsafe.Pointer. The heap detects that it is freed twice, unless it
// was handed out again in between. A tracked [Block] knows its generation. The heap always detects a second free, and a
// call of [Block.Bytes] or [Block.Pointer] after the free. It does not check a slice or pointer that was taken before.
//
// A block comes from a slab of the goroutine's stripe, and returns to that slab, whichever goroutine frees it. So there
// are no caches per goroutine, and an empty slab goes back to the pool.
//
// A heap lives until [Heap.Close]. A heap that is dropped without a Close stays with its owner, and the pool's snapshot
// shows it.
type Heap struct {
	owner    *Owner
	pool     *Pool
	classes  sizeClasses
	stripes  uintptr // a power of two, less one
	confined bool
	bins     []bin
	large    bin

	// granuleBits: a slab begins at a multiple of 1<<granuleBits, from the begin of its region.
	granuleBits uint8

	// near is the region that the heap took a chunk from last: most blocks are in it. A region stays until the pool is closed,
	// which is after the heap.
	near atomic.Pointer[region]

	// last is the slab of a confined heap that a block came back to last: it is looked at before near. Nil in a shared heap,
	// and once the slab is given back.
	last *slab

	// slabBytes is what its slabs have: a sum, for whoever looks at a confined heap from outside.
	slabBytes atomic.Int64

	// closed is for error texts; that nothing is handed out any more is each bin's own, under its lock.
	closed atomic.Bool
}

var _ Allocator = (*Heap)(nil)

// mostHeapStripes: more find less in their slabs, fewer wait for each other.
const mostHeapStripes = 16

// OpenHeap opens a heap for one goroutine at a time. Its granules are charged to the owner.
func (o *Owner) OpenHeap() *Heap { return o.openHeap(1, true) }

// OpenSharedHeap opens a heap for any goroutine. Its granules are charged to the owner.
func (o *Owner) OpenSharedHeap() *Heap {
	return o.openHeap(min(mostHeapStripes, ceilingPowerOfTwo(2*runtime.GOMAXPROCS(0))), false)
}

func (o *Owner) openHeap(stripes int, confined bool) *Heap {
	h := &Heap{owner: o, pool: o.pool, stripes: uintptr(stripes - 1), confined: confined}
	h.classes = newSizeClasses(o.pool.geometry.granuleBytes)
	h.granuleBits = uint8(bits.TrailingZeros(uint(h.classes.slabBytes)))
	h.bins = make([]bin, 2*h.classes.count*stripes)
	o.addHeap(h)
	return h
}

// Owner returns the owner to which the heap's granules are charged.
func (h *Heap) Owner() *Owner { return h.owner }

// String returns a text with the owner's path.
func (h *Heap) String() string { return "the heap of " + h.owner.Path() }

// AllocateUninitialized allocates a raw block of at least the given size, with arbitrary contents, aligned to 16 bytes.
// It fails with [ErrSize] if bytes is not positive, with a [*LimitError], or with [ErrClosed].
func (h *Heap) AllocateUninitialized(bytes int) (unsafe.Pointer, error) {
	if uint(bytes-1) < uint(h.classes.most) {
		class := h.classes.of(bytes)
		if h.confined {
			b := &h.bins[2*class]
			if b.frontBlock != 0 {
				s, block := b.takeFront()
				return s.pointer(int(block)), nil
			}
			if s := b.current.Load(); s != nil {
				if block, ok := s.takeHinted(); ok {
					return s.pointer(int(block)), nil
				}
			}
		} else if s := h.bins[h.sharedBin(class)].current.Load(); s != nil {
			if block, ok := s.takeShared(); ok {
				return s.pointer(int(block)), nil
			}
		}
		s, block, err := h.take(class, 0)
		if err != nil {
			return nil, err
		}
		return s.pointer(block), nil
	}
	s, err := h.takeLarge(bytes, false)
	if err != nil {
		return nil, err
	}
	return s.base, nil
}

// Allocate allocates a raw block of at least the given size, all zero. 0 bytes are allowed. The alignment is a power of
// two, at most the pool's largest chunk; another alignment, or a negative size, is an [ErrSize]. Allocate also fails
// with a [*LimitError], or with [ErrClosed].
func (h *Heap) Allocate(bytes, alignment int) (unsafe.Pointer, error) {
	size, err := h.aligned(bytes, alignment)
	if err != nil {
		return nil, err
	}
	if size > h.classes.most {
		s, err := h.takeLarge(size, false)
		if err != nil {
			return nil, err
		}
		if !s.chunk.zero {
			clear(unsafe.Slice((*byte)(s.base), bytes))
		}
		return s.base, nil
	}
	s, block, err := h.take(h.classes.of(size), 0)
	if err != nil {
		return nil, err
	}
	p := s.pointer(block)
	clear(unsafe.Slice((*byte)(p), bytes))
	return p, nil
}

// aligned is the size of block that is aligned as asked for: blocks whose size is a power of two lie at multiples of it.
func (h *Heap) aligned(bytes, alignment int) (int, error) {
	if bytes < 0 || !isPowerOfTwo(alignment) || alignment > h.pool.geometry.rootBytes {
		return 0, fmt.Errorf("%w: a block of %d bytes aligned to %d for %v: give 0 or more, and a power of two up to %d",
			ErrSize, bytes, alignment, h.owner, h.pool.geometry.rootBytes)
	}
	size := max(bytes, 1)
	if alignment <= blockBytes {
		return size, nil
	}
	size = max(size, alignment)
	if size <= h.classes.most {
		return ceilingPowerOfTwo(size), nil
	}
	return size, nil
}

// take takes a small block.
func (h *Heap) take(class, tracked int) (*slab, int, error) {
	if h.confined {
		b := &h.bins[class*2+tracked]
		if b.frontBlock != 0 {
			s, block := b.takeFront()
			return s, int(block), nil
		}
		return h.takeFrom(b, class, tracked)
	}
	return h.takeFrom(&h.bins[h.sharedBin(class)+tracked], class, tracked)
}

// sharedBin is where the bin of a class is in a shared heap, for the goroutine's stripe; the one after it is for tracked
// blocks.
func (h *Heap) sharedBin(class int) int { return (int(stripe()&h.stripes)*h.classes.count + class) * 2 }

func (h *Heap) takeFrom(b *bin, class, tracked int) (*slab, int, error) {
	for {
		s := b.current.Load()
		if s != nil {
			if block := s.take(); block >= 0 {
				return s, block, nil
			}
		}
		if !b.advance(s) {
			return h.fetch(b, class, tracked)
		}
	}
}

// takeLarge takes a block that is a chunk of its own.
func (h *Heap) takeLarge(bytes int, tracked bool) (*slab, error) {
	switch {
	case bytes <= 0:
		return nil, fmt.Errorf("%w: a block of %d bytes for %v: ask for 1 or more", ErrSize, bytes, h.owner)
	case h.closed.Load():
		return nil, fmt.Errorf("%w: %v hands nothing out", ErrClosed, h)
	}
	c, err := h.takeChunk(bytes)
	if err != nil {
		return nil, err
	}
	s := newSlab(h, &h.large, c, c.bytes, 1, tracked)
	s.take()
	return s, h.adopt(&h.large, s)
}

// UsedBytes returns the size of all blocks in use. It is exact if no other goroutine allocates or frees during the
// call; of a confined heap, only its own goroutine may ask.
func (h *Heap) UsedBytes() int {
	bytes := h.large.usedBytes()
	for i := range h.bins {
		bytes += h.bins[i].usedBytes()
	}
	return bytes
}

// shownBytes is what a snapshot shows: of a confined heap its slabs.
func (h *Heap) shownBytes() int {
	if h.confined {
		return int(h.slabBytes.Load())
	}
	return h.UsedBytes()
}

// FreeAll frees all blocks, including tracked ones. The heap stays open. No goroutine may use one of these blocks
// during the call or afterwards.
func (h *Heap) FreeAll() { h.clear(false) }

func (h *Heap) clear(closing bool) {
	for i := range h.bins {
		h.clearBin(&h.bins[i], closing)
	}
	h.clearBin(&h.large, closing)
	h.pool.freed()
}

func (h *Heap) clearBin(b *bin, closing bool) {
	b.giveFront()
	for _, s := range b.clear(closing) {
		poison(s.base, s.chunk.bytes)
		h.drop(s)
	}
}

// Close closes the heap and returns its memory to the pool. While blocks are in use, it fails with [ErrInUse] and
// changes nothing. A second call fails with [ErrClosed]. No goroutine may allocate during the call.
func (h *Heap) Close() error {
	if used := h.UsedBytes(); used != 0 {
		return fmt.Errorf("%w: %v has blocks of %d bytes out; free them, or call FreeAll first", ErrInUse, h, used)
	}
	if !h.closed.CompareAndSwap(false, true) {
		return fmt.Errorf("%w: %v", ErrClosed, h)
	}
	h.clear(true)
	h.owner.removeHeap(h)
	return nil
}

func (h *Heap) verify() error {
	for i := range h.bins {
		if err := h.bins[i].verify(); err != nil {
			return err
		}
	}
	return h.large.verify()
}
