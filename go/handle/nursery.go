package handle

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"time"
)

// slot is one place in the nursery: whom it holds, who may be closed by now.
type slot = atomic.Pointer[anyHandle]

// cohort is handles that were promoted together, which gives them an age.
type cohort struct {
	before time.Time // none was opened earlier
	open   atomic.Int64
	extra  extra // of those that have none of their own
}

// stripe is one part of the nursery of a type: slots that goroutines with this stack hash take, from a common cursor
// on.
//
//	cursor   the slot that was taken last, or so: where openers look first
//	size     slots that there are, a power of two; only grows
//	segments 64 slots, then 64, 128, 256 … more: a slot keeps its address for ever
//
// A slot is free if nobody is in it, or a handle that is closed: a close changes one word of the handle and leaves the
// slot alone. After lastTurn openings a slot is taken until a promoter has emptied it. It is taken by compare-and-set
// from whom was found in it. So who opens and closes in turn has one slot, and the cursor stays where it is.
//
// How many were opened is counted without a counter: each handle knows which opening of its slot it was, and emptied
// has those of the handles that promoters took out.
//
//	opened = emptied + Σ slots: the turn of the handle in it
type stripe struct {
	cursor atomic.Uint64
	_      [56]byte // openers write the cursor often: what they only read has other cache lines
	size   atomic.Uint64
	mu     sync.Mutex // held while it grows or is promoted

	segments [segmentsAtMost][]slot // the first ones, up to size, never change again
	emptied  int64                  // guarded by mu, as the next
	sampled  atomic.Uint32          // openings at level sample
}

const lastTurn = 1<<16 - 1

const segmentsAtMost = 9 // 64 slots in the first, 16,384 in all

// makeStripe puts a stripe where none was; one of several makers wins, the others take its.
//
//go:noinline
func makeStripe(p *atomic.Pointer[stripe]) *stripe {
	s := &stripe{}
	s.grow()
	p.CompareAndSwap(nil, s)
	return p.Load()
}

// slot is the i-th of the size that the caller has read, which made the segment visible.
func (s *stripe) slot(i uint64) *slot {
	if i < minSlots {
		return &s.segments[0][i]
	}
	k := bits.Len64(i / minSlots)
	return &s.segments[k][i-minSlots<<(k-1)]
}

func (s *stripe) grow() {
	size := s.size.Load()
	if size == 0 {
		s.segments[0] = make([]slot, minSlots)
		s.size.Store(minSlots)
		return
	}
	s.segments[bits.Len64(size/minSlots)] = make([]slot, size)
	s.size.Store(2 * size) // publishes the segment
}

// claim takes a slot for a new handle, which nobody else knows yet: most often that of the last one, which is closed.
func (s *stripe) claim(h *anyHandle, t *anyType) {
	p := s.slot(s.cursor.Load() & (s.size.Load() - 1))
	if old := p.Load(); old != nil && old.word.Load() == closed && old.turn != lastTurn {
		h.turn = old.turn + 1
		if p.CompareAndSwap(old, h) {
			return
		}
	}
	if !s.tryClaim(h) {
		s.claimFull(h, t)
	}
}

// tryClaim takes a slot if one of the next is free.
func (s *stripe) tryClaim(h *anyHandle) bool {
	from := s.cursor.Load() // a hint: openers that race store one of their places
	mask := s.size.Load() - 1
	for i := range uint64(probes) {
		p := s.slot((from + i) & mask)
		old := p.Load()
		h.turn = 1
		if old != nil {
			if old.word.Load() != closed || old.turn == lastTurn {
				continue
			}
			h.turn = old.turn + 1
		}
		if p.CompareAndSwap(old, h) { // publishes the handle to promoters
			if i != 0 {
				s.cursor.Store(from + i)
			}
			return true
		}
	}
	return false
}

// claimFull makes room: the stripe grows, or the opener promotes some of what is in it. So a flood of forgotten handles
// pays for its promotions itself, and no opener pays for many. It takes the slots ahead of the cursor, which are the
// oldest.
func (s *stripe) claimFull(h *anyHandle, t *anyType) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.tryClaim(h) {
		if size := s.size.Load(); size < maxSlots {
			s.grow()
			s.cursor.Store(size) // the first of the new ones
		} else {
			s.promote(t, s.cursor.Load()+promotedAtOnce, size)
		}
	}
}

// rotate promotes the handles that are in the stripe now: a handle stays in its slot, so none is missed if openers come
// in between.
func (s *stripe) rotate(t *anyType) {
	size := s.size.Load()
	end := s.cursor.Load() + 1
	for done := uint64(0); done < size; done += promotedAtOnce {
		s.mu.Lock()
		s.promote(t, end-done, size)
		s.mu.Unlock()
	}
}

// promote registers the handles in some slots before end, of a stripe that had this size, against the order in which
// slots were taken. The caller has the lock.
func (s *stripe) promote(t *anyType, end, size uint64) {
	var c *cohort
	promoted := int64(0)
	for i := range min(promotedAtOnce, size) {
		p := s.slot((end - 1 - i) & (size - 1))
		h := p.Load()
		if h == nil {
			continue
		}
		if c == nil {
			c = t.newCohort()
		}
		if h.promote(c) {
			promoted++
		}
		if p.CompareAndSwap(h, nil) { // unless an opener took it from a closed one, whom the collector shall have too
			s.emptied += int64(h.turn)
		}
	}
	if c != nil {
		c.open.Add(-1) // see newCohort
		t.promoted.Add(promoted)
	}
}

// counts are the openings so far, and the young handles. The caller has the lock.
func (s *stripe) counts() (opened, open int64) {
	opened = s.emptied
	for i := range s.size.Load() {
		h := s.slot(i).Load()
		if h == nil {
			continue
		}
		opened += int64(h.turn)
		if h.word.Load()&(tenured|closed) == 0 && !h.isGone() {
			open++
		}
	}
	return opened, open
}
