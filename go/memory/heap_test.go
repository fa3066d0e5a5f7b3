package memory

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"
	"unsafe"
)

// heaps opens one of each kind.
func heaps(p *Pool) map[string]*Heap {
	return map[string]*Heap{"confined": p.Owner().OpenHeap(), "shared": p.Owner().OpenSharedHeap()}
}

func TestSizeClasses_fit(t *testing.T) {
	for _, slab := range []int{16 << 10, 64 << 10, 4 << 20} {
		c := newSizeClasses(slab)
		last := 0
		for class := range c.count {
			if c.bytes(class) < last || c.bytes(class)%blockBytes != 0 {
				t.Errorf("class %d has %d bytes, after %d", class, c.bytes(class), last)
			}
			last = c.bytes(class)
		}
		if last != c.most || c.most != slab/2 {
			t.Errorf("the last class has %d bytes of %d", last, c.most)
		}
		for bytes := 1; bytes <= c.most; bytes++ {
			class := c.of(bytes)
			most := bytes + 15
			if bytes > 128 {
				most = 2 * bytes
			}
			if c.bytes(class) < bytes || c.bytes(class) > most {
				t.Fatalf("%d bytes in class %d of %d bytes", bytes, class, c.bytes(class))
			}
		}
	}
}

// TestSizeClasses_tables: the tables say what is computed beyond them.
func TestSizeClasses_tables(t *testing.T) {
	for bytes := 1; bytes <= 64<<10; bytes++ {
		if class, want := regularClass(bytes), classOf(uint(bytes-1)); class != want {
			t.Fatalf("%d bytes in class %d, expected %d", bytes, class, want)
		}
	}
}

func TestSlab_blockAt(t *testing.T) {
	p := smallPool(t, 1<<20)
	h := p.Owner().OpenHeap()
	for class := range h.classes.count {
		size := h.classes.bytes(class)
		s := &slab{blockBytes: size, blocks: h.classes.slabBytes / size, magic: ^uint64(0)/uint64(size) + 1}
		for offset := range h.classes.slabBytes {
			want := -1
			if offset%size == 0 && offset/size < s.blocks {
				want = offset / size
			}
			if got := s.blockAt(offset); got != want {
				t.Fatalf("blocks of %d: offset %d is block %d, expected %d", size, offset, got, want)
			}
		}
	}
	must(t, h.Close())
}

func TestHeap_badSizes(t *testing.T) {
	p := smallPool(t, 1<<20)
	for name, h := range heaps(p) {
		t.Run(name, func(t *testing.T) {
			for _, bytes := range []int{0, -1, math.MinInt} {
				_, err := h.AllocateUninitialized(bytes)
				wants(t, err, ErrSize, fmt.Sprint(bytes), "test")
				_, err = h.AllocateBlock(bytes)
				wants(t, err, ErrSize, fmt.Sprint(bytes))
			}
			for _, bytes := range []int{2 << 20, math.MaxInt, math.MaxInt - 100} {
				_, err := h.AllocateUninitialized(bytes)
				wants(t, err, ErrLimit, "free chunks:")
				_, err = h.AllocateBlock(bytes)
				wants(t, err, ErrLimit, "free chunks:")
			}
			for _, c := range []struct{ bytes, alignment int }{{-1, 8}, {8, 0}, {8, 12}, {8, -16}, {8, 1 << 20}} {
				_, err := h.Allocate(c.bytes, c.alignment)
				wants(t, err, ErrSize, fmt.Sprint(c.bytes), fmt.Sprint(c.alignment))
			}
			must(t, h.Close())
		})
	}
}

