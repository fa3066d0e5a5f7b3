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

	"golang.org/x/sys/unix"
	modernc "modernc.org/memory"
	chunks "offcut.dev/go/memory"
)

// Blocks of memory outside the Go heap, taken, written to and freed, over and over: what a buffer costs. In offheap_SIZE one
// block is live at a time; in offheap_SIZE_live a thousand are, and the oldest is freed before each new one.
//
// There are two kinds of rows, which are compared with their like. For one goroutine at a time: offcut-confined (and
// tracked, which finds double free and use after free), modernc without a lock, and fixed, a list of free blocks of one
// size in one mapping, which does nothing else: the least that any allocator costs. For any goroutine: offcut-shared (and
// tracked), modernc behind one mutex, and malloc through cgo, as the C library has it, jemalloc or mimalloc. Only make
// zeroes the block, and leaves the freeing to the collector.

var (
	offheapSizes = []int{16, 64, 256, 1024, 4096, 8192}

	_ = addOffheap()
)

func addOffheap() struct{} {
	for _, size := range offheapSizes {
		for _, live := range []int{1, 1000} {
			add(offheap(size, live))
		}
	}
	return struct{}{}
}

func offheap(size, live int) Case {
	name, what := fmt.Sprintf("offheap_%d", size), "one is live"
	if live > 1 {
		name, what = name+"_live", fmt.Sprintf("%d are live", live)
	}
	c := Case{
		Name:    name,
		Summary: fmt.Sprintf("a block of %d bytes taken, and the oldest freed, while %s", size, what),
		Order:   11, N: 1_000_000, Quick: 200_000,
		Impls: []Impl{
			{Name: "offcut-confined", Version: offcutVersion, Run: ofHeap((*chunks.Owner).OpenHeap, raw(size, live))},
			{Name: "offcut-confined-tracked", Version: offcutVersion, Run: ofHeap((*chunks.Owner).OpenHeap, tracked(size, live))},
			{Name: "modernc", Version: moduleVersion("modernc.org/memory"), Run: offheapModernc(size, live)},
			{Name: "fixed", Run: offheapFixed(size, live)},
			{Name: "offcut-shared", Version: offcutVersion, Run: ofHeap((*chunks.Owner).OpenSharedHeap, raw(size, live))},
			{Name: "offcut-shared-tracked", Version: offcutVersion, Run: ofHeap((*chunks.Owner).OpenSharedHeap, tracked(size, live))},
			{Name: "modernc-mutex", Version: moduleVersion("modernc.org/memory"), Run: offheapModerncMutex(size, live)},
			{Name: "cgo", Run: offheapCgo(size, live)},
			{Name: "cgo-jemalloc", Preload: "libjemalloc.so.2", Run: offheapCgo(size, live)},
			{Name: "cgo-mimalloc", Preload: "libmimalloc.so.2", Run: offheapCgo(size, live)},
			{Name: "make", Run: offheapMake(size, live)},
		},
	}
	c.Impls = append(c.Impls, arenas(size, live)...)
	c.Bars = append(c.Bars, Bar{Metric: cpuPerOp, Impl: "offcut-shared", Of: "modernc-mutex", AtMost: 0.8})
	if size >= 64 && size <= 4096 {
		c.Bars = append(c.Bars, Bar{Metric: cpuPerOp, Impl: "offcut-confined", Of: "modernc", AtMost: 1})
	}
	if size == 64 && live == 1 {
		c.Bars = append(c.Bars, Bar{Metric: cpuPerOp, Impl: "offcut-shared-tracked", Of: "cgo", AtMost: 0.5})
	}
	return c
}

// ofHeap runs something on a heap of a pool, and closes both: a block that was not freed is an error.
func ofHeap(open func(*chunks.Owner) *chunks.Heap, run func(b *B, h *chunks.Heap) error) func(b *B) error {
	return func(b *B) error {
		pool, err := chunks.NewPool(chunks.Config{Name: "bench"})
		if err != nil {
			return err
		}
		h := open(pool.Owner())
		if err := run(b, h); err != nil {
			return err
		}
		if err := h.Close(); err != nil {
			return err
		}
		return pool.Close()
	}
}

