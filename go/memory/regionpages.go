package memory

import (
	"math/bits"
	"unsafe"
)

// Pages back to the system.

// mostDiscarded bounds, in granules, what one call of the system gives back, while the region is locked.
const mostDiscarded = 64

// age makes what is free from now on aged at the next look. It says whether there is something to give back.
func (r *region) age() bool {
	any := uint64(0)
	for i := range r.idle {
		r.aged[i] |= r.idle[i]
		r.idle[i] = 0
		any |= r.aged[i]
	}
	return any != 0
}

// hasIdle says whether free granules keep pages.
func (r *region) hasIdle() bool { return r.idle.lowest(0) >= 0 || r.aged.lowest(0) >= 0 }

// discardAged gives pages of free granules back that were free before the last look, some in one call. It says whether it
// found any.
func (r *region) discardAged() bool {
	first := r.aged.lowest(0)
	if first < 0 {
		return false
	}
	count := 0
	for count < mostDiscarded && first+count < len(r.kind) && r.aged.has(first+count) {
		r.aged.clear(first + count)
		count++
	}
	bytes := count * r.geometry.granuleBytes
	if r.commitment.system.decommit(unsafe.Add(r.base, r.offset(first, 0)), bytes) {
		clear(r.dirty[first : first+count])
		r.committedGranules -= count
		r.commitment.uncommit(bytes)
		return true
	}
	for g := first; g < first+count; g++ {
		r.idle.set(g) // asked again at the next look
	}
	return true
}

// trim gives back the pages, from a granule on, that no used leaf lies on: the next granule, or -1 at the end.
func (r *region) trim(from int) int {
	end := min(len(r.kind), from+mostDiscarded)
	for granule := from; granule < end; granule++ {
		if r.kind[granule] == small {
			r.trimGranule(granule)
		}
	}
	if end == len(r.kind) {
		return -1
	}
	return end
}

func (r *region) trimGranule(granule int) {
	perPage := max(1, r.commitment.system.pageBytes()>>r.geometry.leafShift)
	if perPage > granuleLeaves {
		return
	}
	spare := r.use[granule].pagesWithout(perPage) &^ r.dirty[granule].pagesWithout(perPage)
	for spare != 0 {
		at := bits.TrailingZeros64(uint64(spare))
		count := min(64-at, bits.TrailingZeros64(uint64(^(spare >> at))))
		mask := run(at, count)
		spare &^= mask
		if r.commitment.system.discard(unsafe.Add(r.base, r.offset(granule, at)), count<<r.geometry.leafShift) {
			r.dirty[granule] &^= mask
		}
	}
}

// pagesWithout has the leaves on pages that have no bit set.
func (set leaves) pagesWithout(perPage int) leaves {
	pages := leaves(0)
	for at := 0; at < granuleLeaves; at += perPage {
		if page := run(at, perPage); set&page == 0 {
			pages |= page
		}
	}
	return pages
}
