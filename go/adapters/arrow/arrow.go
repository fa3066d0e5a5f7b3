// Package arrow gives Apache Arrow for Go buffers outside the Go heap, charged to an owner of a pool.
//
//	allocator := arrow.New(owner)
//	builder := array.NewInt64Builder(allocator)
//
// It does not import Arrow: [Allocator] has the methods of arrow-go's memory.Allocator. It is a separate module because
// its tests use Arrow.
package arrow

import (
	"fmt"
	"unsafe"

	"offcut.dev/go/memory"
)

// alignment is what Arrow's format recommends for buffers.
const alignment = 64

// Allocator is an arrow-go memory.Allocator whose buffers come from a heap of an owner. Buffers are aligned to 64 bytes
// and zero; bytes that a reallocation adds are zero, too.
//
// Any goroutine may use it. Arrow's interface has no errors, so a failure panics with an error of package memory, such
// as a [*memory.LimitError], whose text has the memory of each owner. Arrow frees buffers by its reference counts. A
// record that the program does not release is a leak, and [Allocator.Close] then fails.
type Allocator struct {
	heap       *memory.Heap
	quarantine *memory.Quarantine // or nil
}

// New returns an allocator whose buffers are charged to an owner.
func New(owner *memory.Owner) *Allocator { return &Allocator{heap: owner.OpenSharedHeap()} }

// NewChecked returns an allocator for tests, which finds uses of buffers after their free. A freed buffer reads as bytes
// 0xDB, and stays in a [memory.Quarantine] with the youngest freed buffers, of so many bytes together. Reallocate always
// moves. If a buffer was written to after its free, a later Free, Reallocate or Close says so: the first two panic.
func NewChecked(owner *memory.Owner, quarantine int) *Allocator {
	heap := owner.OpenSharedHeap()
	return &Allocator{heap, memory.NewQuarantine(heap, quarantine)}
}

// Allocate allocates a buffer of size bytes.
func (a *Allocator) Allocate(size int) []byte {
	if size < 0 {
		panic(fmt.Errorf("%w: an Arrow buffer of %d bytes for %v", memory.ErrSize, size, a.heap.Owner()))
	}
	if size == 0 {
		return []byte{}
	}
	p, err := a.heap.Allocate(size, alignment)
	if err != nil {
		panic(err)
	}
	return unsafe.Slice((*byte)(p), size)
}

// Reallocate changes the size of a buffer. The buffer stays in place if its block is large enough, and smaller than
// twice the new size. Otherwise Reallocate copies as many bytes as fit to another block, and frees the old one. The old
// slice must not be used afterwards.
func (a *Allocator) Reallocate(size int, b []byte) []byte {
	if cap(b) == 0 || size <= 0 {
		moved := a.Allocate(size)
		a.Free(b)
		return moved
	}
	start := unsafe.Pointer(unsafe.SliceData(b))
	has, err := a.heap.BytesOf(start)
	if err != nil {
		panic(err)
	}
	if size <= has && size > has/2 && a.quarantine == nil {
		buffer := unsafe.Slice((*byte)(start), size)
		if size > len(b) {
			clear(buffer[len(b):])
		}
		return buffer
	}
	moved := a.Allocate(size)
	copy(moved, b)
	a.Free(b)
	return moved
}

// Free frees a buffer. The slice must begin where the buffer begins.
func (a *Allocator) Free(b []byte) {
	if cap(b) == 0 {
		return // nothing was taken
	}
	if err := a.free(unsafe.Pointer(unsafe.SliceData(b))); err != nil {
		panic(err)
	}
}

func (a *Allocator) free(p unsafe.Pointer) error {
	if a.quarantine != nil {
		return a.quarantine.Free(p)
	}
	return a.heap.Free(p)
}

// UsedBytes returns the size of all buffers in use, in bytes, those in quarantine included.
func (a *Allocator) UsedBytes() int { return a.heap.UsedBytes() }

// Close closes the heap and returns its memory to the pool. It fails with [memory.ErrInUse] while buffers are in use. A
// second call fails with [memory.ErrClosed]. It fails with [memory.ErrUseAfterFree] if a buffer in quarantine was written
// to; the quarantine is empty then, and another call closes the heap.
func (a *Allocator) Close() error {
	if a.quarantine != nil {
		if err := a.quarantine.Flush(); err != nil {
			return err
		}
	}
	return a.heap.Close()
}
