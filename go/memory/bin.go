package memory

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// bin is the slabs of one size that the goroutines of one stripe take blocks from.
//
//	slabs    all of them
//	current  where blocks come from; without a lock
//	usable   others that have free blocks
//	front    in a confined heap: a block that came back, without its free bit. The next request gets it. Until then, all
//	         other blocks that come back get their bits
//
// A slab that is neither is full. The first block that comes back to it lists it as usable. A slab that has no block out
// leaves the bin, and its chunk goes back to the pool; the current one stays, or a block that is taken and freed again and
// again would fetch a chunk each time, until the pool's decay. So the slab of the block in front is current, or another of its
// blocks is out.
type bin struct {
	current atomic.Pointer[slab]

	front      *slab // that of the block in front; the last one's, if there is none
	frontBlock uint  // its number and 1, or 0: there is none

	closed bool     // guarded by mu
	_      [39]byte // whoever locks mu leaves current's cache line to the others

	mu     sync.Mutex // nothing else is locked while it is held
	slabs  []*slab
	usable []*slab
	aged   *slab // current, and empty, at the last turn of the decay
}

// takeFront hands the block in front out. There is one.
func (b *bin) takeFront() (s *slab, block uint) {
	s, block = b.front, b.frontBlock-1
	b.frontBlock = 0
	return s, block
}

// giveFront sets the free bit of the block in front, if there is one.
func (b *bin) giveFront() {
	if b.frontBlock != 0 {
		s, block := b.takeFront()
		s.give(block)
	}
}

// advance puts another slab in the place of one in which nothing is free, or of none. False if there is none.
//
// A slab that loses its place stops being listed first, and is looked through after. Whoever gives a block back sets its
// bit first, and looks whether the slab is listed after. In the one order of all these atomic operations, either the one
// sees the bit or the other that the slab is not listed: so a free block is never in a slab that nobody knows of.
func (b *bin) advance(full *slab) bool {
	b.mu.Lock()
	found := b.current.Load() != full || b.advanceLocked(full)
	b.mu.Unlock()
	return found
}

func (b *bin) advanceLocked(full *slab) bool {
	b.current.Store(nil)
	if full != nil {
		b.unlist(full)
	}
	for len(b.usable) > 0 {
		last := len(b.usable) - 1
		s := b.usable[last]
		b.usable[last] = nil
		b.usable = b.usable[:last]
		if s.hasFree() {
			b.current.Store(s)
			return true
		}
		b.unlist(s)
	}
	return false
}

// unlist forgets a slab, unless a block has come back to it meanwhile: whether one has. The caller has the lock.
func (b *bin) unlist(s *slab) (stays bool) {
	s.listed.Store(false)
	if stays = s.hasFree() && s.listed.CompareAndSwap(false, true); stays {
		b.usable = append(b.usable, s)
	}
	return stays
}

// list makes a slab usable that is neither that nor current; or current, if the current one is full: the next request would
// put it there. It returns what replace does.
func (b *bin) list(s *slab) (late *slab) {
	b.mu.Lock()
	if !s.out && s.listed.CompareAndSwap(false, true) {
		if full := b.current.Load(); full == nil || full.hasFree() {
			b.usable = append(b.usable, s)
		} else {
			late = b.replace(full, s)
		}
	}
	b.mu.Unlock()
	return late
}

// replace puts a slab in the place of a full one. It returns the full one if blocks have come back to it meanwhile: those who
// gave them may have seen it as current, so nobody has retired it. The caller has the lock.
func (b *bin) replace(full, by *slab) (late *slab) {
	b.current.Store(by) // before full is looked through again: see advance
	if b.unlist(full) {
		return full
	}
	return nil
}

// add adds a slab, as the current one if there is none; false if the bin is closed.
func (b *bin) add(s *slab) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	s.at = len(b.slabs)
	b.slabs = append(b.slabs, s)
	s.listed.Store(true)
	if s.blocks == 1 { // a large block, or one a slab: it is out already, and is looked for no more
		return true
	}
	if !b.current.CompareAndSwap(nil, s) {
		b.usable = append(b.usable, s)
	}
	return true
}

