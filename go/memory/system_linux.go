//go:build linux

package memory

import (
	"fmt"
	"math/bits"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// linux is the system by mmap and madvise.
type linux struct{ page int }

func thisSystem() (system, error) {
	if bits.UintSize < 64 {
		return nil, fmt.Errorf("%w: a pool reserves address space by the gigabyte and needs 64 bits; this program has %d",
			ErrUnsupported, bits.UintSize)
	}
	return linux{os.Getpagesize()}, nil
}

func (s linux) pageBytes() int { return s.page }

func (s linux) reserve(bytes, alignment int) unsafe.Pointer {
	all := bytes + alignment - s.page // somewhere in it is an aligned piece
	p, err := unix.MmapPtr(-1, 0, nil, uintptr(all),
		unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil
	}
	head := int(-uintptr(p) & uintptr(alignment-1))
	aligned := unsafe.Add(p, head)
	if head > 0 {
		s.release(p, head)
	}
	if tail := all - head - bytes; tail > 0 {
		s.release(unsafe.Add(aligned, bytes), tail)
	}
	// Without huge pages one used byte holds a page, and not two megabytes. Refused by kernels that have none.
	_ = unix.Madvise(unsafe.Slice((*byte)(aligned), bytes), unix.MADV_NOHUGEPAGE)
	return aligned
}

func (s linux) release(p unsafe.Pointer, bytes int) {
	if err := unix.MunmapPtr(p, uintptr(bytes)); err != nil {
		panic(fmt.Sprintf("memory: munmap of %d bytes at %p: %v", bytes, p, err))
	}
}

func (s linux) discard(p unsafe.Pointer, bytes int) bool {
	return unix.Madvise(unsafe.Slice((*byte)(p), bytes), unix.MADV_DONTNEED) == nil
}

func (s linux) resident(p unsafe.Pointer, bytes int) (int, error) {
	pages := make([]byte, (bytes+s.page-1)/s.page)
	_, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(p), uintptr(bytes), uintptr(unsafe.Pointer(&pages[0])))
	if errno != 0 {
		return 0, fmt.Errorf("mincore of %d bytes at %p: %w", bytes, p, errno)
	}
	resident := 0
	for _, page := range pages {
		resident += int(page&1) * s.page
	}
	return resident, nil
}
