package memory

import (
	offcut "offcut.dev/go/adapters/arrow"
	pool "offcut.dev/go/memory"
)

// GoAllocator is what the tests of arrow-go allocate by. Here it hands out buffers of a pool: `sh test/go.sh upstream` puts this
// file in the place of arrow-go's own, in a copy of it.
type GoAllocator struct{}

var native = func() *offcut.Allocator {
	p, err := pool.NewPool(pool.Config{Name: "arrow"})
	if err != nil {
		panic(err)
	}
	return offcut.New(p.Owner())
}()

// NewGoAllocator is any: all have the same pool.
func NewGoAllocator() *GoAllocator { return &GoAllocator{} }

// Allocate takes a buffer.
func (*GoAllocator) Allocate(size int) []byte { return native.Allocate(size) }

// Reallocate changes the size of one.
func (*GoAllocator) Reallocate(size int, b []byte) []byte { return native.Reallocate(size, b) }

// Free gives one back.
func (*GoAllocator) Free(b []byte) { native.Free(b) }
