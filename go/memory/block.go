package memory

import (
	"fmt"
	"unsafe"
)

// Block is a tracked block of a heap: it knows whether it was freed. It is a value. All copies are the same block:
// freeing one copy frees the block. The zero Block is no block.
//
// Any goroutine may free a block of a shared heap. Only the goroutine that uses a confined heap may free its blocks.
// The program must make sure that no goroutine frees a block while another one uses it: a Block checks when its memory
// is requested, not while the memory is read.
type Block struct {
	slab       *slab
	generation uint64
	index      uint32
	bytes      int
}

// AllocateBlock allocates a tracked block with arbitrary contents, aligned to 16 bytes. It fails with [ErrSize] if
// bytes is not positive, with a [*LimitError], or with [ErrClosed].
func (h *Heap) AllocateBlock(bytes int) (Block, error) {
	if uint(bytes-1) < uint(h.classes.most) {
		class := h.classes.of(bytes)
		if h.confined {
			b := &h.bins[2*class+1]
			if b.frontBlock != 0 {
				s, block := b.takeFront()
				return Block{s, s.generations[block], uint32(block), bytes}, nil
			}
			if s := b.current.Load(); s != nil {
				if block, ok := s.takeHinted(); ok {
					return Block{s, s.generations[block], uint32(block), bytes}, nil
				}
			}
		} else if s := h.bins[h.sharedBin(class)+1].current.Load(); s != nil {
			if block, ok := s.takeShared(); ok {
				return Block{s, s.generation(uint32(block)), uint32(block), bytes}, nil
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

// Len returns the requested size, in bytes.
func (b Block) Len() int { return b.bytes }

// IsLive returns whether the block was allocated and not freed.
func (b Block) IsLive() bool {
	return b.slab != nil && b.slab.generation(b.index) == b.generation
}

// Bytes returns a view of the block's memory, outside the Go heap. The view must not be used after the block is freed.
// Bytes fails with [ErrUseAfterFree] if the block was freed, or is the zero Block.
func (b Block) Bytes() ([]byte, error) {
	if !b.IsLive() {
		return nil, b.stale(ErrUseAfterFree)
	}
	return unsafe.Slice((*byte)(b.slab.pointer(int(b.index))), b.bytes), nil
}

// Pointer returns the address of the block. It fails as [Block.Bytes] does.
func (b Block) Pointer() (unsafe.Pointer, error) {
	if b.IsLive() {
		return b.slab.pointer(int(b.index)), nil
	}
	return nil, b.stale(ErrUseAfterFree)
}

// Free frees the block. If the block or a copy of it was freed before, Free fails with [ErrDoubleFree] and changes
// nothing, even if the memory is in use again.
func (b Block) Free() error {
	// The exchange picks one of those that free it at once.
	if b.slab == nil || !b.slab.end(b.index, b.generation) {
		return b.stale(ErrDoubleFree)
	}
	if poisoning {
		poison(b.slab.pointer(int(b.index)), b.slab.blockBytes)
	}
	s := b.slab
	switch bin := s.bin; {
	case !s.confined:
		s.give(uint(b.index)) // true, as exchangeFront: its bit is set by nobody else
	case bin.frontBlock == 0 && s.goesInFront(uint(b.index)): // as in Heap.Free
		bin.front, bin.frontBlock = s, uint(b.index)+1
	case bin.frontBlock != 0 && s.goesBehind(uint(b.index)):
		s.free[b.index/64] |= 1 << (b.index % 64)
	default:
		s.exchangeFront(uint(b.index))
	}
	return nil
}

func (b Block) stale(what error) error {
	if b.slab == nil {
		return fmt.Errorf("%w: the zero Block was never handed out", what)
	}
	return fmt.Errorf("%w: block %d at %p, %d bytes of %v, was freed: its generation was %d, and is %d now", what,
		b.index, b.slab.pointer(int(b.index)), b.bytes, b.slab.heap, b.generation, b.slab.generation(b.index))
}

// String returns a text with the block's address, size and generation.
func (b Block) String() string {
	if b.slab == nil {
		return "no block"
	}
	return fmt.Sprintf("block %d at %p, %d bytes, generation %d", b.index, b.slab.pointer(int(b.index)), b.bytes, b.generation)
}
