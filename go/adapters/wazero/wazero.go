// Package wazero gives wazero's WebAssembly modules linear memory outside the Go heap, charged to an owner of a pool.
// So memory.grow obeys limits, and a snapshot shows the memory of each owner's modules.
//
//	ctx = experimental.WithMemoryAllocator(ctx, wazero.New(owner))
//	module, err := runtime.Instantiate(ctx, binary)
package wazero

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/tetratelabs/wazero/experimental"

	"offcut.dev/go/memory"
)

// Allocator is a MemoryAllocator whose linear memories come from a heap of an owner. Any goroutine may use it.
//
// If a memory outgrows its block, it moves to a block twice as large; module code does not notice. A memory that
// threads share must not move: use [NewFixed] for it.
type Allocator struct {
	heap       *memory.Heap
	fixed      bool
	quarantine *memory.Quarantine // or nil
}

var _ experimental.MemoryAllocator = (*Allocator)(nil)

// New returns an allocator whose memories are charged to an owner.
func New(owner *memory.Owner) *Allocator { return &Allocator{heap: owner.OpenSharedHeap()} }

// NewChecked returns an allocator for tests, which finds uses of a memory by the host after it moved, or after its module
// was closed. Such a memory reads as bytes 0xDB, and stays in a [memory.Quarantine] with the youngest of its kind, of so
// many bytes together. Each growth moves the memory. If the host wrote into it meanwhile, a later free panics, or Close
// fails, with [memory.ErrUseAfterFree].
func NewChecked(owner *memory.Owner, quarantine int) *Allocator {
	heap := owner.OpenSharedHeap()
	return &Allocator{heap, false, memory.NewQuarantine(heap, quarantine)}
}

// NewFixed returns an allocator that allocates the maximum size of each memory at once, so that no memory ever moves.
// Shared memories need that. The owner is charged for the maximum from the start, so modules should declare one.
func NewFixed(owner *memory.Owner) *Allocator {
	return &Allocator{heap: owner.OpenSharedHeap(), fixed: true}
}

// Allocate allocates a memory of first bytes that may grow to most bytes. wazero cannot handle a refusal here, so a
// failure panics with an error of package memory, such as a [*memory.LimitError]. If later growth would exceed a limit,
// memory.grow returns -1 in the module.
func (a *Allocator) Allocate(first, most uint64) experimental.LinearMemory {
	if a.fixed {
		first = most
	}
	m := &linear{from: a, most: most}
	if !m.room(first) {
		panic(m.refused)
	}
	return m
}

// UsedBytes returns the size of all memories that are not freed, in bytes, those in quarantine included.
func (a *Allocator) UsedBytes() int { return a.heap.UsedBytes() }

// Close closes the heap and returns its memory to the pool. It fails with [memory.ErrInUse] while modules are open. A
// second call fails with [memory.ErrClosed]. It fails with [memory.ErrUseAfterFree] if a memory in quarantine was written
// to; the quarantine is empty then, and another call closes the heap.
func (a *Allocator) Close() error {
	if a.quarantine != nil {
		if err := a.quarantine.Flush(); err != nil {
			return err
		}
	}
	return a.heap.Close()
}

func (a *Allocator) free(p unsafe.Pointer) error {
	if a.quarantine != nil {
		return a.quarantine.Free(p)
	}
	return a.heap.Free(p)
}

// linear is one memory: a block of which the front is in use, and the rest is zero.
type linear struct {
	from    *Allocator
	block   []byte // all there is
	used    int
	most    uint64
	refused error
}

// Reallocate makes the memory so long; nil if a limit or its maximum is against it, and the memory is as it was.
func (m *linear) Reallocate(size uint64) []byte {
	if size > m.most {
		return nil
	}
	if size > uint64(len(m.block)) {
		wanted := max(size, min(2*uint64(len(m.block)), m.most))
		if m.from.quarantine != nil {
			wanted = size // so the next growth moves it, too
		}
		if !m.room(wanted) && !m.room(size) {
			return nil
		}
	}
	m.used = int(size)
	return m.block[:size:len(m.block)]
}

// room moves the memory to a block of at least so many bytes.
func (m *linear) room(bytes uint64) bool {
	if bytes > math.MaxInt {
		m.refused = fmt.Errorf("%w: a linear memory of %d bytes", memory.ErrSize, bytes)
		return false
	}
	const page = 16 // the alignment of a vector of WebAssembly
	p, err := m.from.heap.Allocate(int(bytes), page)
	if err != nil {
		m.refused = err
		return false
	}
	larger := unsafe.Slice((*byte)(p), bytes)
	copy(larger, m.block[:m.used])
	m.Free()
	m.block = larger
	return true
}

// Free gives the memory back; nothing happens the second time.
func (m *linear) Free() {
	if m.block == nil {
		return
	}
	p := unsafe.Pointer(unsafe.SliceData(m.block))
	m.block = nil
	if err := m.from.free(p); err != nil {
		panic(err)
	}
}
