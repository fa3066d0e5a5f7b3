package memory

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// Free frees a raw block. It fails with [ErrDoubleFree] if the block is already free, with [ErrForeignFree] if no raw
// block of this heap begins there, and with [ErrClosed] if the heap is closed. After an error nothing has changed.
func (h *Heap) Free(p unsafe.Pointer) error {
	// What freeFound and find do, for a block of the region near: their calls took a fifth of the time of a block.
	if h.confined {
		s := h.last
		if s == nil || poisoning {
			return h.freeFound(p)
		}
		block, ok := s.rawAt(p)
		if !ok {
			if s = h.nearSlab(p); s == nil {
				return h.freeFound(p)
			}
			if block, ok = s.rawAt(p); !ok {
				return h.freeFound(p)
			}
			h.last = s
		}
		switch b := s.bin; {
		case b.frontBlock == 0 && s.goesInFront(uint(block)):
			b.front, b.frontBlock = s, uint(block)+1
			return nil
		case b.frontBlock != 0 && b.frontBlock != uint(block)+1 && s.goesBehind(uint(block)):
			s.free[block/64] |= 1 << (block % 64)
			return nil
		}
		if !s.exchangeFront(uint(block)) {
			return h.isFreeAlready(p, s)
		}
		return nil
	}
	r := h.near.Load() // the look at what nearSlab returns would take 2 % of the time of a block
	if r == nil || poisoning {
		return h.freeFound(p)
	}
	granule := (uintptr(p) - uintptr(r.base)) >> (h.granuleBits & 63)
	if granule >= uintptr(len(r.slabs)) {
		return h.freeFound(p)
	}
	s := r.slabs[granule].Load()
	if s == nil || s.heap != h {
		return h.freeFound(p)
	}
	block, ok := s.rawAt(p)
	if !ok {
		return h.freeFound(p)
	}
	word, bit := int(block/64), uint64(1)<<(block%64)
	before := atomic.OrUint64(&s.free[word], bit)
	if before&bit != 0 {
		return h.isFreeAlready(p, s)
	}
	if s.bin.current.Load() != s && (before == 0 || before|bit == s.full(word)) { // as in give
		s.gave(word, before, before|bit)
	}
	return nil
}

// nearSlab is the slab of this heap at an address in the region near, or nil.
func (h *Heap) nearSlab(p unsafe.Pointer) *slab {
	r := h.near.Load()
	if r == nil {
		return nil
	}
	granule := (uintptr(p) - uintptr(r.base)) >> (h.granuleBits & 63)
	if granule >= uintptr(len(r.slabs)) {
		return nil
	}
	s := r.slabs[granule].Load()
	if s == nil || s.heap != h {
		return nil
	}
	return s
}

// rawAt is the number of the raw block that begins at an address, if one does.
func (s *slab) rawAt(p unsafe.Pointer) (block uint64, ok bool) {
	inner := uint64(uintptr(p) - uintptr(s.base))
	block, _ = bits.Mul64(inner, s.magic)
	return block, block*uint64(s.blockBytes) == inner && block < s.raw
}

// freeFound is Free for a block of any region.
func (h *Heap) freeFound(p unsafe.Pointer) error {
	s, block, err := h.find(p)
	if err != nil {
		return err
	}
	if poisoning && !s.isFree(block) {
		poison(p, s.blockBytes)
	}
	given := false
	if h.confined {
		h.last = s
		given = s.exchangeFront(uint(block))
	} else {
		given = s.give(uint(block))
	}
	if !given {
		return h.isFreeAlready(p, s)
	}
	return nil
}

func (h *Heap) isFreeAlready(p unsafe.Pointer, s *slab) error {
	return fmt.Errorf("%w: %p, a block of %d bytes of %v, is free already", ErrDoubleFree, p, s.blockBytes, h)
}

func (s *slab) isFree(block int) bool {
	return s.load(block/64)&(1<<(block%64)) != 0 || s.bin.frontBlock == uint(block)+1 && s.bin.front == s
}

// find is the raw block that begins at an address.
func (h *Heap) find(p unsafe.Pointer) (*slab, int, error) {
	r := h.near.Load()
	offset, in := 0, false
	if r != nil {
		offset, in = r.contains(p)
	}
	if !in {
		r, offset = h.pool.regions.of(p)
	}
	if r != nil {
		if s := r.slabs[offset>>h.granuleBits].Load(); s != nil && s.heap == h {
			if block := s.blockAt(offset - s.chunk.offset); block >= 0 && s.generations == nil {
				return s, block, nil
			}
		}
	}
	return nil, 0, h.notFound(p, r, offset)
}

func (h *Heap) notFound(p unsafe.Pointer, r *region, offset int) error {
	if h.closed.Load() {
		return fmt.Errorf("%w: %v; its close freed %p, unless the block is not of it", ErrClosed, h, p)
	}
	if r == nil {
		return fmt.Errorf("%w: %p is not of %v: nothing was freed", ErrForeignFree, p, h)
	}
	r.mu.Lock()
	at, _ := r.state(offset)
	r.mu.Unlock()
	if at == isFree {
		return fmt.Errorf("%w: %p of %v is free already", ErrDoubleFree, p, h)
	}
	if s := r.slabs[offset/h.classes.slabBytes].Load(); s != nil && s.heap == h {
		if s.generations != nil {
			return fmt.Errorf("%w: %p is in a tracked block of %d bytes of %v: free it by its Block", ErrForeignFree, p, s.blockBytes, h)
		}
		return fmt.Errorf("%w: %p begins no block; it is in one of %d bytes of %v: give the pointer that was handed out",
			ErrForeignFree, p, s.blockBytes, h)
	}
	return fmt.Errorf("%w: %p is not of %v: nothing was freed", ErrForeignFree, p, h)
}

// BytesOf returns the usable size of a raw block, in bytes: the requested size or more. It fails as [Heap.Free] does.
func (h *Heap) BytesOf(p unsafe.Pointer) (int, error) {
	s, block, err := h.find(p)
	if err != nil {
		return 0, err
	}
	if s.isFree(block) {
		return 0, fmt.Errorf("%w: %p, a block of %d bytes of %v, is free", ErrUseAfterFree, p, s.blockBytes, h)
	}
	return s.blockBytes, nil
}

// Reallocate changes the size of a raw block and returns its address. The block stays in place if the new size belongs
// to the same size class. Otherwise Reallocate copies as many bytes as fit to a new block, and frees the old one. Bytes
// beyond the old size are arbitrary. After an error the block is unchanged.
func (h *Heap) Reallocate(p unsafe.Pointer, bytes int) (unsafe.Pointer, error) {
	before, err := h.BytesOf(p)
	if err != nil {
		return nil, err
	}
	if bytes > 0 && h.bytesFor(bytes) == before {
		return p, nil
	}
	moved, err := h.AllocateUninitialized(bytes)
	if err != nil {
		return nil, err
	}
	kept := min(before, bytes)
	copy(unsafe.Slice((*byte)(moved), kept), unsafe.Slice((*byte)(p), kept))
	if err := h.Free(p); err != nil {
		return nil, errors.Join(err, h.Free(moved)) // somebody else freed it meanwhile
	}
	return moved, nil
}

// bytesFor is what the block has that is handed out for so many bytes.
func (h *Heap) bytesFor(bytes int) int {
	switch {
	case bytes <= h.classes.most:
		return h.classes.bytes(h.classes.of(bytes))
	case bytes > math.MaxInt-h.classes.slabBytes:
		return -1
	}
	return h.pool.geometry.granules(bytes) * h.pool.geometry.granuleBytes
}
