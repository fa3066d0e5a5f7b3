package memory

import (
	"testing"
	"unsafe"

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

func FuzzPool(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 128, 0, 255, 11, 90, 129, 1})
	seeds.Add(f, 30, 200)
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
				if at, err := owners[op%2].AllocateChunk(size); err == nil {
					out = append(out, fill(at, size, byte(op)))
				} else {
					wants(t, err, ErrLimit)
				}
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
	})
}

// wantsFreed: freeing once more is refused.
func wantsFreed(t *testing.T, err error) {
	t.Helper()
	wants(t, err, ErrDoubleFree)
}

func FuzzArena(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 128, 0, 255, 11, 90, 129, 1, 64, 9, 9})
	seeds.Add(f, 30, 200)
	f.Fuzz(func(t *testing.T, bytes []byte) {
		p := smallPool(t, 2<<20)
		arenas := []*Arena{p.Owner().OpenArena(), p.Owner().OpenSharedArena()}
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

func FuzzHeap(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 128, 0, 255, 11, 90, 129, 1, 64, 9, 9})
	seeds.Add(f, 30, 200)
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
				size := o.size()
				var at unsafe.Pointer
				var err error
				if at, err = h.AllocateUninitialized(size); err == nil {
					out = append(out, parcel{fill(at, size, byte(op)), Block{}, func(q parcel) error { return h.Free(q.at) }})
				} else {
					wants(t, err, ErrLimit)
				}
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
