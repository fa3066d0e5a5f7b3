package main

/*
#include <stdlib.h>
static void *offheap_make(size_t bytes) { return malloc(bytes); }
static void offheap_release(void *p) { free(p); }
*/
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	modernc "modernc.org/memory"
	chunks "offcut.dev/go/memory"
)

// One block of memory outside the Go heap, taken, written to and freed, over and over: what a buffer costs. offcut-untracked
// and offcut-tracked are heaps of one goroutine at a time, offcut-tracked-shared one for any, as modernc with a mutex is. Only make
// zeroes the block.

var (
	_ = add(offheap(16, nil))
	_ = add(offheap(64, []Bar{
		{Metric: cpuPerOp, Impl: "offcut-tracked", Of: "modernc", AtMost: 1.1},
		{Metric: cpuPerOp, Impl: "offcut-tracked", Of: "cgo", AtMost: 0.2},
		{Metric: cpuPerOp, Impl: "offcut-tracked-shared", Of: "modernc", AtMost: 1.1},
	}))
	_ = add(offheap(256, nil))
	_ = add(offheap(1024, nil))
	_ = add(offheap(4096, nil))
)

func offheap(size int, bars []Bar) Case {
	return Case{
		Name:    fmt.Sprintf("offheap_%d", size),
		Summary: fmt.Sprintf("a block of %d bytes taken and freed; tracked finds double free and use after free", size),
		Order:   11, N: 1_000_000, Quick: 200_000,
		Impls: []Impl{
			{Name: "offcut-untracked", Version: offcutVersion, Run: offheapUntracked(size)},
			{Name: "offcut-tracked", Version: offcutVersion, Run: offheapTracked(size, (*chunks.Owner).OpenHeap)},
			{Name: "offcut-tracked-shared", Version: offcutVersion, Run: offheapTracked(size, (*chunks.Owner).OpenSharedHeap)},
			{Name: "modernc", Version: moduleVersion("modernc.org/memory"), Run: offheapModernc(size)},
			{Name: "cgo", Run: offheapCgo(size)},
			{Name: "make", Run: offheapMake(size)},
		},
		Bars: bars,
	}
}

func offheapUntracked(size int) func(b *B) error {
	return func(b *B) error {
		return withHeap((*chunks.Owner).OpenHeap, func(h *chunks.Heap) (err error) {
			b.Time(func() {
				for range b.N {
					p, failed := h.AllocateUninitialized(size)
					if failed != nil {
						err = failed
						return
					}
					*(*byte)(p) = 1
					if err = h.Free(p); err != nil {
						return
					}
				}
			})
			return err
		})
	}
}

func offheapTracked(size int, open func(*chunks.Owner) *chunks.Heap) func(b *B) error {
	return func(b *B) error {
		return withHeap(open, func(h *chunks.Heap) (err error) {
			b.Time(func() {
				for range b.N {
					block, failed := h.AllocateBlock(size)
					if failed != nil {
						err = failed
						return
					}
					p, failed := block.Pointer()
					if failed != nil {
						err = failed
						return
					}
					*(*byte)(p) = 1
					if err = block.Free(); err != nil {
						return
					}
				}
			})
			return err
		})
	}
}

// withHeap runs something on a heap of a pool, and closes both.
func withHeap(open func(*chunks.Owner) *chunks.Heap, run func(h *chunks.Heap) error) error {
	pool, err := chunks.NewPool(chunks.Config{Name: "bench"})
	if err != nil {
		return err
	}
	h := open(pool.Owner())
	if err := run(h); err != nil {
		return err
	}
	if err := h.Close(); err != nil {
		return err
	}
	return pool.Close()
}

func offheapModernc(size int) func(b *B) error {
	return func(b *B) (err error) {
		var mu sync.Mutex // it is not safe for goroutines by itself
		var a modernc.Allocator
		b.Time(func() {
			for range b.N {
				mu.Lock()
				p, failed := a.UnsafeMalloc(size)
				mu.Unlock()
				if failed != nil {
					err = failed
					return
				}
				*(*byte)(p) = 1
				mu.Lock()
				err = a.UnsafeFree(p)
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
		if err != nil {
			return err
		}
		return a.Close()
	}
}

func offheapCgo(size int) func(b *B) error {
	return func(b *B) error {
		b.Time(func() {
			for range b.N {
				p := C.offheap_make(C.size_t(size))
				*(*byte)(p) = 1
				C.offheap_release(p)
			}
		})
		return nil
	}
}

// made keeps the compiler from putting the block on the stack.
var made unsafe.Pointer

func offheapMake(size int) func(b *B) error {
	return func(b *B) error {
		b.Time(func() {
			for range b.N {
				block := make([]byte, size)
				block[0] = 1
				made = unsafe.Pointer(&block[0])
			}
		})
		return nil
	}
}
