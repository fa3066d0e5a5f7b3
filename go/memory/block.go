package memory

import (
	"fmt"
	"unsafe"
)

// Block is a tracked block of a heap: it knows whether it was freed. It is a value. All copies are the same block:
// freeing one of them frees all. The zero Block is no block.
//
// Any goroutine may free a block of a shared heap; the goroutine that uses a confined heap may free its blocks. The
// program must make sure that no other goroutine frees a block while it is used: the check happens when the memory is
// requested, not while it is read.
type Block struct {
	slab       *slab
	generation uint64
	index      uint32
	bytes      int
}

// AllocateBlock allocates a tracked block of so many bytes, aligned to 16, with arbitrary contents. It fails with
// [ErrSize] if bytes is not positive, with a [*LimitError], or with [ErrClosed].
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

// Len returns how many bytes were requested.
func (b Block) Len() int { return b.bytes }

// IsLive returns whether the block has not been freed.
func (b Block) IsLive() bool {
	return b.slab != nil && b.slab.generation(b.index) == b.generation
}

// Bytes returns a view of the block's memory, outside the Go heap. The view must not be used after the block is freed.
// It fails with [ErrUseAfterFree] if the block was freed.
func (b Block) Bytes() ([]byte, error) {
	if !b.IsLive() {
		return nil, b.stale(ErrUseAfterFree)
	}
	return unsafe.Slice((*byte)(b.slab.pointer(int(b.index))), b.bytes), nil
}

// Pointer returns its address. It fails as [Block.Bytes] does.
func (b Block) Pointer() (unsafe.Pointer, error) {
	if b.IsLive() {
		return b.slab.pointer(int(b.index)), nil
	}
	return nil, b.stale(ErrUseAfterFree)
}

// Free frees the block. It fails with [ErrDoubleFree], and changes nothing, if the block or a copy of it was freed
// before, even if that memory is in use again.
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

// String describes the block.
func (b Block) String() string {
	if b.slab == nil {
		return "no block"
	}
	return fmt.Sprintf("block %d at %p, %d bytes, generation %d", b.index, b.slab.pointer(int(b.index)), b.bytes, b.generation)
}
