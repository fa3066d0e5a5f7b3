package memory

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"
)

const goroutines = 8

// stressed is a number of steps: more if OFFCUT_STRESS says by how much.
func stressed(steps int) int {
	if factor, err := strconv.Atoi(os.Getenv("OFFCUT_STRESS")); err == nil {
		return steps * factor
	}
	return steps
}

// parcel is memory that goes from the goroutine that took it to the one that frees it.
type parcel struct {
	filled
	block Block
	free  func(parcel) error
}

// TestPool_goroutines has goroutines that take chunks and blocks and free those of others, under a limit that is often
// reached, while the decay and Trim run: nobody writes into another's memory, nothing is lost.
func TestPool_goroutines(t *testing.T) {
	p := testPool(t, Config{Limit: 6 << 20, LargestChunk: 1 << 20, Decay: time.Millisecond})
	h := p.Owner().OpenSharedHeap()
	mail := make(chan parcel, 256)
	var all sync.WaitGroup
	for g := range goroutines {
		o := noError(p.Owner().Child(OwnerConfig{Name: fmt.Sprint("g", g), Lifetime: Lifetime(g % 2), HardLimit: 2 << 20}))
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 1))
			for i := range stressed(4000) {
				q, err := takeAny(random, o, h, byte(i))
				switch {
				case err == nil:
					mail <- q
				case !errors.Is(err, ErrLimit):
					t.Error(err)
				}
				if random.IntN(1000) == 0 {
					p.Trim()
				}
				for len(mail) > cap(mail)/2 || err != nil {
					select {
					case q := <-mail:
						q.check(t)
						if err := q.free(q); err != nil {
							t.Error(err)
						}
					default:
					}
					err = nil
				}
			}
		})
	}
	all.Wait()
	close(mail)
	for q := range mail {
		q.check(t)
		must(t, q.free(q))
	}
	must(t, p.Verify())
	must(t, h.Close())
	p.Trim() // waits for a turn of the decay that is giving a slab back just now
	if s := p.Snapshot(); s.HandedOut != 0 {
		t.Errorf("not all is back: %v", s)
	}
}

func takeAny(random *rand.Rand, o *Owner, h *Heap, seed byte) (parcel, error) {
	bytes := 1 + random.IntN(1<<random.IntN(17))
	switch random.IntN(3) {
	case 0:
		at, err := o.AllocateChunk(bytes)
		if err != nil {
			return parcel{}, err
		}
		return parcel{fill(at, bytes, seed), Block{}, func(q parcel) error { return o.Pool().FreeChunk(q.at) }}, nil
	case 1:
		at, err := h.AllocateUninitialized(bytes)
		if err != nil {
			return parcel{}, err
		}
		return parcel{fill(at, bytes, seed), Block{}, func(q parcel) error { return h.Free(q.at) }}, nil
	}
	b, err := h.AllocateBlock(bytes)
	if err != nil {
		return parcel{}, err
	}
	at, err := b.Pointer()
	return parcel{fill(at, bytes, seed), b, func(q parcel) error { return q.block.Free() }}, err
}

// TestHeap_goroutines hammers few sizes, so that slabs fill, empty, are listed, claimed and retired all the time.
func TestHeap_goroutines(t *testing.T) {
	p := testPool(t, Config{SmallestChunk: 256, Decay: time.Millisecond})
	h := p.Owner().OpenSharedHeap()
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 2))
			var out []parcel
			for i := range stressed(20_000) {
				if len(out) > 0 && (random.IntN(2) == 0 || i/1000%3 == 2) {
					q := remove(random, &out)
					q.check(t)
					if err := q.free(q); err != nil {
						t.Error(err)
					}
					continue
				}
				size := []int{16, 2000, 8000}[random.IntN(3)]
				b, err := h.AllocateBlock(size)
				if err != nil {
					t.Error(err)
					return
				}
				out = append(out, parcel{fill(noError(b.Pointer()), size, byte(i)), b, func(q parcel) error { return q.block.Free() }})
			}
			for _, q := range out {
				q.check(t)
				if err := q.free(q); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	must(t, p.Verify())
	if h.UsedBytes() != 0 {
		t.Errorf("%d bytes used", h.UsedBytes())
	}
	must(t, h.Close())
}

// TestArena_goroutines has goroutines that share an arena, and each opens confined ones of its own.
func TestArena_goroutines(t *testing.T) {
	p := testPool(t, Config{Decay: time.Millisecond})
	for range stressed(5) {
		shared := p.Owner().OpenSharedArena()
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() {
				random := rand.New(rand.NewPCG(uint64(g), 3))
				var own *Arena
				var blocks, mine []filled
				for i := range 1000 {
					if i%50 == 0 {
						own, mine = p.Owner().OpenArena(), nil
					}
					bytes := 1 + random.IntN(3000)
					blocks = append(blocks, fill(noError(shared.Allocate(bytes, 8)), bytes, byte(g)))
					mine = append(mine, fill(noError(own.Allocate(bytes, 8)), bytes, byte(i)))
					if random.IntN(2) == 0 {
						f := remove(random, &blocks)
						f.check(t)
						if err := shared.Free(f.at); err != nil {
							t.Error(err)
						}
					}
					if i%50 == 49 {
						for _, f := range mine {
							f.check(t)
						}
						if err := own.Close(); err != nil {
							t.Error(err)
						}
					}
				}
				for _, f := range blocks {
					f.check(t)
				}
			})
		}
		all.Wait()
		must(t, shared.Close())
		must(t, p.Verify())
	}
}
