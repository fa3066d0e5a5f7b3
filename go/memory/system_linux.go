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

func (s linux) reserve(bytes, alignment int) unsafe.Pointer {
	aligned := s.mapping.reserve(bytes, alignment)
	if aligned != nil {
		// Without huge pages one used byte holds a page, and not two megabytes. Refused by kernels that have none.
		_ = unix.Madvise(unsafe.Slice((*byte)(aligned), bytes), unix.MADV_NOHUGEPAGE)
	}
	return aligned
}

func (s linux) decommit(p unsafe.Pointer, bytes int) bool { return s.discard(p, bytes) }

func (s linux) discard(p unsafe.Pointer, bytes int) bool {
	return unix.Madvise(unsafe.Slice((*byte)(p), bytes), unix.MADV_DONTNEED) == nil
}