func TestHeap_badFrees(t *testing.T) {
	p := smallPool(t, 2<<20)
	other := p.Owner().OpenHeap()
	foreign := noError(other.AllocateUninitialized(64))
	for name, h := range heaps(p) {
		t.Run(name, func(t *testing.T) {
			a, b := noError(h.AllocateUninitialized(64)), noError(h.AllocateUninitialized(64))
			var local int
			wants(t, h.Free(nil), ErrForeignFree)
			wants(t, h.Free(unsafe.Pointer(&local)), ErrForeignFree, "nothing was freed")
			wants(t, h.Free(foreign), ErrForeignFree, "is not of the heap of test")
			wants(t, h.Free(unsafe.Add(a, 16)), ErrForeignFree, "64 bytes", "begins no block")
			wants(t, h.Free(unsafe.Add(a, 1)), ErrForeignFree, "begins no block")
			must(t, h.Free(a))
			_, err := h.BytesOf(a)
			wants(t, err, ErrUseAfterFree, fmt.Sprint(a))
			wants(t, h.Free(a), ErrDoubleFree, fmt.Sprint(a), "64 bytes", "the heap of test")
			_, err = h.BytesOf(a)
			wants(t, err, ErrUseAfterFree, fmt.Sprint(a))
			_, err = h.Reallocate(a, 10)
			wants(t, err, ErrUseAfterFree)
			wants(t, h.Close(), ErrInUse, "64 bytes")
			must(t, h.Free(b))
			large := noError(h.AllocateUninitialized(100_000))
			wants(t, h.Free(unsafe.Add(large, 16)), ErrForeignFree)
			wants(t, h.Free(unsafe.Add(large, 70_000)), ErrForeignFree)
			must(t, h.Free(large))
			wants(t, h.Free(large), ErrDoubleFree)
			must(t, h.Close())
			wants(t, h.Close(), ErrClosed, "the heap of test")
			wants(t, h.Free(b), ErrClosed)
			_, err = h.AllocateUninitialized(64)
			wants(t, err, ErrClosed)
			_, err = h.AllocateUninitialized(100_000)
			wants(t, err, ErrClosed)
		})
	}
	must(t, other.Free(foreign))
	must(t, other.Close())
}

func TestBlock_misuse(t *testing.T) {
	p := smallPool(t, 2<<20)
	for name, h := range heaps(p) {
		t.Run(name, func(t *testing.T) {
			for _, bytes := range []int{1, 64, 5000, 100_000} {
				b := noError(h.AllocateBlock(bytes))
				if view := noError(b.Bytes()); len(view) != bytes || b.Len() != bytes || !b.IsLive() {
					t.Errorf("%v of %d bytes", b, bytes)
				}
				at := noError(b.Pointer())
				wants(t, h.Free(at), ErrForeignFree, "tracked", "Block")
				same := b // a copy is the same block
				must(t, same.Free())
				wants(t, b.Free(), ErrDoubleFree, fmt.Sprint(at), "generation was 0, and is 1")
				next := noError(h.AllocateBlock(bytes)) // mostly in the same place
				wants(t, b.Free(), ErrDoubleFree, "generation")
				_, err := b.Bytes()
				wants(t, err, ErrUseAfterFree, "generation")
				_, err = b.Pointer()
				wants(t, err, ErrUseAfterFree)
				if b.IsLive() || !next.IsLive() {
					t.Error("the wrong block lives")
				}
				must(t, next.Free())
			}
			var zero Block
			wants(t, zero.Free(), ErrDoubleFree, "zero Block")
			_, err := zero.Bytes()
			wants(t, err, ErrUseAfterFree, "zero Block")
			b := noError(h.AllocateBlock(64))
			noError(h.AllocateUninitialized(64))
			h.FreeAll()
			wants(t, b.Free(), ErrDoubleFree)
			if h.UsedBytes() != 0 {
				t.Errorf("%d bytes used after FreeAll", h.UsedBytes())
			}
			must(t, h.Close())
		})
	}
}

func TestHeap_reallocate(t *testing.T) {
	p := smallPool(t, 4<<20)
	for name, h := range heaps(p) {
		t.Run(name, func(t *testing.T) {
			at := noError(h.AllocateUninitialized(1))
			*(*byte)(at) = 77
			for _, bytes := range []int{10, 16, 17, 1000, 1001, 40_000, 100_000, 100_001, 900_000, 20, 1} {
				moved := noError(h.Reallocate(at, bytes))
				if have := noError(h.BytesOf(moved)); have < bytes || *(*byte)(moved) != 77 {
					t.Fatalf("%d bytes for %d, first byte %d", have, bytes, *(*byte)(moved))
				}
				at = moved
			}
			_, err := h.Reallocate(at, -1)
			wants(t, err, ErrSize)
			_, err = h.Reallocate(at, math.MaxInt)
			wants(t, err, ErrLimit)
			must(t, h.Free(at))
			must(t, h.Close())
		})
	}
}

