package memory

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"
)

// poisonByte makes odd, large, unlikely addresses and numbers of whatever is read after it was given back.
const poisonByte = 0xDB

// Quarantine finds uses of raw blocks after their free, at run time. It overwrites a freed block with the byte 0xDB and
// keeps it, so that nobody gets it for a while: who reads it reads 0xDB each time, not only if the block was handed out
// again. When the block leaves, the quarantine looks at each byte of it, so who wrote into it is found, too.
//
// Filling and looking take about as long as clearing a block twice. Blocks in quarantine are in use for the heap, for its
// owner and for their limits.
//
// Any goroutine may use a quarantine of a shared heap.
type Quarantine struct {
	heap  *Heap
	limit int

	mu     sync.Mutex
	bytes  int
	blocks []unsafe.Pointer // the oldest first
	in     map[unsafe.Pointer]int
}

// NewQuarantine returns a quarantine for blocks of a heap that keeps the youngest freed blocks, up to so many bytes. With
// a limit of 0, blocks are overwritten and leave at once.
func NewQuarantine(heap *Heap, limit int) *Quarantine {
	return &Quarantine{heap: heap, limit: limit, in: make(map[unsafe.Pointer]int)}
}

// Free takes a raw block of the heap, and frees the oldest blocks if there are too many. It fails with [ErrDoubleFree] if
// the block is in quarantine or free, with [ErrForeignFree] if no raw block of the heap begins there, and with [ErrClosed].
// It fails with [ErrUseAfterFree] if one of the blocks that leave was written to; they are freed all the same.
func (q *Quarantine) Free(p unsafe.Pointer) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if bytes, ok := q.in[p]; ok {
		return fmt.Errorf("%w: %p, a block of %d bytes of %v, is in quarantine already", ErrDoubleFree, p, bytes, q.heap)
	}
	bytes, err := q.heap.BytesOf(p)
	if errors.Is(err, ErrUseAfterFree) { // free already: Free says so
		return q.heap.Free(p)
	}
	if err != nil {
		return err
	}
	block := unsafe.Slice((*byte)(p), bytes)
	for i := range block {
		block[i] = poisonByte
	}
	q.blocks = append(q.blocks, p)
	q.in[p] = bytes
	q.bytes += bytes
	return q.shrink(q.limit)
}

// Flush frees all blocks in quarantine. It fails with [ErrUseAfterFree] if one of them was written to; all are freed all
// the same.
func (q *Quarantine) Flush() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.shrink(0)
}

// Bytes returns the size of the blocks in quarantine.
func (q *Quarantine) Bytes() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.bytes
}

// shrink frees the oldest blocks: the first error.
func (q *Quarantine) shrink(limit int) (first error) {
	for q.bytes > limit {
		p := q.blocks[0]
		bytes := q.in[p]
		q.blocks = q.blocks[1:]
		q.bytes -= bytes
		delete(q.in, p)
		err := written(p, bytes)
		if freed := q.heap.Free(p); err == nil {
			err = freed
		}
		if err != nil && first == nil {
			first = err
		}
	}
	return first
}

// written is an error if a block in quarantine is not as it was left.
func written(p unsafe.Pointer, bytes int) error {
	for i, b := range unsafe.Slice((*byte)(p), bytes) {
		if b != poisonByte {
			return fmt.Errorf("%w: a block of %d bytes at %p was written to after its free: byte %d is %#x", ErrUseAfterFree, bytes, p, i, b)
		}
	}
	return nil
}
