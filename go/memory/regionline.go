package memory

// Lines: chunks one after the other, for arenas that grow along the address line.

// takeLine takes a line of at least so many bytes.
func (r *region) takeLine(h *holding, atLeast, growth int) (chunk, verdict) {
	g := r.geometry
	if atLeast > g.rootBytes {
		c, v := r.takeRun(h, atLeast)
		if v == taken {
			r.lend(c.offset)
		}
		return c, v
	}
	need := g.leaves(atLeast)
	want := max(ceilingPowerOfTwo(need), g.leaves(min(growth, g.rootBytes)))
	offset := r.begin(h, need, want)
	if offset < 0 {
		return chunk{}, none
	}
	return r.extendBy(h, offset, need, want)
}

// extendLine takes what is behind a line: at least so many bytes, or nothing.
func (r *region) extendLine(h *holding, end, atLeast, growth int) (chunk, verdict) {
	return r.extendBy(h, end, r.geometry.leaves(atLeast), r.geometry.leaves(growth))
}

// extendBy takes at least need leaves from an offset on, want at a time, or none at all.
func (r *region) extendBy(h *holding, offset, need, want int) (chunk, verdict) {
	all := chunk{region: r, offset: offset, zero: true}
	for all.bytes < need<<r.geometry.leafShift {
		left := need - all.bytes>>r.geometry.leafShift
		more, v := r.extend(h, offset+all.bytes, max(want, left))
		if v != taken {
			r.putLine(offset, all.bytes)
			return chunk{}, v
		}
		r.lend(more.offset)
		all.bytes += more.bytes
		all.zero = all.zero && more.zero
	}
	return all, taken
}

// extend takes the largest chunk of at most so many leaves that begins at an offset, if it is free and at home, or in a
// free granule.
func (r *region) extend(h *holding, offset, most int) (chunk, verdict) {
	granule, at := r.place(offset)
	if granule >= len(r.kind) {
		return chunk{}, none
	}
	if r.kind[granule] == small && r.home[granule] == h.id {
		fits := min(r.use[granule].freeFrom(at), most)
		if fits == 0 {
			return chunk{}, none
		}
		j := min(leafSizes-1, log2(fits))
		for at&(1<<j-1) != 0 {
			j--
		}
		return r.cut(h, granule, at, j), taken
	}
	if r.kind[granule] != free || at != 0 {
		return chunk{}, none
	}
	return r.extendInto(h, granule, most)
}

// extendInto is extend at the beginning of a free granule.
func (r *region) extendInto(h *holding, granule, most int) (chunk, verdict) {
	if most < granuleLeaves {
		if !r.tree.take(granule, r.geometry.granuleLevel) {
			return chunk{}, none
		}
		if !r.settle(h, granule) {
			return chunk{}, refused
		}
		return r.cut(h, granule, 0, log2(most)), taken
	}
	count := min(r.geometry.rootGranules, 1<<log2(most/granuleLeaves))
	for granule&(count-1) != 0 {
		count /= 2
	}
	for !r.tree.take(granule, r.geometry.granuleLevel-log2(count)) {
		count /= 2
	}
	return r.own(h, granule, count)
}

// begin is where a line of at least need leaves should begin: the low end of the free run around the lowest chunk of want
// leaves, a power of two and not less; or of a shorter run that is long enough. An offset to extend from, or -1.
func (r *region) begin(h *holding, need, want int) int {
	j := log2(want)
	for k := j; k < leafSizes; k++ {
		if granule := r.lowestWith(h, k); granule >= 0 {
			return r.lowEnd(h, granule, r.use[granule].lowest(k))
		}
	}
	level := min(r.geometry.granuleLevel, max(0, r.geometry.leafLevel-j))
	if granule := r.find(h.owner, level); granule >= 0 {
		return r.lowEnd(h, granule, 0)
	}
	return r.lowestRun(h, need)
}

// lowEnd follows free leaves down from one, into the home granule before at most.
func (r *region) lowEnd(h *holding, granule, at int) int {
	low := at - r.use[granule].freeBefore(at)
	before := granule - 1
	if low == 0 && before >= 0 && r.kind[before] == small && r.home[before] == h.id {
		return r.offset(granule, 0) - r.use[before].freeBefore(granuleLeaves)<<r.geometry.leafShift
	}
	return r.offset(granule, low)
}

// lowestRun is the lowest run of free leaves at home or in free granules, or -1. It looks at all granules.
func (r *region) lowestRun(h *holding, need int) int {
	length := 0
	for granule := range r.kind {
		switch {
		case r.kind[granule] == free:
			length += granuleLeaves
		case r.kind[granule] != small || r.home[granule] != h.id:
			length = 0
		default:
			for at := 0; at < granuleLeaves && length < need; at++ {
				if r.use[granule]&(1<<at) != 0 {
					length = 0
				} else if length++; length == need {
					return r.offset(granule, at+1) - need<<r.geometry.leafShift
				}
			}
		}
		if length >= need {
			return r.offset(granule+1, 0) - length<<r.geometry.leafShift
		}
	}
	return -1
}

// putLine gives back the chunks that make up a line.
func (r *region) putLine(offset, bytes int) {
	for end := offset + bytes; offset < end; {
		granule, at := r.place(offset)
		if r.kind[granule] == large {
			offset += r.putLarge(granule) * r.geometry.granuleBytes
			continue
		}
		count := min(granuleLeaves-at, (end-offset)>>r.geometry.leafShift)
		r.putLeaves(granule, at, count)
		offset += count << r.geometry.leafShift
	}
}
