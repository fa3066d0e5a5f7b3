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
// In a shared heap, a block is taken by the compare-and-swap that clears its free bit and given back by the one that sets
// it; so exactly one goroutine has it in between, and what the one wrote before it gave the block back, the next to take it
// sees. In a confined heap one goroutine at a time does both, with plain loads and stores.
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
	lastFull   uint64 // the last word of free, with all its blocks in it
	raw        uint64 // as many as blocks, or 0 if they are tracked: one comparison in Heap.Free instead of two
	magic      uint64 // 2^64 / blockBytes, rounded up: a multiplication instead of a division

	// Atomic in a shared heap, plain in a confined one: half of the cost of a block would be two such operations.
	free        []uint64
	generations []uint64 // nil unless tracked
	confined    bool

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
		free: make([]uint64, (blocks+63)/64), lastFull: ^uint64(0) >> (-blocks & 63), confined: h.confined,
	}
	for word := range s.free {
		s.free[word] = s.full(word)
	}
	if !tracked {
		s.raw = uint64(blocks)
	} else {
		s.generations = make([]uint64, blocks)
	}
	return s
}

// full is a word of free with all its blocks in it.
func (s *slab) full(word int) uint64 {
	if word == len(s.free)-1 {
		return s.lastFull
	}
	return ^uint64(0)
}

// load is a word of free.
func (s *slab) load(word int) uint64 { return atomic.LoadUint64(&s.free[word]) } // as cheap as a plain one

// exchange puts another value into a word, if it still has the first.
func (s *slab) exchange(word int, from, to uint64) bool {
	if s.confined {
		s.free[word] = to
		return true
	}
	return atomic.CompareAndSwapUint64(&s.free[word], from, to)
}

// set adds bits to a word: what it was before.
func (s *slab) set(word int, bits uint64) uint64 {
	if s.confined {
		before := s.free[word]
		s.free[word] = before | bits
		return before
	}
	return atomic.OrUint64(&s.free[word], bits)
}

// generation is that of a block.
func (s *slab) generation(block uint32) uint64 { return atomic.LoadUint64(&s.generations[block]) }

// end counts a generation on; false if it is another one already.
func (s *slab) end(block uint32, generation uint64) bool {
	if s.confined {
		if s.generations[block] != generation {
			return false
		}
		s.generations[block]++
		return true
	}
	return atomic.CompareAndSwapUint64(&s.generations[block], generation, generation+1)
}

// takeHinted is take in a confined heap, if the hinted word has a block.
func (s *slab) takeHinted() (block uint, ok bool) {
	word := uint(s.hint.Load())
	set := s.free[word]
	s.free[word] = set & (set - 1)
	return word*64 + uint(bits.TrailingZeros64(set)), set != 0
}

// takeShared is take in a shared heap, if the hinted word has a block and nobody else changes it just then.
func (s *slab) takeShared() (block uint, ok bool) {
	word := uint(s.hint.Load())
	free := &s.free[word]
	set := atomic.LoadUint64(free)
	if set == 0 || !atomic.CompareAndSwapUint64(free, set, set&(set-1)) {
		return 0, false
	}
	return word*64 + uint(bits.TrailingZeros64(set)), true
}

// take hands a block out: its number, or -1 if none is free.
func (s *slab) take() int {
	word := int(s.hint.Load())
	for looked := 0; looked < len(s.free); {
		set := s.load(word)
		if set == 0 {
			looked++
			if word++; word == len(s.free) {
				word = 0
			}
			continue
		}
		if s.exchange(word, set, set&(set-1)) {
			if looked > 0 {
				s.hint.Store(uint32(word))
			}
			return word*64 + bits.TrailingZeros64(set)
		}
	}
	return -1
}

// give takes a block back; false if it is free already.
func (s *slab) give(block uint) bool {
	word, bit := int(block/64), uint64(1)<<(block%64)
	before := s.set(word, bit)
	if before&bit != 0 {
		return false
	}
	// The current slab is listed, and is not retired. If it loses its place after this look, advance sees the bit.
	if s.bin.current.Load() != s {
		s.gave(word, before, before|bit)
	}
	return true
}

// exchangeFront is give in a confined heap: the block in front, if there is one, gets its bit, and this one takes its place, or
// gets its bit, too. Of a block that is in front already, the bit is then set: it is free.
func (s *slab) exchangeFront(block uint) bool {
	b := s.bin
	b.giveFront()
	if !s.goesInFront(block) {
		return s.give(block)
	}
	b.front, b.frontBlock = s, block+1
	return true
}

// goesInFront says whether a block that comes back may be in front, if none is: whether the slab is current, or another block
// of the same word is out. False if the bit of the block is set.
func (s *slab) goesInFront(block uint) bool {
	word, bit := block/64, uint64(1)<<(block%64)
	before := s.free[word]
	return before&bit == 0 && (before|bit != s.full(int(word)) || s.bin.current.Load() == s)
}

// goesBehind says whether a block that comes back gets its bit and nothing else, if another is in front: whether the slab is
// current, or is listed, and two more blocks of the same word are out, one of which may be the one in front. False if the bit
// of the block is set.
func (s *slab) goesBehind(block uint) bool {
	word, bit := block/64, uint64(1)<<(block%64)
	before := s.free[word]
	out := s.full(int(word)) &^ (before | bit)
	return before&bit == 0 && (s.bin.current.Load() == s || before != 0 && out&(out-1) != 0)
}

// gave: a block came back to a slab that is not current.
func (s *slab) gave(word int, before, after uint64) {
	if before == 0 && !s.listed.Load() {
		if late := s.bin.list(s); late != nil {
			s.heap.retire(late)
		}
	}
	if after == s.full(word) && s.isEmpty() {
		s.heap.retire(s)
	}
}

// claim takes all blocks of a slab of which none is out: after that nobody finds one in it.
func (s *slab) claim() bool {
	for s.isEmpty() {
		word := 0
		for word < len(s.free) && s.exchange(word, s.full(word), 0) {
			word++
		}
		if word == len(s.free) {
			return true
		}
		for word--; word >= 0; word-- {
			s.set(word, s.full(word))
		}
		// Around again: whoever gave the last block back may have looked while these words were taken.
	}
	return false
}

// isEmpty says whether no block is out.
func (s *slab) isEmpty() bool {
	for word := range s.free {
		if s.load(word) != s.full(word) {
			return false
		}
	}
	return true
}

func (s *slab) hasFree() bool {
	for word := range s.free {
		if s.load(word) != 0 {
			return true
		}
	}
	return false
}

// used is how many blocks are out.
func (s *slab) used() int {
	used := s.blocks
	for word := range s.free {
		used -= bits.OnesCount64(s.load(word))
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
