package memory

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"
)

const (
	// firstRegionBytes: a pool that stays small pays for maps of so much.
	firstRegionBytes = 64 << 20
	// moreRegionBytes is 1 GiB; with 32 bits, where there is little to reserve, 64 MiB.
	moreRegionBytes = firstRegionBytes << (^uint(0) >> 63 * 4)
	// mostStripes bounds the regions made because others were locked. More would hold memory apart that could be joined.
	mostStripes = 16
)

// regions are those of a pool, by address. One is made when nothing fits into those there are, or when a goroutine finds
// all of them locked and there are fewer than processors.
//
// Any goroutine may use it.
type regions struct {
	geometry   *geometry
	commitment *commitment
	limit      int // bytes of address space

	// list is replaced as a whole, under mu. A region is complete before the list with it is stored, and whoever has a chunk
	// of it took that after the store.
	list atomic.Pointer[[]*region]

	mu       sync.Mutex
	reserved int
	shut     bool // there are no regions any more, and none is made
}

// request is what is asked of a region under its lock.
type request func(*region) (chunk, verdict)

func (rs *regions) all() []*region { return *rs.list.Load() }

// of is the region an address is in, and where; or nil.
func (rs *regions) of(p unsafe.Pointer) (r *region, offset int) {
	all := rs.all()
	if len(all) == 1 { // mostly
		if offset, ok := all[0].contains(p); ok {
			return all[0], offset
		}
		return nil, 0
	}
	i, found := slices.BinarySearchFunc(all, uintptr(p), func(r *region, address uintptr) int {
		switch base := uintptr(r.base); {
		case base+uintptr(r.bytes) <= address:
			return -1
		case base > address:
			return 1
		}
		return 0
	})
	if !found {
		return nil, 0
	}
	offset, _ = all[i].contains(p)
	return all[i], offset
}

// ask asks the regions, beginning with the goroutine's own, those that are not locked first.
func (rs *regions) ask(req request) (chunk, verdict, *Owner) {
	all := rs.all()
	answer, limited := none, (*Owner)(nil)
	first := 0
	if len(all) > 1 {
		first = int(stripe()) % len(all)
	}
	waited := false
	for i := range all {
		r := all[(first+i)%len(all)]
		if !r.mu.TryLock() {
			waited = true
			continue
		}
		c, v, by := r.ask(req)
		if v == taken || v == shut {
			return c, v, nil
		}
		if v == refused {
			answer, limited = v, by
		}
	}
	if !waited {
		return chunk{}, answer, limited
	}
	if len(all) < min(mostStripes, runtime.GOMAXPROCS(0)) {
		rs.grow(1)
	}
	for _, r := range rs.all() {
		r.mu.Lock()
		c, v, by := r.ask(req)
		if v == taken || v == shut {
			return c, v, nil
		}
		if v == refused {
			answer, limited = v, by
		}
	}
	return chunk{}, answer, limited
}

// ask unlocks the region. It looks under the lock that Close takes: what is granted here, Close sees.
func (r *region) ask(req request) (chunk, verdict, *Owner) {
	defer r.mu.Unlock()
	if r.shut {
		return chunk{}, shut, nil
	}
	c, v := req(r)
	return c, v, r.refusedBy
}

// grow makes a region that holds a chunk of so many bytes; false if there may be none.
func (rs *regions) grow(bytes int) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	root := rs.geometry.rootBytes
	if rs.shut || bytes > rs.limit-rs.reserved || bytes > math.MaxInt-root {
		return false
	}
	least := (bytes + root - 1) / root * root
	wanted := moreRegionBytes
	if rs.reserved == 0 {
		wanted = firstRegionBytes
	}
	wanted = min(wanted, rs.commitment.system.largestRegion())
	size := min(max(least, root, wanted), (rs.limit-rs.reserved)/root*root)
	if size < least || size == 0 {
		return false
	}
	base := rs.commitment.system.reserve(size, root)
	for base == nil && size > least {
		size = max(least, size/2/root*root)
		base = rs.commitment.system.reserve(size, root)
	}
	if base == nil {
		return false
	}
	more := append(slices.Clip(rs.all()), newRegion(rs.geometry, rs.commitment, base, size))
	slices.SortFunc(more, func(a, b *region) int {
		if uintptr(a.base) < uintptr(b.base) {
			return -1
		}
		return 1
	})
	rs.reserved += size
	rs.list.Store(&more)
	return true
}

// close gives all address space back, if nothing of it is in use: whether it did. Each region is shut before it is looked
// at, so a request has its memory before the look, or gets none.
func (rs *regions) close() bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, r := range rs.all() {
		if r.locked(r.close) {
			continue
		}
		for _, each := range rs.all() {
			each.locked(each.open)
		}
		return false
	}
	for _, r := range rs.all() {
		rs.commitment.system.release(r.base, r.bytes)
	}
	rs.list.Store(&[]*region{})
	rs.reserved, rs.shut = 0, true
	return true
}

// close shuts the region; false if something of it is in use.
func (r *region) close() bool {
	r.shut = true
	for _, h := range r.holdings {
		if h.granules > 0 {
			return false
		}
	}
	return true
}

func (r *region) open() bool {
	r.shut = false
	return true
}

// stripe is a number that goroutines mostly differ in, and that one goroutine mostly finds again: where its stack lies.
// Nothing but speed depends on it.
func stripe() uintptr {
	var here byte
	const stackBits = 13 // stacks of 8 KiB and more, at first
	return uintptr(uint64(uintptr(unsafe.Pointer(&here))>>stackBits) * 0x9E37_79B9_7F4A_7C15 >> 48)
}
