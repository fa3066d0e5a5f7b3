package memory

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// slab is a chunk that is cut into blocks of one size, or is one block. What is free is known outside of the chunk: nothing
// is written into the memory.
//
// A block is taken by the compare-and-swap that clears its free bit and given back by the one that sets it; so exactly one
// goroutine has it in between, and what the one wrote before it gave the block back, the next to take it sees.
//
// A tracked block has a generation besides, and exists as long as the generation is the one it was handed out with. The
// compare-and-swap that counts it on decides who frees the block, before the free bit is set: the next to take the block
// gets the new generation.
type slab struct {
	heap  *Heap
	bin   *bin
	chunk chunk
	base  unsafe.Pointer

	blockBytes int
	blocks     int
	magic      uint64 // 2^64 / blockBytes, rounded up: a multiplication instead of a division

	free        []atomic.Uint64
	generations []atomic.Uint64 // nil unless tracked

	// hint is the word of free where the last block was found. Any value is right; a good one saves looks.
	hint atomic.Uint32

	// listed: the bin knows of the slab as current or usable. See bin.advance for the order of it and free.
	listed atomic.Bool

	at  int  // its place in bin.slabs; guarded by bin.mu
	out bool // it has left its bin; guarded by bin.mu
}

func newSlab(h *Heap, b *bin, c chunk, blockBytes, blocks int, tracked bool) *slab {
	s := &slab{
		heap: h, bin: b, chunk: c, base: c.pointer(),
		blockBytes: blockBytes, blocks: blocks, magic: ^uint64(0)/uint64(blockBytes) + 1,
		free: make([]atomic.Uint64, (blocks+63)/64),
	}
	for word := range s.free {
		s.free[word].Store(s.full(word))
	}
	if tracked {
		s.generations = make([]atomic.Uint64, blocks)
	}
	return s
}

// full is a word of free with all its blocks in it.
func (s *slab) full(word int) uint64 { return ^uint64(0) >> max(0, (word+1)*64-s.blocks) }

// take hands a block out: its number, or -1 if none is free.
func (s *slab) take() int {
	word := int(s.hint.Load())
	for looked := 0; looked < len(s.free); {
		set := s.free[word].Load()
		if set == 0 {
			looked++
			if word++; word == len(s.free) {
				word = 0
			}
			continue
		}
		if s.free[word].CompareAndSwap(set, set&(set-1)) {
			if looked > 0 {
				s.hint.Store(uint32(word))
			}
			return word*64 + bits.TrailingZeros64(set)
		}
	}
	return -1
}

// give takes a block back; false if it is free already.
func (s *slab) give(block int) bool {
	word, bit := block/64, uint64(1)<<(block%64)
	before := s.free[word].Or(bit)
	if before&bit != 0 {
		return false
	}
	if before == 0 && !s.listed.Load() {
		s.bin.list(s)
	}
	if before|bit == s.full(word) && s.bin.current.Load() != s && s.isEmpty() {
		s.heap.retire(s)
	}
	return true
}

// claim takes all blocks of a slab of which none is out: after that nobody finds one in it.
func (s *slab) claim() bool {
	for s.isEmpty() {
		word := 0
		for word < len(s.free) && s.free[word].CompareAndSwap(s.full(word), 0) {
			word++
		}
		if word == len(s.free) {
			return true
		}
		for word--; word >= 0; word-- {
			s.free[word].Or(s.full(word))
		}
		// Around again: whoever gave the last block back may have looked while these words were taken.
	}
	return false
}

// isEmpty says whether no block is out.
func (s *slab) isEmpty() bool {
	for word := range s.free {
		if s.free[word].Load() != s.full(word) {
			return false
		}
	}
	return true
}

func (s *slab) hasFree() bool {
	for word := range s.free {
		if s.free[word].Load() != 0 {
			return true
		}
	}
	return false
}

// used is how many blocks are out.
func (s *slab) used() int {
	used := s.blocks
	for word := range s.free {
		used -= bits.OnesCount64(s.free[word].Load())
	}
	return used
}

func (s *slab) pointer(block int) unsafe.Pointer { return unsafe.Add(s.base, block*s.blockBytes) }

// blockAt is the number of the block that begins at an offset within the slab, or -1.
func (s *slab) blockAt(offset int) int {
	block := 0
	if s.blocks > 1 {
		high, _ := bits.Mul64(uint64(offset), s.magic)
		block = int(high)
	}
	if block*s.blockBytes != offset || block >= s.blocks {
		return -1
	}
	return block
}

func (s *slab) String() string {
	return fmt.Sprintf("the slab of blocks of %d bytes at %p", s.blockBytes, s.base)
}
