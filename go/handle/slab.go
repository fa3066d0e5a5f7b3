package handle

import (
	"runtime"
	"sync/atomic"
)

// token is what values refer to: it is unreachable once all that could close one of its slots is. Nothing but
// values, and the owner that hands out its slots, refers to it.
type token struct {
	record *record
	shelf  *shelf // where it goes when it comes back
	next   *token // on the shelf
}

// record is a slab's slots, and outlives its token by the cleanup.
//
//	slot i    generation even: free, or being closed; odd: open, and raws[i] is owned
//	          the owner takes an even one: raws[i] = raw, then generation + 1
//	          a closer takes an odd one: reads raws[i] before, then generation + 1 by compare-and-set
//	state     owned ──▶ retired ──▶ pooled ──▶ owned …
//
// A closer touches one word of the slab. Which slots are free again, the owner finds by a look at the 32 generations.
type record struct {
	pool  *slabs
	prev  *record // in the list of all records; guarded by the pool's mu
	next  *record
	sites atomic.Pointer[[slabSlots]*site] // of slots, where any was recorded
	taken atomic.Int64                     // by the owner it has, or had last; Unix nanoseconds
	state atomic.Uint32

	generations [slabSlots]atomic.Uint32
	raws        [slabSlots]atomic.Uintptr
}

const (
	slabOwned uint32 = iota
	slabRetired
	slabPooled
)

// wornOut is the generation of a slot that had all others. It is even, but handed out no more, so that no stale value can
// ever be taken for a new one.
const wornOut = 1<<32 - 2

// allFree is what free answers for a slab without open and worn out slots.
const allFree = 1<<slabSlots - 1

func newSlab(p *Pool) *token {
	rec := &record{pool: p.slabs}
	rec.state.Store(slabPooled)
	t := &token{record: rec, shelf: &p.shelf}
	p.enlist(rec)
	runtime.AddCleanup(t, (*record).reclaim, rec)
	return t
}

// free is the slots that an owner may hand out, a bit each. Loading a generation makes visible what its closer did before.
func (rec *record) free() (slots uint32) {
	for i := range rec.generations {
		g := rec.generations[i].Load()
		free := ^g & 1
		if g == wornOut {
			free = 0
		}
		slots |= free << i
	}
	return slots
}

// isIdle says whether no slot is open.
func (rec *record) isIdle() bool {
	for i := range rec.generations {
		if rec.generations[i].Load()&1 != 0 {
			return false
		}
	}
	return true
}

// comeBack gives a retired slab to the pool once no slot is open. The closer of the last slot and the owner that retires the
// slab each look at the other's word after they wrote their own; the atomics are sequentially consistent, so at
// least one of them sees both.
func (rec *record) comeBack(t *token) {
	if rec.isIdle() && rec.state.CompareAndSwap(slabRetired, slabPooled) { // one of those who saw it
		t.shelf.push(t)
	}
}

// reclaim runs when the token is unreachable: every slot that is open was forgotten.
func (rec *record) reclaim() {
	var found [slabSlots]forgotten
	n := 0
	for i := range rec.generations {
		if rec.generations[i].Load()&1 != 0 {
			found[n] = forgotten{raw: rec.raws[i].Load(), bytes: rec.pool.bytes, site: rec.site(uint32(i))}
			n++
		}
	}
	if n > 0 {
		rec.pool.backlog.add(found[:n]...)
	}
	rec.pool.delist(rec)
}

// counts are the openings of the slab so far, and how many are open.
func (rec *record) counts() (opened, open int64) {
	for i := range rec.generations {
		g := int64(rec.generations[i].Load())
		opened += (g + 1) / 2
		open += g & 1
	}
	return opened, open
}

func (rec *record) site(i uint32) *site {
	if s := rec.sites.Load(); s != nil {
		return s[i]
	}
	return nil
}

// setSite is called by the owner, before it opens the slot: the generation makes it visible.
func (rec *record) setSite(i uint32, s *site) {
	all := rec.sites.Load()
	if all == nil {
		if s == nil {
			return
		}
		all = new([slabSlots]*site)
		rec.sites.Store(all)
	}
	all[i] = s
}
