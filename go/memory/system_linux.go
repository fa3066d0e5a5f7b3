package memory

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

const noReserve = unix.MAP_NORESERVE

// linux is the system by mmap and madvise.
type linux struct{ mapping }

func thisSystem() system { return linux{mapping{os.Getpagesize()}} }

// mark begins the page before a region, and its size follows: so `offcut` recognizes pools from outside of the process. It
// is that of the Java library.
const mark = 0x0100_7475_6366_666f

func (s linux) reserve(bytes, alignment int) unsafe.Pointer {
	aligned := s.reserveBehind(bytes, alignment, s.page)
	if aligned != nil {
		page := unsafe.Add(aligned, -s.page)
		*(*uint64)(page) = mark
		*(*uint64)(unsafe.Add(page, 8)) = uint64(bytes)
		// A mapping of its own, at whose end whoever looks finds it; and nobody writes there. If that is refused, the pool is
		// not recognized.
		_ = unix.Mprotect(unsafe.Slice((*byte)(page), s.page), unix.PROT_READ)
		// Without huge pages one used byte holds a page, and not two megabytes. Refused by kernels that have none.
		_ = unix.Madvise(unsafe.Slice((*byte)(aligned), bytes), unix.MADV_NOHUGEPAGE)
	}
	return aligned
}

func (s linux) release(p unsafe.Pointer, bytes int) {
	s.mapping.release(unsafe.Add(p, -s.page), bytes+s.page)
}

func (s linux) decommit(p unsafe.Pointer, bytes int) bool { return s.discard(p, bytes) }

func (s linux) discard(p unsafe.Pointer, bytes int) bool {
	return unix.Madvise(unsafe.Slice((*byte)(p), bytes), unix.MADV_DONTNEED) == nil
}
