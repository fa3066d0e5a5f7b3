package main

import (
	"errors"
	"sync"
	"unsafe"

	modernc "modernc.org/memory"
	"offcut.dev/go/memory"
)

// timeBlocks takes blocks of 64 bytes, writes to them, and frees the oldest of a thousand before each new one.
func timeBlocks(b *B, take func(bytes int) (unsafe.Pointer, error), free func(unsafe.Pointer) error) (err error) {
	ring := make([]unsafe.Pointer, 1000)
	b.Time(func() {
		at := 0
		for range b.N {
			if ring[at] != nil {
				if err = free(ring[at]); err != nil {
					return
				}
			}
			if ring[at], err = take(64); err != nil {
				return
			}
			*(*byte)(ring[at]) = 1
			if at++; at == len(ring) {
				at = 0
			}
		}
	})
	for _, p := range ring {
		if p != nil && err == nil {
			err = free(p)
		}
	}
	return err
}

func blocksOfModernc(b *B) error {
	var a modernc.Allocator
	return errors.Join(timeBlocks(b, a.UnsafeMalloc, a.UnsafeFree), a.Close())
}

func blocksOfLockedModernc(b *B) error {
	var mu sync.Mutex
	var a modernc.Allocator
	take := func(bytes int) (unsafe.Pointer, error) {
		mu.Lock()
		p, err := a.UnsafeMalloc(bytes)
		mu.Unlock()
		return p, err
	}
	free := func(p unsafe.Pointer) error {
		mu.Lock()
		err := a.UnsafeFree(p)
		mu.Unlock()
		return err
	}
	return errors.Join(timeBlocks(b, take, free), a.Close())
}

func blocksOfHeap(open func(*memory.Owner) *memory.Heap) func(*B) error {
	return func(b *B) error {
		return onHeap(0, open, func(h *memory.Heap) error { return timeBlocks(b, h.AllocateUninitialized, h.Free) })
	}
}

// onHeap runs something on a heap of a pool, and closes both: a block that was not freed is an error.
func onHeap(limit int, open func(*memory.Owner) *memory.Heap, run func(*memory.Heap) error) error {
	pool, err := memory.NewPool(memory.Config{Name: "bench", Limit: limit})
	if err != nil {
		return err
	}
	h := open(pool.Owner())
	if err := run(h); err != nil {
		return err
	}
	return errors.Join(h.Close(), pool.Close())
}

// A cache below the limit keeps so many entries, three quarters of what the pool has room for; the other one as many as the
// pool lets it.
func cacheBelowLimit(b *B) error { return cache(b, 64<<20, 6_000) }
func cacheAtLimit(b *B) error    { return cache(b, 16<<20, b.N) }

// cache keeps entries of 64 bytes to 8 KiB. When it, or the pool, has no room it frees the 64 oldest.
func cache(b *B, poolBytes, most int) error {
	return onHeap(poolBytes, (*memory.Owner).OpenSharedHeap, func(h *memory.Heap) (err error) {
		var entries []memory.Block
		put := func(bytes int) error {
			for {
				if len(entries) < most {
					block, err := h.AllocateBlock(bytes)
					if err == nil {
						entries = append(entries, block)
						return nil
					}
					if !errors.Is(err, memory.ErrLimit) || len(entries) == 0 {
						return err
					}
				}
				for range min(64, len(entries)) {
					if err := entries[0].Free(); err != nil {
						return err
					}
					entries = entries[1:]
				}
			}
		}
		b.Time(func() {
			for i := range b.N {
				if err = deeper(put, 64<<(i%8), i%61); err != nil {
					return
				}
			}
		})
		for _, e := range entries {
			err = errors.Join(err, e.Free())
		}
		return err
	})
}

// deeper calls put from a stack of another depth, as a server's requests do.
//
//go:noinline
func deeper(put func(bytes int) error, bytes, frames int) error {
	var pad [512]byte
	if frames == 0 {
		return put(bytes)
	}
	err := deeper(put, bytes, frames-1)
	pad[frames] = 1
	return err
}
