package memory

import (
	"sync/atomic"
	"unsafe"
)

// system is where address space and pages come from. Tests have one that fails when told, and one that fails at the use
// of what was not committed.
type system interface {
	// reserve reserves address space, aligned. Nil if the system refuses.
	reserve(bytes, alignment int) unsafe.Pointer
	// release gives all that one call reserved back.
	release(p unsafe.Pointer, bytes int)
	// commit makes reserved pages usable, as zeros. They come when they are touched. False if the system refuses.
	commit(p unsafe.Pointer, bytes int) bool
	// decommit gives pages back: they must be committed before they are used again. False if the system refuses.
	decommit(p unsafe.Pointer, bytes int) bool
	// discard gives pages back that stay committed: they are zero when touched again. False if the system refuses.
	discard(p unsafe.Pointer, bytes int) bool
	// resident is how many bytes have pages, as the system says.
	resident(p unsafe.Pointer, bytes int) (int, error)
	pageBytes() int
	// largestRegion is the most that should be reserved at a time, if no request needs more.
	largestRegion() int
}

// commitment is how many bytes of a pool may have pages, and have, and the system they come from. Any goroutine may use it.
type commitment struct {
	system system
	limit  int
	root   *Owner // whose limit it is

	// bytes is a sum: additions in any order come to the same, and each sees all before it in the order of the atomics. It
	// is allocated apart, for those who report a pool that was collected.
	bytes *atomic.Int64
}

// commit counts first: what would be too much is not touched.
func (c *commitment) commit(more int) bool {
	if more == 0 || c.bytes.Add(int64(more)) <= int64(c.limit) {
		return true
	}
	c.bytes.Add(-int64(more))
	return false
}

func (c *commitment) uncommit(less int) { c.bytes.Add(-int64(less)) }
