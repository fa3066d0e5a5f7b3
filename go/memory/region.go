package memory

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// kind is what a granule is.
type kind uint8

const (
	free  kind = iota // part of a free chunk of the tree; its pages may still be there
	small             // the home of one owner's chunks below a granule
	large             // the first of a chunk of one granule or more
	rest              // another one of it
)

// verdict is what a region answers to a request.
type verdict uint8

const (
	taken   verdict = iota
	none            // nothing is free that fits
	refused         // a limit stands against it; refusedBy says whose
	shut            // the pool is closed, or is about to be
)

// chunk is a piece of a region that was handed out.
type chunk struct {
	region *region
	offset int
	bytes  int
	zero   bool // every byte of it is zero
}

func (c chunk) pointer() unsafe.Pointer { return unsafe.Add(c.region.base, c.offset) }

// region is reserved address space, cut into chunks; the package comment draws it.
//
//	for each granule, a bit a leaf     use    handed out
//	                                   start  a chunk begins here; large: the granules of the chunk
//	                                   lent   that chunk is an arena's or a heap's: only they give it back
//	                                   dirty  handed out since its page was last given back
//
// A chunk is cut out of the tightest free one that holds it, the rest stays free as the largest chunks it can be; a
// returned one is one with its free neighbours at once: below a granule because free leaves are nothing but unset bits,
// above in the tree. A free leaf that is not dirty is zero. Nothing is written into the memory itself.
//
// Committed are the granules with a dirty leaf. A free one keeps its pages for a while (idle, then aged), then discardAged
// gives them back.
//
// The caller holds mu for everything but mu, base, bytes, contains and slabs.
type region struct {
	mu    sync.Mutex
	base  unsafe.Pointer
	bytes int

	geometry   *geometry
	commitment *commitment
	tree       *granuleTree

	use, start, lent, dirty []leaves
	kind                    []kind
	home                    []int32 // the id of the holding
	queued                  []uint8 // in which heaps of its holding a granule is
	idle, aged              bitset  // free with pages: since the last look, and before it

	// slabs finds the slab of a heap by the granule of a block. A slab is stored before its first block is handed out and
	// removed after the last came back: whoever has a block got it from a load that came after the store.
	slabs []atomic.Pointer[slab]

	holdings          []*holding
	committedGranules int
	refusedBy         *Owner

	// shut: nothing is taken here any more. Close sets it before it looks for what was taken.
	shut bool
}

func newRegion(g *geometry, c *commitment, base unsafe.Pointer, bytes int) *region {
	granules := bytes / g.granuleBytes
	r := &region{
		base: base, bytes: bytes, geometry: g, commitment: c,
		tree:  newGranuleTree(g.granuleLevel, granules/g.rootGranules),
		use:   make([]leaves, granules),
		start: make([]leaves, granules),
		lent:  make([]leaves, granules),
		dirty: make([]leaves, granules),
		kind:  make([]kind, granules),
		home:  make([]int32, granules), queued: make([]uint8, granules),
		idle: newBitset(granules), aged: newBitset(granules),
		slabs: make([]atomic.Pointer[slab], granules),
	}
	r.tree.put(0, granules)
	return r
}

// contains says whether an address is within; the offset is right only if so.
func (r *region) contains(p unsafe.Pointer) (offset int, ok bool) {
	offset = int(uintptr(p) - uintptr(r.base))
	return offset, uint(offset) < uint(r.bytes)
}

// holding is what an owner holds here.
func (r *region) holding(o *Owner) *holding {
	if known := o.holding(r); known != nil {
		return known
	}
	h := &holding{owner: o, region: r, id: int32(len(r.holdings) + 1)}
	r.holdings = append(r.holdings, h)
	o.addHolding(h)
	return h
}

// take takes a chunk of a level.
func (r *region) take(h *holding, level int) (chunk, verdict) {
	if j := r.geometry.leafLevel - level; j < leafSizes {
		return r.takeSmall(h, j)
	}
	granule := r.find(h.owner, level)
	if granule < 0 {
		return chunk{}, none
	}
	r.tree.take(granule, level)
	return r.own(h, granule, 1<<(r.geometry.granuleLevel-level))
}

