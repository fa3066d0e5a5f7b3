package memory

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
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

// twoFullSlabs are the slabs of the first stripe's bin of the largest blocks, two blocks each, all out. The second is current.
func twoFullSlabs(h *Heap) (b *bin, first, second [2]unsafe.Pointer) {
	b = &h.bins[2*(h.classes.count-1)]
	for i := range first {
		first[i] = takeLargest(h, b)
	}
	for i := range second {
		second[i] = takeLargest(h, b)
	}
	return b, first, second
}

// takeLargest takes a block of a bin of the largest blocks, whichever stripe the goroutine has.
func takeLargest(h *Heap, b *bin) unsafe.Pointer {
	s, block, err := h.takeFrom(b, h.classes.count-1, 0)
	if err != nil {
		panic(err)
	}
	return s.pointer(block)
}

// TestBin_listReplacesFull: a block that comes back is the next one handed out if the current slab is full, and the slab that
// lost its place is found again.
func TestBin_listReplacesFull(t *testing.T) {
	p := testPool(t, Config{})
	h := p.Owner().OpenSharedHeap()
	b, first, second := twoFullSlabs(h)
	full := b.current.Load()
	must(t, h.Free(first[1]))
	if s := b.current.Load(); s == full || !s.hasFree() || full.listed.Load() {
		t.Error("the full slab is still current, or listed")
	}
	must(t, h.Free(second[0]))
	must(t, p.Verify())
	if again := takeLargest(h, b); again != first[1] {
		t.Errorf("%p was handed out, not %p, the block of the current slab", again, first[1])
	}
	must(t, h.Free(first[0]))
	must(t, h.Free(first[1]))
	must(t, h.Free(second[1]))
	must(t, p.Verify())
	must(t, h.Close())
	must(t, p.Verify())
}

// TestBin_replaceLooksAgain: a slab loses its place just after all its blocks came back. It is found, and goes back to the pool.
func TestBin_replaceLooksAgain(t *testing.T) {
	p := testPool(t, Config{})
	h := p.Owner().OpenSharedHeap()
	b, first, second := twoFullSlabs(h)
	s, _, err := h.find(first[0])
	must(t, err)
	late, _, err := h.find(second[0])
	must(t, err)
	must(t, h.Free(second[0]))
	must(t, h.Free(second[1])) // the slab is current: nobody retires it
	b.mu.Lock()
	s.listed.Store(true)
	got := b.replace(late, s)
	b.mu.Unlock()
	if got != late || late.out {
		t.Errorf("%v is late, expected %v, or it has left", got, late)
	}
	h.retire(late)
	if !late.out {
		t.Error("a slab without blocks stays")
	}
	must(t, p.Verify())
	must(t, h.Free(first[0]))
	must(t, h.Free(first[1]))
	must(t, h.Close())
}

// TestBin_listTogether: blocks of the current slab come back while a block of another slab takes its place.
func TestBin_listTogether(t *testing.T) {
	p := testPool(t, Config{})
	h := p.Owner().OpenSharedHeap()
	var first, second [2]unsafe.Pointer
	lockstep(1_000,
		func(round int) {
			if round%2 != 0 {
				_ = h.Free(first[0])
				return
			}
			if err := h.verify(); err != nil {
				t.Error(err)
			}
			h.FreeAll()
			_, first, second = twoFullSlabs(h)
		},
		func(round int) {
			if round%2 != 0 {
				_ = h.Free(second[0])
				_ = h.Free(second[1])
			}
		})
	h.FreeAll()
	must(t, h.Close())
	must(t, p.Verify())
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
