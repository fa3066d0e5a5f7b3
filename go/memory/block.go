package memory

import (
	"fmt"
	"unsafe"
)

// Block is a tracked block of a heap: it knows whether it was freed. It is a value; copies are the same block, and the first
// of them to be freed ends all. The zero Block is none.
//
// A block of a shared heap may be freed by any goroutine, one of a confined heap by who uses the heap. That it is not freed
// by another one while it is used is the program's business: the check is made when the memory is asked for, not while it
// is read.
type Block struct {
	slab       *slab
	generation uint64
	index      uint32
	bytes      int
}

// AllocateBlock takes a tracked block of so many bytes, aligned to 16, with anything in it. It fails with [ErrSize] if bytes
// is not positive, with a [*LimitError], or with [ErrClosed].
func (h *Heap) AllocateBlock(bytes int) (Block, error) {
	if uint(bytes-1) < uint(h.classes.most) {
		class := h.classes.of(bytes)
		if s := h.hinted(2*class + 1); s != nil {
			if block, ok := s.takeHinted(); ok {
				return Block{s, s.generations[block], uint32(block), bytes}, nil
			}
		}
		s, block, err := h.take(class, 1)
		if err != nil {
			return Block{}, err
		}
		// Whoever freed it counted the generation on before it set the free bit, which take saw.
		return Block{s, s.generation(uint32(block)), uint32(block), bytes}, nil
	}
	s, err := h.takeLarge(bytes, true)
	if err != nil {
		return Block{}, err
	}
	return Block{s, s.generation(0), 0, bytes}, nil
}

// Len is how many bytes were asked for.
func (b Block) Len() int { return b.bytes }

// IsLive says whether it was not freed yet.
func (b Block) IsLive() bool {
	return b.slab != nil && b.slab.generation(b.index) == b.generation
}

// Bytes is its memory, off the Go heap: a view that must not be used after the block is freed. It fails with
// [ErrUseAfterFree] if that was before.
func (b Block) Bytes() ([]byte, error) {
	if !b.IsLive() {
		return nil, b.stale(ErrUseAfterFree)
	}
	return unsafe.Slice((*byte)(b.slab.pointer(int(b.index))), b.bytes), nil
}

// Pointer is where it lies. It fails as [Block.Bytes] does.
func (b Block) Pointer() (unsafe.Pointer, error) {
	if b.IsLive() {
		return b.slab.pointer(int(b.index)), nil
	}
	return nil, b.stale(ErrUseAfterFree)
}

// Free frees it. It fails with [ErrDoubleFree] if it, or a copy, was freed before, whoever has its memory now; and changes
// nothing then.
func (b Block) Free() error {
	// The exchange picks one of those that free it at once.
	if b.slab == nil || !b.slab.end(b.index, b.generation) {
		return b.stale(ErrDoubleFree)
	}
	if poisoning {
		poison(b.slab.pointer(int(b.index)), b.slab.blockBytes)
	}
	b.slab.give(uint(b.index)) // true: its bit is set by nobody else
	return nil
}

func (b Block) stale(what error) error {
	if b.slab == nil {
		return fmt.Errorf("%w: the zero Block was never handed out", what)
	}
	return fmt.Errorf("%w: block %d at %p, %d bytes of %v, was freed: its generation was %d, and is %d now", what,
		b.index, b.slab.pointer(int(b.index)), b.bytes, b.slab.heap, b.generation, b.slab.generation(b.index))
}

// String names it.
func (b Block) String() string {
	if b.slab == nil {
		return "no block"
	}
	return fmt.Sprintf("block %d at %p, %d bytes, generation %d", b.index, b.slab.pointer(int(b.index)), b.bytes, b.generation)
}