// takeGranules takes granules, at most a root of them, and gives the tail of what they are cut from back.
func (r *region) takeGranules(h *holding, count int) (chunk, verdict) {
	level := r.geometry.level(count * r.geometry.granuleBytes)
	first := r.find(h.owner, level)
	if first < 0 {
		return chunk{}, none
	}
	r.tree.take(first, level)
	r.tree.put(first+count, 1<<(r.geometry.granuleLevel-level)-count)
	return r.own(h, first, count)
}

// takeRun takes whole roots in a row for more bytes than a root has, and gives the tail back.
func (r *region) takeRun(h *holding, bytes int) (chunk, verdict) {
	if bytes > r.bytes {
		return chunk{}, none
	}
	count := r.geometry.granules(bytes)
	roots := (count + r.geometry.rootGranules - 1) / r.geometry.rootGranules
	first := r.tree.takeRoots(roots)
	if first < 0 {
		return chunk{}, none
	}
	r.tree.put(first+count, roots*r.geometry.rootGranules-count)
	return r.own(h, first, count)
}

func (r *region) takeSmall(h *holding, j int) (chunk, verdict) {
	for k := j; k < leafSizes; k++ {
		if granule := r.lowestWith(h, k); granule >= 0 {
			return r.cut(h, granule, r.use[granule].lowest(k), j), taken
		}
	}
	granule := r.find(h.owner, r.geometry.granuleLevel)
	if granule < 0 {
		return chunk{}, none
	}
	r.tree.take(granule, r.geometry.granuleLevel)
	if !r.settle(h, granule) {
		return chunk{}, refused
	}
	return r.cut(h, granule, 0, j), taken
}

// find is the granule to cut a chunk from, or -1. Short-lived owners fill from below, long-lived ones from above: they do
// not mix.
func (r *region) find(o *Owner, level int) int {
	if o.lifetime == Long {
		return r.tree.highest(level)
	}
	return r.tree.lowest(level)
}

// lowestWith is the lowest home granule with a free chunk of exactly 2^j leaves, or -1.
func (r *region) lowestWith(h *holding, j int) int {
	heap := &h.granulesWith[j]
	for {
		granule, ok := heap.lowest()
		if !ok {
			return -1
		}
		ours := r.home[granule] == h.id
		if ours && r.kind[granule] == small && r.use[granule].sizesFree()>>j&1 != 0 {
			return granule
		}
		heap.removeLowest()
		if ours {
			r.queued[granule] &^= 1 << j
		}
	}
}

// settle makes a granule that was taken out of the tree the home of a holding, if no limit stands against it.
func (r *region) settle(h *holding, granule int) bool {
	if !r.acquire(h, granule, 1) {
		return false
	}
	r.kind[granule] = small
	return true
}

// cut hands 2^j leaves of a home granule out.
func (r *region) cut(h *holding, granule, at, j int) chunk {
	mask := run(at, 1<<j)
	zero := r.dirty[granule]&mask == 0
	r.use[granule] |= mask
	r.dirty[granule] |= mask
	r.start[granule] |= 1 << at
	h.chunks++
	h.handedOutBytes += 1 << (j + r.geometry.leafShift)
	r.queue(h, granule)
	return chunk{r, r.offset(granule, at), 1 << (j + r.geometry.leafShift), zero}
}

// queue puts a granule into the heaps of the sizes that it has free.
func (r *region) queue(h *holding, granule int) {
	sizes := r.use[granule].sizesFree() &^ r.queued[granule]
	r.queued[granule] |= sizes
	for j := 0; sizes != 0; j, sizes = j+1, sizes>>1 {
		if sizes&1 != 0 {
			h.granulesWith[j].add(granule)
		}
	}
}

// own hands granules that were taken out of the tree out as one chunk.
func (r *region) own(h *holding, granule, count int) (chunk, verdict) {
	if !r.acquire(h, granule, count) {
		return chunk{}, refused
	}
	zero := true
	for g := granule; g < granule+count; g++ {
		r.kind[g] = rest
		r.use[g] = ^leaves(0)
		zero = zero && r.dirty[g] == 0
		r.dirty[g] = ^leaves(0)
	}
	r.kind[granule] = large
	r.start[granule] = leaves(count)
	h.chunks++
	h.handedOutBytes += count * r.geometry.granuleBytes
	return chunk{r, r.offset(granule, 0), count * r.geometry.granuleBytes, zero}, taken
}