// TestHeap_freeTwice frees blocks by chance, mostly some in a row, and then each of them again: whether a block is in front of
// its bin, or known by its bit, the second free is found. What the heap says it uses is right all the time, and a confined
// heap has one slab without blocks at most.
func TestHeap_freeTwice(t *testing.T) {
	const granule = 16 << 10
	for name, open := range map[string]func(*Owner) *Heap{"confined": (*Owner).OpenHeap, "shared": (*Owner).OpenSharedHeap} {
		for _, bytes := range []int{48, 64, 2048, granule / 2} { // those of 48 bytes do not fill their last word
			t.Run(fmt.Sprintf("%s %d", name, bytes), func(t *testing.T) {
				random := seeded(t)
				p := testPool(t, Config{LargestChunk: 256 << 10, SmallestChunk: granule / 64})
				h := open(p.Owner())
				most := 3 * granule / bytes
				var out []unsafe.Pointer
				isOut := map[unsafe.Pointer]bool{} // false: freed, and not handed out since
				const steps = 120
				for step := 0; step < steps || len(out) > 0; step++ {
					draining := step >= steps
					for n := random.IntN(1 + random.IntN(most)); n > 0 && len(out) < most && !draining; n-- {
						at := noError(h.AllocateUninitialized(bytes))
						if isOut[at] {
							t.Fatalf("step %d: %p is handed out twice", step, at)
						}
						out, isOut[at] = append(out, at), true
					}
					for n := random.IntN(2 + random.IntN(most)); n > 0 && len(out) > 0; n-- {
						at := remove(random, &out)
						must(t, h.Free(at))
						if err := h.Free(at); !errors.Is(err, ErrDoubleFree) {
							t.Fatalf("step %d: %p freed twice: %v", step, at, err)
						}
						isOut[at] = false
					}
					tried := 0
					for at, is := range isOut { // in any order
						if is {
							continue
						}
						if err := h.Free(at); !errors.Is(err, ErrDoubleFree) {
							t.Fatalf("step %d: %p freed again: %v", step, at, err)
						}
						if tried++; tried == 20 {
							break
						}
					}
					must(t, h.verify())
					if used := h.UsedBytes(); used != len(out)*bytes {
						t.Fatalf("step %d: %d bytes used, not %d blocks", step, used, len(out))
					}
				}
				if charged := p.Owner().ChargedBytes(); h.confined && charged > granule {
					t.Errorf("%d bytes of slabs without blocks", charged)
				}
				must(t, h.Close())
			})
		}
	}
}

// TestHeap_front: whatever asks next in a confined heap gets the block that was freed last, though other slabs have free ones.
func TestHeap_front(t *testing.T) {
	p := testPool(t, Config{})
	h := p.Owner().OpenHeap()
	var raw []unsafe.Pointer
	var tracked []Block
	for range 20 { // eight in a slab
		raw = append(raw, noError(h.AllocateUninitialized(8192)))
		tracked = append(tracked, noError(h.AllocateBlock(8192)))
	}
	for i, at := range raw {
		must(t, h.Free(at))
		again := noError(h.AllocateUninitialized(8192))
		must(t, h.Free(again))
		if zeroed := noError(h.Allocate(8192, 8192)); again != at || zeroed != at {
			t.Errorf("%p and %p after %p was freed", again, zeroed, at)
		}
		b := tracked[i]
		must(t, b.Free())
		tracked[i] = noError(h.AllocateBlock(8192))
		if noError(tracked[i].Pointer()) != b.slab.pointer(int(b.index)) || b.IsLive() {
			t.Errorf("%v after %v was freed", tracked[i], b)
		}
	}
	must(t, h.verify())
	h.FreeAll()
	must(t, h.Close())
}

// TestHeap_limit_frontGoesBack: at the limit, a confined heap gives the slab back whose only block is in front.
func TestHeap_limit_frontGoesBack(t *testing.T) {
	p := testPool(t, Config{Limit: 64 << 10})
	h := p.Owner().OpenHeap()
	for _, bytes := range []int{64, 1024, 64 << 10, 4096} {
		at := noError(h.AllocateUninitialized(bytes))
		must(t, h.Free(at))
		b := noError(h.AllocateBlock(bytes))
		must(t, b.Free())
		wants(t, b.Free(), ErrDoubleFree)
	}
	must(t, h.verify())
	must(t, h.Close())
}

// TestHeap_givesBack: a burst that is over leaves one slab a bin at most, and after two turns of the decay none.
func TestHeap_givesBack(t *testing.T) {
	p := testPool(t, Config{})
	h := p.Owner().OpenSharedHeap()
	var out []unsafe.Pointer
	for range 20_000 {
		out = append(out, noError(h.AllocateUninitialized(64)))
	}
	for _, at := range out {
		must(t, h.Free(at))
	}
	stripes := int(h.stripes) + 1
	if charged := p.Owner().ChargedBytes(); charged > stripes*h.classes.slabBytes {
		t.Errorf("%d bytes of slabs without blocks", charged)
	}
	p.sweep()
	p.sweep()
	if charged := p.Owner().ChargedBytes(); charged != 0 {
		t.Errorf("%d bytes of slabs after the decay", charged)
	}
	must(t, h.Close())
}

// TestHeap_givesBackByItself: the timer is set as long as a slab may become empty, also if nobody frees anything else.
func TestHeap_givesBackByItself(t *testing.T) {
	p := testPool(t, Config{Decay: time.Hour}) // the turns are the test's
	h := p.Owner().OpenSharedHeap()
	isArmed := func(when string) {
		t.Helper()
		if !p.decay.armed.Load() {
			t.Error("no timer", when)
		}
	}
	at := noError(h.AllocateUninitialized(64))
	isArmed("with a slab in use")
	p.turn()
	p.turn() // nothing was freed, so nothing else is to be given back
	isArmed("after turns that found a block")
	must(t, h.Free(at))
	var out []unsafe.Pointer
	for range 3 * h.classes.slabBytes / 4096 {
		out = append(out, noError(h.AllocateUninitialized(4096)))
	}
	last := out[len(out)-1]
	for _, at := range out[1 : len(out)-1] {
		must(t, h.Free(at))
	}
	p.turn()
	isArmed("after a turn that found blocks")
	must(t, h.Free(last))
	p.turn()
	p.turn()
	isArmed("while one slab has a block")
	must(t, h.Free(out[0]))
	for range 6 {
		p.turn()
	}
	if charged := p.Owner().ChargedBytes(); charged != 0 || p.decay.armed.Load() {
		t.Errorf("%d bytes after the decay; a timer: %v", charged, p.decay.armed.Load())
	}
	must(t, h.Close())
}

// TestHeap_noGarbage: blocks cost no Go allocation.
func TestHeap_noGarbage(t *testing.T) {
	p := testPool(t, Config{})
	for name, h := range heaps(p) {
		keep := noError(h.AllocateBlock(64))
		raw := noError(h.AllocateUninitialized(64))
		if allocs := testing.AllocsPerRun(1000, func() {
			b, _ := h.AllocateBlock(64)
			_ = b.Free()
			at, _ := h.AllocateUninitialized(64)
			_ = h.Free(at)
		}); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
		must(t, keep.Free())
		must(t, h.Free(raw))
		must(t, h.Close())
	}
}

// TestHeap_strandsNothing: at the limit, a block that is free in another stripe's slab is found.
func TestHeap_strandsNothing(t *testing.T) {
	p := testPool(t, Config{Limit: 64 << 10})
	h := p.Owner().OpenSharedHeap()
	at := noError(h.AllocateUninitialized(64)) // the only slab, in this goroutine's stripe
	for range 64 {
		got := make(chan error)
		go func() { // on another stack
			at, err := h.AllocateUninitialized(64)
			if err == nil {
				err = h.Free(at)
			}
			got <- err
		}()
		must(t, <-got)
	}
	must(t, h.Free(at))
	must(t, h.Close())
}
