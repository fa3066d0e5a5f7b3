package handle

import (
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// token is what values refer to: it is unreachable once all that could close one of its slots is. Nothing but
// values, and the owner that hands out its slots, refers to it.
type token struct {
	record *record
	shelf  *shelf // where it goes when it comes back
	next   *token // on the shelf

	// A registration walks the runtime's list of the cleanups of its span. A span holds 128 tokens of 64 bytes; with 341 of
	// 24, an opening with the collector off takes 29 ns and not 25.
	_ [64 - 3*unsafe.Sizeof(uintptr(0))]byte
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
	after *record                          // in the backlog; guarded by its mu
	sites atomic.Pointer[[slabSlots]*site] // of slots, where any was recorded
	taken atomic.Int64                     // by the owner it has, or had last: since began, in nanoseconds
	state atomic.Uint32

	generations [slabSlots]atomic.Uint32
	raws        [slabSlots]atomic.Uintptr
}

// began is a time that others are told from: it takes one reading of a clock, where the time of day takes two.
var began = time.Now()

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

func newSlab(p *anyPool) *token {
	rec := &record{pool: p.slabs}
	rec.state.Store(slabPooled)
	t := &token{record: rec, shelf: &p.shelf}
	p.enlist(rec)
	runtime.AddCleanup(t, (*record).reclaim, rec)
	return t
}

// setOpen makes slot i, which is free, open. Its two stores are plain; atomic ones are locked instructions, and each of
// them costs as much as the rest of an opening. Who reads the two words, and why that is enough:
//
//   - Who closes or uses the value got it from the opener, by whatever passes values between goroutines, which orders these
//     stores before.
//   - Who closes a stale value compares with an older generation. Generations of a slot only grow, in the one order that all
//     agree on for a word, and a compare-and-set is of the last in it: it fails, whatever it finds.
//   - Who asks whether the slab is idle did so after it saw the slab retired, which the owner stored, atomically, later.
//   - The net looks when the token is unreachable. [Value] has it, so its last use on the owner's goroutine is later than
//     these stores, and the world was stopped since.
//   - [Stats] may look at any time: of an aligned word a racing load gets a value that was stored, so it counts the opening
//     or not yet. The program that wants exact figures has ordered its openings before its call.
//
// The race detector would find the last, and stale closes. It is told not to look at this function, so that it is the
// same code in every build; the other accesses to the two words are atomic. TestStats_whileOpening and
// TestClose_byTwoAtOnce fail if a reader gets more, or less, than that.
//
//go:norace
func (rec *record) setOpen(i, generation uint32, raw uintptr) {
	*(*uintptr)(unsafe.Pointer(&rec.raws[i])) = raw
	*(*uint32)(unsafe.Pointer(&rec.generations[i])) = generation
}

// free is the slots that an owner may hand out, a bit each. Loading a generation makes visible what its closer did before.
func (rec *record) free() (slots uint32) {
	some := uint32(0)
	for i := slabSlots - 1; i >= 0; i-- {
		g := rec.generations[i].Load()
		slots = slots<<1 | g&1
		some |= g
	}
	slots = ^slots
	if some|1 == wornOut|1 { // only then any of them can be worn out
		slots &^= rec.wornOut()
	}
	return slots
}

func (rec *record) wornOut() (slots uint32) {
	for i := range rec.generations {
		if rec.generations[i].Load() == wornOut {
			slots |= 1 << i
		}
	}
	return slots
}

// comeBack gives a retired slab to the pool once all its slots are free. One with worn out slots does not come back.
// The closer of the last slot and the owner that retires the slab each look at the other's word after they wrote their
// own; the atomics are sequentially consistent, so at least one of them sees both.
func (rec *record) comeBack(t *token) {
	if rec.free() == allFree && rec.state.CompareAndSwap(slabRetired, slabPooled) { // one of those who saw it
		t.shelf.push(t)
	}
}

// reclaim runs when the token is unreachable: every slot that is open was forgotten.
func (rec *record) reclaim() {
	opened, open := rec.counts()
	if open > 0 {
		rec.pool.backlog.addRecord(rec, int(open))
	}
	rec.pool.delist(rec, opened)
}

// recordQueue is records in the order in which they came.
type recordQueue struct{ first, last *record }

func (q *recordQueue) push(rec *record) {
	if q.first == nil {
		q.first = rec
	} else {
		q.last.after = rec
	}
	q.last = rec
}

func (q *recordQueue) pop() *record {
	rec := q.first
	if rec != nil {
		q.first, rec.after = rec.after, nil
	}
	return rec
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
