package memory

import (
	"sync/atomic"
	"unsafe"
)

// system is where address space and pages come from. Tests have one that fails when told.
type system interface {
	// reserve reserves address space, aligned; pages come at first touch, as zeros. Nil if the system refuses.
	reserve(bytes, alignment int) unsafe.Pointer
	// release gives reserved address space back.
	release(p unsafe.Pointer, bytes int)
	// discard gives pages back: they are zero when touched again. False if the system refuses.
	discard(p unsafe.Pointer, bytes int) bool
	// resident is how many bytes have pages, as the system says.
	resident(p unsafe.Pointer, bytes int) (int, error)
	pageBytes() int
}

// commitment is how many bytes of a pool may have pages, and have, and the system they come from. Any goroutine may use it.
type commitment struct {
	system system
	limit  int
	root   *Owner // whose limit it is

	// bytes is a sum: additions in any order come to the same, and each sees all before it in the order of the atomics.
	bytes atomic.Int64
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
