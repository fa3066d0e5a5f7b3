package memory

import (
	"errors"
	"fmt"
)

// How a heap comes by slabs, and gives them back.

// fetch gets a slab for a bin, and takes its first block.
func (h *Heap) fetch(b *bin, class, tracked int) (*slab, int, error) {
	if h.closed.Load() {
		return nil, 0, fmt.Errorf("%w: %v hands nothing out", ErrClosed, h)
	}
	c, err := h.takeChunk(h.classes.slabBytes)
	if err != nil {
		if s, block := h.takeAny(class, tracked); s != nil && errors.Is(err, ErrLimit) {
			return s, block, nil
		}
		return nil, 0, err
	}
	size := h.classes.bytes(class)
	s := newSlab(h, b, c, size, h.classes.slabBytes/size, tracked != 0)
	return s, s.take(), h.adopt(b, s)
}

// takeChunk takes granules from the pool. When a limit is against it, a confined heap gives back its slabs without blocks
// first; the pool has looked for those of shared heaps itself.
func (h *Heap) takeChunk(bytes int) (chunk, error) {
	c, err := h.pool.takeLent(h.owner, bytes)
	if err != nil && h.confined && errors.Is(err, ErrLimit) && h.giveEmpty() {
		c, err = h.pool.takeLent(h.owner, bytes)
	}
	if err == nil {
		h.near.Store(c.region)
	}
	return c, err
}

// adopt makes a slab of which a block is out known, or gives its chunk back.
func (h *Heap) adopt(b *bin, s *slab) error {
	s.chunk.region.slabs[s.chunk.offset/h.classes.slabBytes].Store(s)
	h.slabBytes.Add(int64(s.chunk.bytes))
	if b.add(s) {
		if !h.confined && h.pool.decay.time >= 0 {
			h.pool.decay.arm(h.pool) // the free of its last block arms no timer: see bin.age
		}
		return nil
	}
	h.drop(s)
	return fmt.Errorf("%w: %v hands nothing out", ErrClosed, h)
}

// takeAny takes a small block of any stripe: what is free in one is not stranded when no chunk can be had.
func (h *Heap) takeAny(class, tracked int) (*slab, int) {
	for i := class*2 + tracked; i < len(h.bins); i += h.classes.count * 2 {
		b := &h.bins[i]
		for s := b.current.Load(); s != nil || b.advance(nil); s = b.current.Load() {
			if s == nil {
				continue
			}
			if block := s.take(); block >= 0 {
				return s, block
			}
			if !b.advance(s) {
				break
			}
		}
	}
	return nil, 0
}

// retire gives the chunk of a slab back if no block of it is out.
func (h *Heap) retire(s *slab) {
	if s.bin.retire(s) {
		h.drop(s)
		h.pool.freed()
	}
}

func (h *Heap) drop(s *slab) {
	if h.confined {
		h.last = nil // nobody finds a block in s any more
	}
	s.chunk.region.slabs[s.chunk.offset/h.classes.slabBytes].Store(nil)
	h.slabBytes.Add(-int64(s.chunk.bytes))
	h.pool.giveBack(s.chunk)
}

// age gives back slabs without blocks that had none at the last call already, or at once. It says whether some wait for the
// next. Those of a confined heap are its own business.
func (h *Heap) age(atOnce bool) (more bool) {
	if h.confined {
		return false
	}
	for i := range h.bins {
		s, waits := h.bins[i].age(atOnce)
		if s != nil {
			h.drop(s)
		}
		more = more || waits
	}
	return more
}

// giveEmpty gives back all slabs without blocks: whether there were any.
func (h *Heap) giveEmpty() (any bool) {
	for i := range h.bins {
		h.bins[i].giveFront()
		if s, _ := h.bins[i].age(true); s != nil {
			h.drop(s)
			any = true
		}
	}
	return any
}