// noMemory is in the place of an owner with a limit if the system itself refuses pages.
var noMemory = &Owner{}

// acquire charges and commits granules that were taken out of the tree, or puts them back.
func (r *region) acquire(h *holding, granule, count int) bool {
	charged := count * r.geometry.granuleBytes
	fresh := 0
	for g := granule; g < granule+count; g++ {
		if r.dirty[g] == 0 {
			fresh++
		}
	}
	limited := h.owner.charge(charged)
	if limited == nil && !r.commitment.commit(fresh*r.geometry.granuleBytes) {
		h.owner.discharge(charged)
		limited = r.commitment.root
	}
	if limited == nil && fresh > 0 && !r.commitment.system.commit(unsafe.Add(r.base, r.offset(granule, 0)), charged) {
		r.commitment.uncommit(fresh * r.geometry.granuleBytes)
		h.owner.discharge(charged)
		limited = noMemory
	}
	if limited != nil {
		r.refusedBy = limited
		r.tree.put(granule, count)
		return false
	}
	r.committedGranules += fresh
	h.granules += count
	for g := granule; g < granule+count; g++ {
		r.home[g] = h.id
		r.idle.clear(g)
		r.aged.clear(g)
	}
	return true
}

// lend marks a chunk as an arena's or a heap's, so that [Pool.FreeChunk] refuses it.
func (r *region) lend(offset int) {
	granule, at := r.place(offset)
	r.lent[granule] |= 1 << at
}

// put gives back the chunk that begins at an offset.
func (r *region) put(offset int) {
	granule, at := r.place(offset)
	if r.kind[granule] == large {
		r.putLarge(granule)
	} else {
		r.putLeaves(granule, at, r.use[granule].length(r.start[granule], at))
	}
}

func (r *region) putLeaves(granule, at, count int) {
	mask := run(at, count)
	h := r.holdings[r.home[granule]-1]
	h.chunks -= bits.OnesCount64(uint64(r.start[granule] & mask))
	r.use[granule] &^= mask
	r.start[granule] &^= mask
	r.lent[granule] &^= mask
	h.handedOutBytes -= count << r.geometry.leafShift
	if r.use[granule] == 0 {
		r.release(h, granule, 1)
	} else {
		r.queue(h, granule)
	}
}

// putLarge says how many granules it gave back.
func (r *region) putLarge(granule int) int {
	count := int(r.start[granule])
	h := r.holdings[r.home[granule]-1]
	clear(r.use[granule : granule+count])
	r.start[granule] = 0
	r.lent[granule] = 0
	h.chunks--
	h.handedOutBytes -= count * r.geometry.granuleBytes
	r.release(h, granule, count)
	return count
}

func (r *region) release(h *holding, granule, count int) {
	for g := granule; g < granule+count; g++ {
		r.kind[g] = free
		r.home[g] = 0
		r.queued[g] = 0
		r.idle.set(g)
	}
	h.granules -= count
	h.owner.discharge(count * r.geometry.granuleBytes)
	r.tree.put(granule, count)
}

// state is what is at an offset, for whoever gives a chunk back.
type state uint8

const (
	isChunk    state = iota // a chunk begins here
	isLent                  // a chunk of an arena or a heap
	isFree                  // nobody has it
	isInterior              // in a chunk, not at its beginning
)

func (r *region) state(offset int) (s state, bytes int) {
	granule, at := r.place(offset)
	bit := leaves(1) << at
	switch {
	case r.use[granule]&bit == 0:
		return isFree, 0
	case offset&(r.geometry.leafBytes-1) != 0, r.kind[granule] == rest, r.kind[granule] == large && at != 0,
		r.kind[granule] == small && r.start[granule]&bit == 0:
		return isInterior, 0
	case r.lent[granule]&bit != 0:
		return isLent, 0
	case r.kind[granule] == large:
		return isChunk, int(r.start[granule]) * r.geometry.granuleBytes
	}
	return isChunk, r.use[granule].length(r.start[granule], at) << r.geometry.leafShift
}

// place is the granule of an offset, and the leaf within.
func (r *region) place(offset int) (granule, at int) {
	leaf := offset >> r.geometry.leafShift
	return leaf / granuleLeaves, leaf % granuleLeaves
}

func (r *region) offset(granule, at int) int {
	return granule*r.geometry.granuleBytes + at<<r.geometry.leafShift
}
