package handle

import "math/bits"

// anyOwner is an [Owner] without its T.
//
// It keeps up to nine slabs whose slots it hands out. The net finds a value that was forgotten in one of them after the
// owner has moved on to other slabs, was closed, or has become unreachable.
type anyOwner struct {
	pool      *anyPool
	token     *token  // whose slots it hands out; nil at first and once closed
	record    *record // the token's, while free is not 0
	free      uint32  // those of the slots that it may hand out
	addresses bool    // of the pool
	age       int     // refills of this slab
	parked    [parkedSlabs]parkedSlab
	turn      int    // the place in parked to be used next
	noted     bool   // openings in this slab have more to do
	opened    uint32 // for sampling
}

type parkedSlab struct {
	token *token
	age   int
}

func newOwner(p *anyPool) *anyOwner { return &anyOwner{pool: p, addresses: p.addresses} }

func (o *anyOwner) open(raw uintptr) anyValue {
	if o.free == 0 || o.noted || currentDetection() >= DetectSample || raw == 0 && o.addresses {
		return o.openSlowly(raw)
	}
	return o.hand(raw, 0)
}

// openSlowly opens what is more than the next slot.
func (o *anyOwner) openSlowly(raw uintptr) anyValue {
	o.pool.check(raw)
	if o.free == 0 {
		o.refill()
	}
	if !o.noted && currentDetection() < DetectSample {
		return o.hand(raw, 0)
	}
	o.note(o.record, uint32(bits.TrailingZeros32(o.free)))
	return o.hand(raw, notedIndex)
}

// hand opens the next free slot.
func (o *anyOwner) hand(raw uintptr, noted uint32) anyValue {
	i := uint32(bits.TrailingZeros32(o.free)) % slabSlots
	o.free &= o.free - 1
	rec := o.record
	generation := rec.generations[i].Load() + 1
	rec.setOpen(i, generation, raw)
	return anyValue{o.token, i | noted, generation}
}

// note records and accounts an opening, for those who asked.
func (o *anyOwner) note(rec *record, i uint32) {
	var s *site
	o.opened++
	switch currentDetection() {
	case DetectFull:
		s = siteHere(&o.pool.resource)
	case DetectSample:
		if o.opened%sampleInterval == 1 {
			s = siteHere(&o.pool.resource)
		}
	}
	s.opened(o.pool.bytes)
	rec.setSite(i, s)
	if o.pool.bytes != 0 {
		nativeBytes.add(o.pool.bytes)
	}
}

// refill finds free slots: in the slab at hand, in those put aside, in the pool.
func (o *anyOwner) refill() {
	if o.token != nil {
		if o.take() {
			return
		}
		o.park()
	}
	for i := range parkedLooks { // the oldest first, since queues are closed in order
		p := &o.parked[(o.turn+i)%parkedSlabs]
		if p.token == nil || p.token.record.free() == 0 {
			continue
		}
		o.token, o.age = p.token, p.age
		*p = parkedSlab{}
		if o.take() {
			return
		}
	}
	o.token, o.age = o.pool.pop(), 0
	o.take()
}

// take gets the slots that were closed since. A slab of which some stay open, refill after refill, is retired: they may be
// forgotten, and as long as the owner has the slab nobody would know.
func (o *anyOwner) take() bool {
	rec := o.token.record
	free := rec.free()
	if free == 0 {
		return false
	}
	if free == allFree {
		o.age = 0
	} else {
		o.age++
	}
	if o.age > retireAfter {
		o.retire(o.token)
		o.token = nil
		return false
	}
	o.record, o.free = rec, free
	o.noted = o.pool.bytes != 0 || rec.sites.Load() != nil
	return true
}

// park puts the slab at hand aside; the one that was put aside longest ago is retired for it.
func (o *anyOwner) park() {
	if o.token == nil {
		return
	}
	p := &o.parked[o.turn]
	o.turn = (o.turn + 1) % parkedSlabs
	if p.token != nil {
		o.retire(p.token)
	}
	*p = parkedSlab{o.token, o.age}
	o.token = nil
}

// retire lets a slab go: only its values hold it now. It comes back through the pool when all of them are closed.
func (o *anyOwner) retire(t *token) {
	t.record.state.Store(slabRetired)
	t.record.comeBack(t) // the owner's look, after its store
}

// close gives the owner's slabs up, so that the net can find values that were forgotten in them.
func (o *anyOwner) close() {
	if o.token != nil {
		o.retire(o.token)
		o.token, o.free, o.age = nil, 0, 0
	}
	for i := range o.parked {
		if t := o.parked[i].token; t != nil {
			o.retire(t)
		}
		o.parked[i] = parkedSlab{}
	}
}
