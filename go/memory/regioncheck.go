package memory

import (
	"fmt"
	"math/bits"
	"strings"
)

// freeChunks calls with all free chunks, each as large as it can be, by offset.
func (r *region) freeChunks(chunk func(offset, bytes int)) {
	for granule := 0; granule < len(r.kind); {
		if r.kind[granule] == free {
			count := r.tree.freeAt(granule)
			chunk(r.offset(granule, 0), count*r.geometry.granuleBytes)
			granule += count
			continue
		}
		if r.kind[granule] == small {
			r.freeLeaves(granule, chunk)
		}
		granule++
	}
}

func (r *region) freeLeaves(granule int, chunk func(offset, bytes int)) {
	for at := 0; at < granuleLeaves; {
		fits := r.use[granule].freeFrom(at)
		if fits == 0 {
			at++
			continue
		}
		count := 1 << log2(fits)
		for at&(count-1) != 0 {
			count /= 2
		}
		chunk(r.offset(granule, at), count<<r.geometry.leafShift)
		at += count
	}
}

// drawMap writes a character for each granule, a line for each root.
func (r *region) drawMap(b *strings.Builder) {
	for granule, k := range r.kind {
		switch {
		case k == free && r.dirty[granule] == 0:
			b.WriteByte('.')
		case k == free:
			b.WriteByte('o')
		case k == small:
			b.WriteByte(byte('1' + bits.OnesCount64(uint64(r.use[granule]))*8/granuleLeaves))
		case k == large:
			b.WriteByte('[')
		default:
			b.WriteByte('=')
		}
		if (granule+1)%r.geometry.rootGranules == 0 {
			b.WriteByte('\n')
		}
	}
}

// verify says at which granule maps, tree and counts do not agree.
func (r *region) verify() error {
	if err := r.tree.verify(); err != nil {
		return fmt.Errorf("region %p: %w", r.base, err)
	}
	committed := 0
	for granule := range r.kind {
		if r.dirty[granule] != 0 {
			committed++
		}
		if what := r.wrong(granule); what != "" {
			return fmt.Errorf("region %p, granule %d: %s", r.base, granule, what)
		}
	}
	if committed != r.committedGranules {
		return fmt.Errorf("region %p: %d granules committed, counted %d", r.base, committed, r.committedGranules)
	}
	for _, h := range r.holdings {
		if err := r.verifyHolding(h); err != nil {
			return fmt.Errorf("region %p: %w", r.base, err)
		}
	}
	return nil
}

// wrong is what does not hold of a granule, or nothing.
func (r *region) wrong(granule int) string {
	k, use, start := r.kind[granule], r.use[granule], r.start[granule]
	idle := r.idle.has(granule) || r.aged.has(granule)
	switch {
	case k == free && !r.tree.isFree(granule):
		return "free, but not in the tree"
	case k != free && r.tree.isFree(granule):
		return "in use, but free in the tree"
	case k == free && r.home[granule] != 0:
		return "free, but has an owner"
	case k != free && r.home[granule] == 0:
		return "in use, but has no owner"
	case k == free && use|start|r.lent[granule] != 0:
		return "free and in use"
	case use&^r.dirty[granule] != 0:
		return "in use and not dirty"
	case idle && (k != free || r.dirty[granule] == 0):
		return "listed as idle, but in use or without dirty pages"
	case !idle && k == free && r.dirty[granule] != 0:
		return "free with dirty pages, but not listed as idle"
	case k == small:
		return r.wrongSmall(granule)
	case k == large:
		return r.wrongLarge(granule)
	case k == rest && (start|r.lent[granule] != 0 || granule == 0 || r.kind[granule-1] < large):
		return "marked as the rest of a chunk, but no chunk reaches it"
	}
	return ""
}

func (r *region) wrongSmall(granule int) string {
	use, start := r.use[granule], r.start[granule]
	switch {
	case use == 0:
		return "a home without chunks"
	case start&^use != 0:
		return "a chunk begins at a free leaf"
	case r.lent[granule]&^start != 0:
		return "what is lent is no chunk"
	case use.sizesFree()&^r.queued[granule] != 0:
		return "has free chunks that no request finds"
	}
	for at := 0; at < granuleLeaves; {
		bit := leaves(1) << at
		if use&bit == 0 {
			at++
			continue
		}
		if start&bit == 0 {
			return fmt.Sprintf("leaf %d in use by no chunk", at)
		}
		count := use.length(start, at)
		if !isPowerOfTwo(count) || at%count != 0 {
			return fmt.Sprintf("a chunk of %d leaves at leaf %d", count, at)
		}
		at += count
	}
	return ""
}

func (r *region) wrongLarge(granule int) string {
	count := int(r.start[granule])
	end := granule + count
	if count <= 0 || end > len(r.kind) {
		return fmt.Sprintf("a chunk of %d granules", count)
	}
	for g := granule; g < end; g++ {
		if r.use[g] != ^leaves(0) || r.home[g] != r.home[granule] || g > granule && r.kind[g] != rest {
			return fmt.Sprintf("granule %d is no part of it", g)
		}
	}
	if end < len(r.kind) && r.kind[end] == rest {
		return "is shorter than its chunk"
	}
	return ""
}

func (r *region) verifyHolding(h *holding) error {
	granules, chunks, handedOut := 0, 0, 0
	for granule := range r.kind {
		if r.home[granule] == h.id {
			granules++
			handedOut += bits.OnesCount64(uint64(r.use[granule])) << r.geometry.leafShift
		}
		if r.home[granule] == h.id && r.kind[granule] == small {
			chunks += bits.OnesCount64(uint64(r.start[granule]))
		} else if r.home[granule] == h.id && r.kind[granule] == large {
			chunks++
		}
	}
	switch {
	case granules != h.granules:
		return fmt.Errorf("%v holds %d granules, counted %d", h.owner, granules, h.granules)
	case chunks != h.chunks:
		return fmt.Errorf("%v has %d chunks, counted %d", h.owner, chunks, h.chunks)
	case handedOut != h.handedOutBytes:
		return fmt.Errorf("%v was handed out %d bytes, counted %d", h.owner, handedOut, h.handedOutBytes)
	case h.usedBytes < 0 || h.usedBytes > handedOut:
		return fmt.Errorf("%v uses %d of %d bytes", h.owner, h.usedBytes, handedOut)
	}
	return nil
}
