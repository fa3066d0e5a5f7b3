//go:build linux || darwin || freebsd || netbsd || dragonfly

package memory

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapping is what systems with mmap have in common. Nothing needs to be committed: pages come when they are touched.
type mapping struct{ page int }

func (s mapping) pageBytes() int { return s.page }

func (s mapping) largestRegion() int { return moreRegionBytes }

// reserveBehind reserves address space, aligned, and pages right before it.
func (s mapping) reserveBehind(bytes, alignment, before int) unsafe.Pointer {
	all := before + bytes + alignment - s.page // somewhere in it is an aligned piece
	p, err := unix.MmapPtr(-1, 0, nil, uintptr(all), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|noReserve)
	if err != nil {
		return nil
	}
	head := before + int(-(uintptr(p)+uintptr(before))&uintptr(alignment-1))
	aligned := unsafe.Add(p, head)
	if head > before {
		s.release(p, head-before)
	}
	if tail := all - head - bytes; tail > 0 {
		s.release(unsafe.Add(aligned, bytes), tail)
	}
	return aligned
}

func (s mapping) release(p unsafe.Pointer, bytes int) {
	if err := unix.MunmapPtr(p, uintptr(bytes)); err != nil {
		panic(fmt.Sprintf("memory: munmap of %d bytes at %p: %v", bytes, p, err))
	}
}

func (s mapping) commit(unsafe.Pointer, int) bool { return true }

func (s mapping) resident(p unsafe.Pointer, bytes int) (int, error) {
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