func raw(size, live int) func(b *B, h *chunks.Heap) error {
	return func(b *B, h *chunks.Heap) (err error) {
		ring := make([]unsafe.Pointer, live)
		b.Time(func() {
			at := 0
			for range b.N {
				if ring[at] != nil {
					if err = h.Free(ring[at]); err != nil {
						return
					}
				}
				p, failed := h.AllocateUninitialized(size)
				if failed != nil {
					err = failed
					return
				}
				*(*byte)(p) = 1
				ring[at] = p
				if at++; at == live {
					at = 0
				}
			}
		})
		h.FreeAll()
		return err
	}
}

func tracked(size, live int) func(b *B, h *chunks.Heap) error {
	return func(b *B, h *chunks.Heap) (err error) {
		ring := make([]chunks.Block, live)
		b.Time(func() {
			at, filled := 0, false
			for range b.N {
				if filled {
					if err = ring[at].Free(); err != nil {
						return
					}
				}
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
				ring[at] = block
				if at++; at == live {
					at, filled = 0, true
				}
			}
		})
		h.FreeAll()
		return err
	}
}

func offheapModernc(size, live int) func(b *B) error {
	return func(b *B) (err error) {
		var a modernc.Allocator
		ring := make([]unsafe.Pointer, live)
		b.Time(func() {
			at := 0
			for range b.N {
				if ring[at] != nil {
					if err = a.UnsafeFree(ring[at]); err != nil {
						return
					}
				}
				p, failed := a.UnsafeMalloc(size)
				if failed != nil {
					err = failed
					return
				}
				*(*byte)(p) = 1
				ring[at] = p
				if at++; at == live {
					at = 0
				}
			}
		})
		if err != nil {
			return err
		}
		return a.Close()
	}
}

func offheapModerncMutex(size, live int) func(b *B) error {
	return func(b *B) (err error) {
		var mu sync.Mutex
		var a modernc.Allocator
		ring := make([]unsafe.Pointer, live)
		b.Time(func() {
			at := 0
			for range b.N {
				if ring[at] != nil {
					mu.Lock()
					err = a.UnsafeFree(ring[at])
					mu.Unlock()
					if err != nil {
						return
					}
				}
				mu.Lock()
				p, failed := a.UnsafeMalloc(size)
				mu.Unlock()
				if failed != nil {
					err = failed
					return
				}
				*(*byte)(p) = 1
				ring[at] = p
				if at++; at == live {
					at = 0
				}
			}
		})
		if err != nil {
			return err
		}
		return a.Close()
	}
}

func offheapFixed(size, live int) func(b *B) error {
	return func(b *B) error {
		memory, err := unix.Mmap(-1, 0, live*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			return err
		}
		free := make([]unsafe.Pointer, 0, live)
		for i := range live {
			free = append(free, unsafe.Pointer(&memory[i*size]))
		}
		ring := make([]unsafe.Pointer, live)
		b.Time(func() {
			at := 0
			for range b.N {
				if ring[at] != nil {
					free = append(free, ring[at])
				}
				p := free[len(free)-1]
				free = free[:len(free)-1]
				*(*byte)(p) = 1
				ring[at] = p
				if at++; at == live {
					at = 0
				}
			}
		})
		return unix.Munmap(memory)
	}
}

func offheapCgo(size, live int) func(b *B) error {
	return func(b *B) error {
		ring := make([]unsafe.Pointer, live)
		b.Time(func() {
			at := 0
			for range b.N {
				if ring[at] != nil {
					C.offheap_release(ring[at])
				}
				p := C.offheap_make(C.size_t(size))
				*(*byte)(p) = 1
				ring[at] = p
				if at++; at == live {
					at = 0
				}
			}
		})
		for _, p := range ring {
			C.offheap_release(p)
		}
		return nil
	}
}

// made keeps the compiler from putting the blocks on the stack.
var made []unsafe.Pointer

func offheapMake(size, live int) func(b *B) error {
	return func(b *B) error {
		made = make([]unsafe.Pointer, live)
		b.Time(func() {
			at := 0
			for range b.N {
				block := make([]byte, size)
				block[0] = 1
				made[at] = unsafe.Pointer(&block[0])
				if at++; at == live {
					at = 0
				}
			}
		})
		return nil
	}
}
