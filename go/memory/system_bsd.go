//go:build darwin || freebsd || netbsd || dragonfly

package memory

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// noReserve: these systems promise no memory for pages that nobody touches, so there is nothing to decline.
const noReserve = 0

// bsd is macOS and its relatives: mmap, without a madvise that makes zeros.
type bsd struct{ mapping }

func thisSystem() system { return bsd{mapping{os.Getpagesize()}} }

func (s bsd) reserve(bytes, alignment int) unsafe.Pointer {
	return s.reserveBehind(bytes, alignment, 0)
}

func (s bsd) decommit(p unsafe.Pointer, bytes int) bool { return s.discard(p, bytes) }

// discard puts new pages in the place of these.
func (s bsd) discard(p unsafe.Pointer, bytes int) bool {
	_, err := unix.MmapPtr(-1, 0, p, uintptr(bytes), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_FIXED|noReserve)
	return err == nil
}
