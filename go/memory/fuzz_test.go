package memory

import (
	"testing"

	"offcut.dev/go/internal/seeds"
)

// ops reads requests from the fuzzer's bytes.
type ops struct {
	bytes []byte
}

func (o *ops) next() (int, bool) {
	if len(o.bytes) == 0 {
		return 0, false
	}
	op := o.bytes[0]
	o.bytes = o.bytes[1:]
	return int(op), true
}

// size is one of many, small ones more often.
func (o *ops) size() int {
	shift, _ := o.next()
	low, _ := o.next()
	return 1 + low<<(shift%12)
}

// FuzzPool takes and frees chunks of owners of both lifetimes: none overlaps another, each is aligned to its size and keeps
// what was written, and every map is right after each step.
func FuzzPool(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 128, 0, 255, 11, 90, 129, 1})
	seeds.Add(f, 30, 3000)
	f.Fuzz(func(t *testing.T, bytes []byte) {
		p := smallPool(t, 1<<20)
		owners := []*Owner{p.Owner(), noError(p.Owner().Child(OwnerConfig{Name: "long", Lifetime: Long, HardLimit: 512 << 10}))}
		var out []filled
		for o := (ops{bytes}); ; {
			op, more := o.next()
			if !more {
				break
			}
			if op >= 128 && len(out) > 0 {
				i := op % len(out)
				out[i].check(t)
				must(t, p.FreeChunk(out[i].at))
				wantsFreed(t, p.FreeChunk(out[i].at))
				out = append(out[:i], out[i+1:]...)
			} else if size := o.size(); size > 0 {
				at, err := owners[op%2].AllocateChunk(size)
				if err != nil {
					wants(t, err, ErrLimit)
					continue
				}
				if unit := min(ceilingPowerOfTwo(max(size, 1024)), 256<<10); uintptr(at)%uintptr(unit) != 0 {
					t.Fatalf("a chunk of %d bytes at %p", size, at)
				}
				out = append(out, fill(at, size, byte(op)))
			}
			if op%16 == 0 {
				p.Trim()
			}
			must(t, p.Verify())
		}
		for _, f := range out {
			f.check(t)
			must(t, p.FreeChunk(f.at))
		}
		if s := p.Snapshot(); s.HandedOut != 0 || len(bytes) > 0 && s.Reserved > 0 && s.LargestFree() != 256<<10 {
			t.Errorf("not all is back: %v", s)
		}
	})
}

// wantsFreed: freeing once more is refused.
func wantsFreed(t *testing.T, err error) {
	t.Helper()
	wants(t, err, ErrDoubleFree)
}

// FuzzArena has arenas of two owners that take, free and close, in a pool that is too small: blocks are aligned, zero, and
// keep what was written.
func FuzzArena(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 128, 0, 255, 11, 90, 129, 1, 64, 9, 9})
	seeds.Add(f, 30, 3000)
	f.Fuzz(func(t *testing.T, bytes []byte) {
		p := smallPool(t, 2<<20)
		long := noError(p.Owner().Child(OwnerConfig{Name: "long", Lifetime: Long, FirstGrowth: 2048, MostGrowth: 16384}))
		arenas := []*Arena{p.Owner().OpenArena(), long.OpenSharedArena()}
		out := make([][]filled, len(arenas))
		for o := (ops{bytes}); ; {
			op, more := o.next()
			if !more {
				break
			}
			i := op % 2
			switch {
			case op >= 250:
				for _, f := range out[i] {
					f.check(t)
				}
				must(t, arenas[i].Close())
				arenas[i], out[i] = p.Owner().OpenArena(), nil
			case op >= 128 && len(out[i]) > 0:
				j := op / 2 % len(out[i])
				out[i][j].check(t)
				must(t, arenas[i].Free(out[i][j].at))
				wantsFreed(t, arenas[i].Free(out[i][j].at))
				out[i] = append(out[i][:j], out[i][j+1:]...)
			default:
				size, alignment := o.size(), 1<<(op%14)
				at, err := arenas[i].Allocate(size, alignment)
				if err != nil {
					wants(t, err, ErrLimit)
					break
				}
				if uintptr(at)%uintptr(alignment) != 0 {
					t.Fatalf("%p is not aligned to %d", at, alignment)
				}
				checkZero(t, at, size)
				out[i] = append(out[i], fill(at, size, byte(op)))
			}
			must(t, p.Verify())
		}
		for i, a := range arenas {
			for _, f := range out[i] {
				f.check(t)
			}
			must(t, a.Close())
		}
	})
}

// FuzzHeap takes and frees raw and tracked blocks: aligned, zero where promised, and nobody writes into another's.
func FuzzHeap(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 128, 0, 255, 11, 90, 129, 1, 64, 9, 9})
	seeds.Add(f, 30, 3000)
	f.Fuzz(func(t *testing.T, bytes []byte) {
		p := smallPool(t, 2<<20)
		hs := []*Heap{p.Owner().OpenHeap(), p.Owner().OpenSharedHeap()}
		var out []parcel
		for o := (ops{bytes}); ; {
			op, more := o.next()
			if !more {
				break
			}
			h := hs[op%2]
			switch {
			case op >= 128 && len(out) > 0:
				i := op / 2 % len(out)
				out[i].check(t)
				must(t, out[i].free(out[i]))
				wantsFreed(t, out[i].free(out[i]))
				out = append(out[:i], out[i+1:]...)
			case op%4 < 2:
				size := o.size()
				if b, err := h.AllocateBlock(size); err == nil {
					out = append(out, parcel{fill(noError(b.Pointer()), size, byte(op)), b, func(q parcel) error { return q.block.Free() }})
				} else {
					wants(t, err, ErrLimit)
				}
			default:
				size, alignment := o.size(), 1<<(op/4%13)
				at, err := h.Allocate(size, alignment)
				if err != nil {
					wants(t, err, ErrLimit)
					break
				}
				checkZero(t, at, size)
				if uintptr(at)%uintptr(alignment) != 0 || noError(h.BytesOf(at)) < size {
					t.Fatalf("%p of %d bytes, aligned to %d", at, size, alignment)
				}
				out = append(out, parcel{fill(at, size, byte(op)), Block{}, func(q parcel) error { return h.Free(q.at) }})
			}
			must(t, p.Verify())
		}
		for _, q := range out {
			q.check(t)
			must(t, q.free(q))
		}
		for _, h := range hs {
			must(t, h.Close())
		}
	})
}
