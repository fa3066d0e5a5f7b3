package memory

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// closing is a pool that is closed while goroutines use it.
type closing struct {
	pool   *Pool
	closed atomic.Bool // Close has returned
}

// use writes into memory that the pool has granted: it must not be closed meanwhile.
func (c *closing) use(p unsafe.Pointer, bytes int) error {
	if c.closed.Load() {
		return fmt.Errorf("%p was granted, and the pool is closed", p)
	}
	mark := byte(uintptr(p)>>8) | 1
	first, last := (*byte)(p), (*byte)(unsafe.Add(p, bytes-1))
	*first, *last = mark, mark
	if c.closed.Load() || *first != mark || *last != mark {
		return fmt.Errorf("%p was taken from its holder", p)
	}
	return nil
}

func (c *closing) chunk(bytes int) error {
	p, err := c.pool.Owner().AllocateChunk(bytes)
	if err != nil {
		return err
	}
	return errors.Join(c.use(p, bytes), c.pool.FreeChunk(p))
}

func (c *closing) arena(a *Arena) error {
	for bytes := 64; bytes < 200_000; bytes *= 15 {
		p, err := a.Allocate(bytes, 16)
		if err == nil {
			err = c.use(p, bytes)
		}
		if err != nil {
			return errors.Join(err, a.Close())
		}
	}
	return a.Close()
}

func (c *closing) heap(h *Heap) error {
	for bytes := 64; bytes < 200_000; bytes *= 15 {
		p, err := h.Allocate(bytes, 16)
		if err == nil {
			err = errors.Join(c.use(p, bytes), h.Free(p))
		}
		if err != nil {
			return errors.Join(err, h.Close())
		}
	}
	return h.Close()
}

// repeat repeats an operation until the pool refuses it.
func (c *closing) repeat(operation func(*closing) error) error {
	for {
		switch err := operation(c); {
		case errors.Is(err, ErrClosed):
			return nil
		case err != nil && !errors.Is(err, ErrLimit):
			return err
		}
		runtime.Gosched()
	}
}

// A request that runs while a pool is closed ends with memory that stays valid, or with ErrClosed: each operation
// together with each other.
func TestClose_duringEachPairOfOperations_leavesNoMemoryToThem(t *testing.T) {
	random := seeded(t)
	operations := map[string]func(*closing) error{
		"chunk":       func(c *closing) error { return c.chunk(20_000) },
		"large chunk": func(c *closing) error { return c.chunk(4<<20 + 1) },
		"refused":     func(c *closing) error { return c.chunk(32 << 20) },
		"arena":       func(c *closing) error { return c.arena(c.pool.Owner().OpenArena()) },
		"shared":      func(c *closing) error { return c.arena(c.pool.Owner().OpenSharedArena()) },
		"heap":        func(c *closing) error { return c.heap(c.pool.Owner().OpenHeap()) },
		"shared heap": func(c *closing) error { return c.heap(c.pool.Owner().OpenSharedHeap()) },
		"trim":        func(c *closing) error { err := c.chunk(300_000); c.pool.Trim(); return err },
	}
	const rounds = 15
	for one, first := range operations {
		for other, second := range operations {
			for round := range rounds {
				p, err := NewPool(Config{Name: "closing", Limit: 16 << 20, Reserve: 16 << 20, Decay: time.Millisecond})
				must(t, err)
				c := &closing{pool: p}
				ends := make(chan error, 2)
				for _, operation := range []func(*closing) error{first, second} {
					go func() { ends <- c.repeat(operation) }()
				}
				for range random.IntN(1 << random.IntN(12)) {
					runtime.Gosched()
				}
				for {
					if err = p.Close(); !errors.Is(err, ErrInUse) {
						break
					}
					runtime.Gosched()
				}
				must(t, err)
				c.closed.Store(true)
				for range 2 {
					if err := <-ends; err != nil {
						t.Fatalf("%s and %s, round %d: %v", one, other, round, err)
					}
				}
				if charged := p.Owner().ChargedBytes(); charged != 0 || len(p.regions.all()) != 0 {
					t.Fatalf("%s and %s, round %d: %d bytes charged after the close", one, other, round, charged)
				}
			}
		}
	}
}