// retire takes a slab out of which no block is out; false if one is, or the slab is current or gone.
func (b *bin) retire(s *slab) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s.out || b.current.Load() == s || !s.claim() {
		return false
	}
	b.remove(s)
	return true
}

// remove: the caller has the lock, and all blocks of the slab.
func (b *bin) remove(s *slab) {
	if i := slices.Index(b.usable, s); i >= 0 {
		b.usable = slices.Delete(b.usable, i, i+1)
	}
	last := b.slabs[len(b.slabs)-1]
	last.at = s.at
	b.slabs[s.at] = last
	b.slabs[len(b.slabs)-1] = nil
	b.slabs = b.slabs[:len(b.slabs)-1]
	s.out = true
	s.listed.Store(true) // nobody lists it any more
}

// age takes the current slab out if it was already empty at the last call, or at once. It says whether the decay must look
// again: a slab may become current, and the free of its last block arms no timer.
func (b *bin) age(atOnce bool) (out *slab, more bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.current.Load()
	if s == nil || !s.isEmpty() {
		b.aged = nil
		return nil, len(b.slabs) > 0
	}
	if !atOnce && b.aged != s {
		b.aged = s
		return nil, true
	}
	b.aged = nil
	if !s.claim() {
		return nil, true
	}
	b.current.Store(nil)
	b.remove(s)
	return s, len(b.slabs) > 0
}

// clear takes all slabs out, with the blocks that are out, whose generations end.
func (b *bin) clear(closing bool) []*slab {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = b.closed || closing
	b.current.Store(nil)
	out := slices.Clone(b.slabs)
	for _, s := range out {
		for word := range s.free {
			ended := s.full(word) &^ atomic.SwapUint64(&s.free[word], 0)
			for block := word * 64; ended != 0 && s.generations != nil; block, ended = block+1, ended>>1 {
				atomic.AddUint64(&s.generations[block], ended&1)
			}
		}
		b.remove(s)
	}
	b.aged = nil
	return out
}

// usedBytes is what the blocks have that are out.
func (b *bin) usedBytes() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	bytes := 0
	for _, s := range b.slabs {
		bytes += s.used() * s.blockBytes
	}
	if b.frontBlock != 0 {
		bytes -= b.front.blockBytes
	}
	return bytes
}

// verify says what does not hold while nobody takes or gives blocks.
func (b *bin) verify() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s, block := b.front, int(b.frontBlock)-1; block >= 0 {
		switch {
		case !s.confined || s.bin != b || s.out:
			return fmt.Errorf("%v has a block in front, but is of a shared heap, of another bin, or marked as out", s)
		case s.load(block/64)&(1<<(block%64)) != 0:
			return fmt.Errorf("%v: block %d is in front, and is found by its bit besides", s, block)
		case s.used() == 1 && s != b.current.Load():
			return fmt.Errorf("%v has no block but the one in front, and did not go back to the pool", s)
		}
	}
	for i, s := range b.slabs {
		listed := s == b.current.Load() || slices.Contains(b.usable, s)
		switch {
		case s.at != i || s.bin != b || s.out:
			return fmt.Errorf("%v has another place, another bin, or is marked as out", s)
		case s.hasFree() && !listed:
			return fmt.Errorf("%v has free blocks, but no request finds them", s)
		case s.blocks > 1 && listed != s.listed.Load():
			return fmt.Errorf("%v: the list of usable slabs has it: %t, its mark: %t", s, listed, s.listed.Load())
		case s.isEmpty() && s != b.current.Load():
			return fmt.Errorf("%v is empty, but did not go back to the pool", s)
		case s.chunk.region.slabs[s.chunk.offset/s.heap.classes.slabBytes].Load() != s:
			return fmt.Errorf("%v is not found by its address", s)
		}
		for word := range s.free {
			if s.load(word)&^s.full(word) != 0 {
				return fmt.Errorf("%v has more free blocks than blocks", s)
			}
		}
	}
	return nil
}
