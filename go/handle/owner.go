package handle

import (
	"math/bits"
	"unsafe"
)

// Owner opens values of a pool for one goroutine at a time, without a lock or a shared word. For example, each worker
// or each connection has one. Any goroutine may close its values, and they outlive the owner.
//
// An owner keeps up to nine slabs whose slots it hands out. The net finds a value that was forgotten in one of them
// after the owner has moved on to other slabs, was closed, or has become unreachable.
type Owner struct {
	pool   *Pool
	token  *token  // whose slots it hands out; nil at first and once closed
	record *record // the token's, while free is not 0
	free   uint32  // those of the slots that it may hand out
	raws   rawKind // what the pool's resources are
	age    int     // refills of this slab
	parked [parkedSlabs]parkedSlab
	turn   int    // the place in parked to be used next
	noted  bool   // openings in this slab have more to do
	opened uint32 // for sampling
}

type parkedSlab struct {
	token *token
	age   int
}

// NewOwner makes an owner of the pool. It allocates only the owner; slabs come with the first Open.
func (p *Pool) NewOwner() *Owner {
	return &Owner{pool: p, raws: p.raws}
}

// Open takes ownership of the resource at address, as [Pool.Open] does. Only one goroutine at a time may call it.
func (o *Owner) Open(address unsafe.Pointer) Value {
	return o.open(uintptr(address), addresses)
}

// OpenID is [Owner.Open] for resources that are ids or descriptors.
func (o *Owner) OpenID(id uintptr) Value {
	return o.open(id, ids)
}

func (o *Owner) open(raw uintptr, as rawKind) Value {
	if o.free == 0 || o.noted || CurrentDetection() >= DetectSample || as != o.raws || raw == 0 && as == addresses {
		return o.openSlowly(raw, as)
	}
	return o.hand(raw, 0)
}

// openSlowly opens what is more than the next slot.
func (o *Owner) openSlowly(raw uintptr, as rawKind) Value {
	o.pool.check(raw, as)
	if o.free == 0 {
		o.refill()
	}
	if !o.noted && CurrentDetection() < DetectSample {
		return o.hand(raw, 0)
	}
	o.note(o.record, uint32(bits.TrailingZeros32(o.free)))
	return o.hand(raw, notedIndex)
}

// hand opens the next free slot.
func (o *Owner) hand(raw uintptr, noted uint32) Value {
	i := uint32(bits.TrailingZeros32(o.free)) % slabSlots
	o.free &= o.free - 1
	rec := o.record
	generation := rec.generations[i].Load() + 1
	rec.setOpen(i, generation, raw)
	return Value{o.token, i | noted, generation}
}

// note records and accounts an opening, for those who asked.
func (o *Owner) note(rec *record, i uint32) {
	var s *site
	o.opened++
	switch CurrentDetection() {
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
func (o *Owner) refill() {
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
func (o *Owner) take() bool {
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
func (o *Owner) park() {
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
func (o *Owner) retire(t *token) {
	t.record.state.Store(slabRetired)
	t.record.comeBack(t) // the owner's look, after its store
}

// Close gives the owner's slabs up, so that the net can find values that were forgotten in them. Open values stay open.
// The owner can be used again. Close always returns nil.
func (o *Owner) Close() error {
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
	return nil
}
