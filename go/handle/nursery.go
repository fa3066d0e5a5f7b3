package handle

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"time"
)

// slot is one place in the nursery: whom it holds, who may be closed by now.
type slot = atomic.Pointer[Handle]

// cohort is the handles promoted by one rotation of a type, which gives them an age.
type cohort struct {
	before time.Time // none was opened earlier
	open   atomic.Int64
}

// stripe is one part of the nursery of a type: slots that goroutines with this stack hash take by a common cursor.
//
//	cursor   openings so far: each opener adds one, then looks at the slots from there on
//	size     slots that there are, a power of two; only grows
//	segments 64 slots, then 64, 128, 256 … more: a slot keeps its address for ever
//
// A slot is free if nobody is in it, or a handle that is closed: a close changes one word of the handle and leaves the
// slot alone. It is taken by compare-and-set from whom was found in it.
type stripe struct {
	cursor atomic.Uint64
	_      [56]byte // openers write the cursor all the time: what they only read has other cache lines
	size   atomic.Uint64
	mu     sync.Mutex // held while it grows or is promoted

	segments [segmentsAtMost][]slot // the first ones, up to size, never change again
}

const segmentsAtMost = 9 // 64 slots in the first, 16,384 in all

func newStripe() *stripe {
	s := &stripe{}
	s.grow()
	return s
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

// claim takes a slot for a new handle, which nobody else knows yet.
func (s *stripe) claim(h *Handle, t *Type) (opening uint64) {
	opening = s.cursor.Add(1) - 1 // gives each opener its own start; ordering is the slot's affair
	if !s.tryClaim(h, opening) {
		s.claimFull(h, opening, t)
	}
	return opening
}

func (s *stripe) tryClaim(h *Handle, from uint64) bool {
	mask := s.size.Load() - 1
	for i := range uint64(probes) {
		p := s.slot((from + i) & mask)
		old := p.Load()
		if (old == nil || old.state.Load() == closed) && p.CompareAndSwap(old, h) { // publishes the handle to promoters
			return true
		}
	}
	return false
}

// claimFull makes room: the stripe grows, or the opener promotes what is in it. So a flood of forgotten handles pays for
// its promotions itself.
func (s *stripe) claimFull(h *Handle, from uint64, t *Type) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.tryClaim(h, from) {
		if s.size.Load() < maxSlots {
			s.grow()
		} else {
			s.promote(t)
		}
		from = s.cursor.Load() // look from where the others are
	}
}

// promote registers every handle that is in the stripe, against the order in which slots were taken. The caller has the
// lock.
func (s *stripe) promote(t *Type) {
	size := s.size.Load()
	last := s.cursor.Load()
	var c *cohort
	for i := range size {
		p := s.slot((last - 1 - i) & (size - 1))
		h := p.Load()
		if h == nil {
			continue
		}
		if c == nil {
			c = t.newCohort()
		}
		h.promote(c)
		p.CompareAndSwap(h, nil) // unless an opener took it from a closed one, whom the collector shall have too
	}
}

// young counts the young handles in the stripe. The caller has the lock.
func (s *stripe) young() (n int64) {
	for i := range s.size.Load() {
		if h := s.slot(i).Load(); h != nil && h.state.Load() == young && !h.isGone() {
			n++
		}
	}
	return n
}
