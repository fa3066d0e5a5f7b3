package memory

import "unsafe"

// goHeap is the fallback for other systems: a region is an object of the Go heap without pointers, which the region's base
// keeps. It is accounted for as anywhere, but what is decommitted stays resident until the pool is closed.
type goHeap struct{}

func (goHeap) pageBytes() int { return 4096 }

// largestRegion is little, because all of it is allocated.
func (goHeap) largestRegion() int { return 16 << 20 }

func (goHeap) reserve(bytes, alignment int) unsafe.Pointer {
	p := unsafe.Pointer(unsafe.SliceData(make([]byte, bytes+alignment)))
	return unsafe.Add(p, -uintptr(p)&uintptr(alignment-1))
}

func (goHeap) release(unsafe.Pointer, int) {}

func (goHeap) commit(unsafe.Pointer, int) bool { return true }

func (s goHeap) decommit(p unsafe.Pointer, bytes int) bool { return s.discard(p, bytes) }

func (goHeap) discard(p unsafe.Pointer, bytes int) bool {
	clear(unsafe.Slice((*byte)(p), bytes))
	return true
}

// resident is all of it.
func (goHeap) resident(_ unsafe.Pointer, bytes int) (int, error) { return bytes, nil }
