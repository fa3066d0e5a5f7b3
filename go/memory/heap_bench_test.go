package memory

import "testing"

func BenchmarkHeap_raw64(b *testing.B) {
	h := benchHeap(b)
	b.ReportAllocs()
	for b.Loop() {
		p, err := h.AllocateUninitialized(64)
		if err != nil {
			b.Fatal(err)
		}
		*(*byte)(p) = 1
		if err := h.Free(p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHeap_tracked64(b *testing.B) {
	h := benchHeap(b)
	b.ReportAllocs()
	for b.Loop() {
		block, err := h.AllocateBlock(64)
		if err != nil {
			b.Fatal(err)
		}
		p, err := block.Pointer()
		if err != nil {
			b.Fatal(err)
		}
		*(*byte)(p) = 1
		if err := block.Free(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkArena_hundredOf64(b *testing.B) {
	o := benchHeap(b).Owner()
	b.ReportAllocs()
	for b.Loop() {
		a := o.OpenArena()
		for range 100 {
			p, err := a.Allocate(64, 8)
			if err != nil {
				b.Fatal(err)
			}
			*(*byte)(p) = 1
		}
		if err := a.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func benchHeap(b *testing.B) *Heap {
	b.Helper()
	pool, err := NewPool(Config{Name: b.Name()})
	if err != nil {
		b.Fatal(err)
	}
	h := pool.Owner().OpenHeap()
	b.Cleanup(func() {
		must(b, h.Close())
		must(b, pool.Close())
	})
	return h
}

func BenchmarkHeap_sharedRaw64(b *testing.B) {
	h := benchHeap(b).Owner().OpenSharedHeap()
	b.Cleanup(func() { must(b, h.Close()) })
	for b.Loop() {
		p, err := h.AllocateUninitialized(64)
		if err != nil {
			b.Fatal(err)
		}
		*(*byte)(p) = 1
		if err := h.Free(p); err != nil {
			b.Fatal(err)
		}
	}
}
