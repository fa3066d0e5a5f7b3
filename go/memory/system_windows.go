package memory

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// virtual is Windows: address space is reserved, and pages are committed, by VirtualAlloc.
type virtual struct{ page int }

func thisSystem() system { return virtual{os.Getpagesize()} }

func (s virtual) pageBytes() int { return s.page }

func (s virtual) largestRegion() int { return moreRegionBytes }

// reserve finds an aligned place in a larger one. Windows gives a reservation back as a whole only, so the place is
// reserved a second time, and another thread may have been faster.
func (s virtual) reserve(bytes, alignment int) unsafe.Pointer {
	const attempts = 16
	for range attempts {
		larger, err := windows.VirtualAlloc(0, uintptr(bytes+alignment), windows.MEM_RESERVE, windows.PAGE_NOACCESS)
		if err != nil {
			return nil
		}
		s.release(pointer(larger), bytes+alignment)
		aligned := (larger + uintptr(alignment-1)) &^ uintptr(alignment-1)
		if got, err := windows.VirtualAlloc(aligned, uintptr(bytes), windows.MEM_RESERVE, windows.PAGE_READWRITE); err == nil {
			return pointer(got)
		}
	}
	return nil
}

func (s virtual) release(p unsafe.Pointer, bytes int) {
	if err := windows.VirtualFree(uintptr(p), 0, windows.MEM_RELEASE); err != nil {
		panic(fmt.Sprintf("memory: VirtualFree of %d bytes at %p: %v", bytes, p, err))
	}
}

func (s virtual) commit(p unsafe.Pointer, bytes int) bool {
	_, err := windows.VirtualAlloc(uintptr(p), uintptr(bytes), windows.MEM_COMMIT, windows.PAGE_READWRITE)
	return err == nil
}

func (s virtual) decommit(p unsafe.Pointer, bytes int) bool {
	return windows.VirtualFree(uintptr(p), uintptr(bytes), windows.MEM_DECOMMIT) == nil
}

// discard commits again what it gives back. If the system has nothing left then, the pages in use beside it are no use
// either: a later touch would end the program where nobody could say why.
func (s virtual) discard(p unsafe.Pointer, bytes int) bool {
	if !s.decommit(p, bytes) {
		return false
	}
	if !s.commit(p, bytes) {
		panic(fmt.Sprintf("memory: the system has no memory for %d bytes at %p, which it had until now", bytes, p))
	}
	return true
}

func (s virtual) resident(p unsafe.Pointer, bytes int) (int, error) {
	const most = 4096
	resident := 0
	pages := make([]windows.PSAPI_WORKING_SET_EX_INFORMATION, min(most, (bytes+s.page-1)/s.page))
	for done := 0; done < bytes; done += len(pages) * s.page {
		pages = pages[:min(len(pages), (bytes-done+s.page-1)/s.page)]
		for i := range pages {
			pages[i].VirtualAddress = windows.Pointer(unsafe.Add(p, done+i*s.page))
		}
		size := uint32(len(pages)) * uint32(unsafe.Sizeof(pages[0]))
		if err := windows.QueryWorkingSetEx(windows.CurrentProcess(), uintptr(unsafe.Pointer(&pages[0])), size); err != nil {
			return 0, fmt.Errorf("QueryWorkingSetEx of %d bytes at %p: %w", bytes, p, err)
		}
		for _, page := range pages {
			if page.VirtualAttributes.Valid() {
				resident += s.page
			}
		}
	}
	return resident, nil
}

// pointer is an address that the system gave. It is not Go's, so nothing moves it.
func pointer(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }
