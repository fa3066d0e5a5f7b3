package memory

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"
	"unsafe"
)

func TestArena_badSizes(t *testing.T) {
	p := smallPool(t, 1<<20)
	for _, a := range []*Arena{p.Owner().OpenArena(), p.Owner().OpenSharedArena()} {
		for range 2 { // before and after its first line
			for _, c := range []struct{ bytes, alignment int }{
				{-1, 8}, {math.MinInt, 8}, {8, 0}, {8, 3}, {8, -8}, {8, math.MinInt}, {8, 512 << 10},
			} {
				_, err := a.Allocate(c.bytes, c.alignment)
				wants(t, err, ErrSize, fmt.Sprint(c.bytes), fmt.Sprint(c.alignment), "the arena of test")
			}
			for _, bytes := range []int{2 << 20, math.MaxInt, math.MaxInt - 15, math.MaxInt / 2} {
				_, err := a.Allocate(bytes, 8)
				wants(t, err, ErrLimit, "free chunks:")
			}
			checkZero(t, noError(a.Allocate(100, 256<<10)), 100)
		}
		must(t, a.Close())
	}
}

func TestArena_badFrees(t *testing.T) {
	p := smallPool(t, 1<<20)
	a, other := p.Owner().OpenArena(), p.Owner().OpenSharedArena()
	block := noError(a.Allocate(100, 8))
	foreign := noError(other.Allocate(100, 8))
	var local int
	wants(t, a.Free(nil), ErrForeignFree)
	wants(t, a.Free(unsafe.Pointer(&local)), ErrForeignFree)
	wants(t, a.Free(foreign), ErrForeignFree, fmt.Sprint(foreign), "the arena of test")
	wants(t, a.Free(unsafe.Add(block, 8)), ErrForeignFree, "begins no block")
	wants(t, a.Free(unsafe.Add(block, 16)), ErrForeignFree, "begins no block")
	wants(t, a.Free(unsafe.Add(block, 112)), ErrForeignFree, "begins no block")
	must(t, a.Free(block))
	wants(t, a.Free(block), ErrDoubleFree, fmt.Sprint(block), "112 bytes")
	must(t, a.Close())
	wants(t, a.Free(block), ErrClosed, fmt.Sprint(block))
	wants(t, a.Close(), ErrClosed, "the arena of test")
	_, err := a.Allocate(5, 1)
	wants(t, err, ErrClosed, "5 bytes")
	must(t, other.Close())
	if a.Owner() != p.Owner() {
		t.Error("owner")
	}
}

func TestArena_empty(t *testing.T) {
	p := smallPool(t, 1<<20)
	a := p.Owner().OpenArena()
	if p.Owner().ChargedBytes() != 0 {
		t.Error("an arena without blocks has memory")
	}
	one, two := noError(a.Allocate(0, 1)), noError(a.Allocate(0, 1))
	if one == two {
		t.Error("two blocks of nothing at one address")
	}
	must(t, a.Close())
	must(t, p.Owner().OpenArena().Close())
}

// TestArena_growsAlongTheLine: one arena alone has one line, whatever its blocks.
func TestArena_growsAlongTheLine(t *testing.T) {
	p := testPool(t, Config{})
	a := p.Owner().OpenArena()
	last := uintptr(0)
	for i := range 3000 {
		at := uintptr(noError(a.Allocate(1+i%700, 16)))
		if at < last {
			t.Fatalf("block %d at %#x, after %#x", i, at, last)
		}
		last = at
	}
	if len(a.lines.list) != 1 {
		t.Errorf("%d lines", len(a.lines.list))
	}
	must(t, a.Close())
}

// TestArena_reuses: what is freed is taken again, so that an arena in use for long does not grow.
func TestArena_reuses(t *testing.T) {
	random := seeded(t)
	p := testPool(t, Config{})
	a := p.Owner().OpenArena()
	var live []unsafe.Pointer
	for range 100_000 {
		if len(live) == 100 {
			must(t, a.Free(remove(random, &live)))
		}
		live = append(live, noError(a.Allocate(1+random.IntN(400), 16)))
	}
	if a.lines.taken > 256<<10 {
		t.Errorf("%d bytes for 100 blocks of up to 400", a.lines.taken)
	}
	must(t, a.Close())
}

// TestArena_forgotten: arenas that nobody closed come home, each once, and are counted; closed ones are not.
func TestArena_forgotten(t *testing.T) {
	p := testPool(t, Config{})
	const arenas = 100
	open := func() {
		for i := range arenas {
			a := p.Owner().OpenArena()
			noError(a.Allocate(5000, 8))
			if i%2 == 0 {
				must(t, a.Close())
			}
		}
	}
	open()
	for p.Snapshot().ForgottenArenas < arenas/2 { // or the test runs out of time
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if s := p.Snapshot(); s.ForgottenArenas != arenas/2 || s.HandedOut != 0 {
		t.Errorf("%d of %d were forgotten; %d bytes out", s.ForgottenArenas, arenas/2, s.HandedOut)
	}
}
