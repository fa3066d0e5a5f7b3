package memory

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// line is chunks one after the other that an arena cuts blocks from: it grows at its end as long as the memory behind it is
// free, so a block may lie across the seam of two chunks.
//
//	base              pos               dirtyTo            end
//	 │ blocks          │ anything        │ zeros           │
//
// It belongs to its arena.
type line struct {
	chunk
	base unsafe.Pointer

	pos     int // up to here there are blocks
	dirtyTo int // from here on, or from pos if that is more, there are zeros

	starts bitset // a bit for each 16 bytes: a block begins here, in use or freed
	freed  bitset // the blocks among them that were freed; nil until one is

	counted int // bytes that the region counts as used; guarded by the region's lock
}

func newLine(c chunk) *line {
	l := &line{chunk: c, base: c.pointer(), starts: newBitset(c.bytes / blockBytes)}
	if !c.zero {
		l.dirtyTo = c.bytes
	}
	return l
}

// extend adds a chunk that begins at the end.
func (l *line) extend(c chunk) {
	l.bytes += c.bytes
	if !c.zero {
		l.dirtyTo = l.bytes
	}
	more := newBitset(c.bytes / blockBytes)
	l.starts = append(l.starts, more...)
	if l.freed != nil {
		l.freed = append(l.freed, more...)
	}
}

// lengthAt is what the block has that begins somewhere: up to the next one.
func (l *line) lengthAt(at int) int {
	next := l.starts.lowest(at/blockBytes + 1)
	if next < 0 {
		return l.pos - at
	}
	return next*blockBytes - at
}

// lines is what an arena has of its pool. It does not know the arena, so that it does not keep it from being collected.
type lines struct {
	owner   *Owner
	list    []*line // by address
	filling *line   // the one that blocks are cut from
	taken   int     // bytes
	closed  atomic.Bool
}

// of is the line that an address is in, and where; or nil.
func (ls *lines) of(p unsafe.Pointer) (l *line, at int) {
	i, found := slices.BinarySearchFunc(ls.list, uintptr(p), func(l *line, address uintptr) int {
		switch base := uintptr(l.base); {
		case base+uintptr(l.bytes) <= address:
			return -1
		case base > address:
			return 1
		}
		return 0
	})
	if !found {
		return nil, 0
	}
	return ls.list[i], int(uintptr(p) - uintptr(ls.list[i].base))
}

func (ls *lines) growth() int {
	return min(max(ls.taken, ls.owner.firstGrowth), ls.owner.mostGrowth)
}

// begin takes a line of at least so many bytes.
func (ls *lines) begin(bytes int) error {
	c, err := ls.owner.pool.ask(ls.owner, bytes, func(r *region) (chunk, verdict) {
		h := r.holding(ls.owner)
		return r.takeLine(h, bytes, ls.growth())
	})
	if err != nil {
		return err
	}
	l := newLine(c)
	i, _ := slices.BinarySearchFunc(ls.list, l, func(a, b *line) int {
		if uintptr(a.base) < uintptr(b.base) {
			return -1
		}
		return 1
	})
	ls.list = slices.Insert(ls.list, i, l)
	ls.filling = l
	ls.taken += c.bytes
	return nil
}

// extend takes at least so many bytes behind the line that is being filled; false if they are not to be had.
func (ls *lines) extend(bytes int) bool {
	l := ls.filling
	if bytes > l.region.bytes {
		return false
	}
	l.region.mu.Lock()
	h := l.region.holding(ls.owner)
	l.count(h, l.pos)
	c, v := l.region.extendLine(h, l.offset+l.bytes, bytes, ls.growth())
	l.region.mu.Unlock()
	if v != taken {
		return false
	}
	l.extend(c)
	ls.taken += c.bytes
	return true
}

// count tells the region how much of a line is used. The caller has the region's lock.
func (l *line) count(h *holding, used int) {
	h.usedBytes += used - l.counted
	l.counted = used
}

// giveBack gives everything back, once.
func (ls *lines) giveBack() bool {
	// The exchange picks one, of an arena that is being closed and the collector that finds it forgotten.
	if !ls.closed.CompareAndSwap(false, true) {
		return false
	}
	for _, l := range ls.list {
		poison(l.base, l.bytes)
		l.region.mu.Lock()
		l.count(l.region.holding(ls.owner), 0)
		l.region.putLine(l.offset, l.bytes)
		l.region.mu.Unlock()
	}
	if len(ls.list) > 0 {
		ls.owner.pool.freed()
	}
	return true
}

// forgotten is called by the collector when the arena is gone.
func (ls *lines) forgotten() {
	if ls.giveBack() {
		ls.owner.pool.forgotten.Add(1)
	}
}
