package memory

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// lockstep runs two functions at the same moment, round after round.
func lockstep(rounds int, one, two func(round int)) {
	var arrived atomic.Int64
	meet := func(round int) {
		arrived.Add(1)
		for spins := 0; arrived.Load() < int64(2*(round+1)); spins++ {
			if spins > 1000 { // the other has lost its processor
				runtime.Gosched()
			}
		}
	}
	var both sync.WaitGroup
	for _, f := range []func(int){one, two} {
		both.Go(func() {
			for round := range rounds {
				meet(round)
				f(round)
			}
		})
	}
	both.Wait()
}

// TestBlock_oneFrees: of two that free a block at the same moment, one does.
func TestBlock_oneFrees(t *testing.T) {
	p := testPool(t, Config{})
	h := p.Owner().OpenSharedHeap()
	blocks := make([]Block, 8000)
	for i := range blocks {
		blocks[i] = noError(h.AllocateBlock(16))
	}
	var wins atomic.Int64
	free := func(round int) {
		if blocks[round].Free() == nil {
			wins.Add(1)
		}
	}
	lockstep(len(blocks), free, free)
	if int(wins.Load()) != len(blocks) {
		t.Errorf("%d blocks freed %d times", len(blocks), wins.Load())
	}
	must(t, p.Verify())
	must(t, h.Close())
}

// TestSlab_neighboursFreed: of two neighbours that are freed at the same moment, both are free then.
func TestSlab_neighboursFreed(t *testing.T) {
	p := testPool(t, Config{})
	h := p.Owner().OpenSharedHeap()
	blocks := make([]Block, 80_000)
	for i := range blocks {
		blocks[i] = noError(h.AllocateBlock(16))
	}
	lockstep(len(blocks)/2,
		func(round int) { _ = blocks[2*round].Free() },
		func(round int) { _ = blocks[2*round+1].Free() })
	if h.UsedBytes() != 0 {
		t.Errorf("%d bytes were lost", h.UsedBytes())
	}
	must(t, p.Verify())
	must(t, h.Close())
}

// fullSlab is the only slab of a bin, with all blocks out.
func fullSlab(t *testing.T, h *Heap) (s *slab, blocks []Block) {
	t.Helper()
	class := h.classes.of(8000)
	for s == nil || len(blocks) < s.blocks {
		of, block, err := h.takeFrom(&h.bins[2*class+1], class, 1)
		must(t, err)
		s, blocks = of, append(blocks, Block{of, 0, uint32(block), 8000})
	}
	return s, blocks
}

// TestBin_unlistLooksAgain: a block that came back to the current slab just before it lost its place, when nobody had to
// list it, is found.
func TestBin_unlistLooksAgain(t *testing.T) {
	p := testPool(t, Config{})
	h := p.Owner().OpenSharedHeap()
	s, blocks := fullSlab(t, h)
	must(t, blocks[0].Free()) // the slab is current, hence listed
	if !s.bin.advance(s) || s.bin.current.Load() != s {
		t.Error("the slab is not current again")
	}
	must(t, p.Verify())
	for _, b := range blocks[1:] {
		must(t, b.Free())
	}
	must(t, h.Close())
}

// TestBin_retireLooksAgain: a slab stays that was empty when somebody looked, and is not when it is retired.
func TestBin_retireLooksAgain(t *testing.T) {
	p := testPool(t, Config{})
	h := p.Owner().OpenSharedHeap()
	s, blocks := fullSlab(t, h)
	if s.bin.advance(s) || s.bin.retire(s) {
		t.Error("a full slab has blocks, or left")
	}
	must(t, blocks[0].Free())
	if s.bin.retire(s) || s.out {
		t.Error("a slab with blocks out has left")
	}
	must(t, p.Verify())
	for _, b := range blocks[1:] {
		must(t, b.Free())
	}
	if !s.out {
		t.Error("a slab without blocks stays")
	}
	must(t, h.Close())
}

// TestLines_givenBackOnce: the collector may come when the arena is closed already.
func TestLines_givenBackOnce(t *testing.T) {
	p := testPool(t, Config{})
	a, b := p.Owner().OpenArena(), p.Owner().OpenArena()
	noError(a.Allocate(64, 8))
	must(t, a.Close())
	noError(b.Allocate(64, 8)) // in the same place
	a.lines.forgotten()
	must(t, p.Verify())
	if s := p.Snapshot(); s.ForgottenArenas != 0 || s.HandedOut == 0 {
		t.Errorf("given back twice: %v", s)
	}
	must(t, b.Close())
}
