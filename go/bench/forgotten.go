package main

import (
	"runtime"
	"runtime/debug"
	"unsafe"

	"offcut.dev/go/handle"
)

// Every operation opens one resource and forgets it. The time goes on until all are released, and the measurement fails
// unless each was, once.

var _ = add(Case{
	Name:    "cgo_alloc_free_forgotten",
	Summary: "malloc(100) through cgo, every one forgotten, until the net has freed all; direct frees at once",
	Order:   2, N: 1_000_000, Quick: 150_000,
	Impls: []Impl{
		{Name: "direct", Run: cgoDirect},
		{Name: "setfinalizer", Run: cgoSetFinalizerForgotten},
		{Name: "addcleanup", Run: cgoAddCleanupForgotten},
		{Name: "offcut-handle", Version: offcutVersion, Run: cgoHandleForgotten},
		{Name: "offcut-pool", Version: offcutVersion, Run: cgoPoolForgotten},
	},
	Bars: []Bar{
		{Metric: cpuPerOp, Impl: "offcut-pool", Of: "addcleanup", AtMost: 0.30},
		{Metric: cpuPerOp, Impl: "offcut-handle", Of: "addcleanup", AtMost: 1.0},
	},
})

var _ = add(Case{
	Name:    "register_only_forgotten",
	Summary: "the net alone, every one forgotten, until the net has found all; plain is a heap object",
	Order:   4, N: 2_000_000, Quick: 200_000,
	Impls: []Impl{
		{Name: "plain", Run: plainClosed},
		{Name: "setfinalizer", Run: setFinalizerForgotten},
		{Name: "addcleanup", Run: addCleanupForgotten},
		{Name: "offcut-handle", Version: offcutVersion, Run: handleForgotten},
		{Name: "offcut-pool", Version: offcutVersion, Run: poolForgotten},
	},
})

var _ = add(Case{
	Name:    "gogc_off",
	Summary: "as register_only_forgotten with the collector off, without the drain: the cost of a registration stays",
	Order:   8, N: 500_000, Quick: 200_000,
	Impls: []Impl{
		{Name: "plain", Run: withoutGC(false, fillPlain)},
		{Name: "setfinalizer", Run: withoutGC(true, func(n int) { forgetSetFinalizer(n, address, countOnly) })},
		{Name: "addcleanup", Run: withoutGC(true, func(n int) { forgetAddCleanup(n, address, countOnly) })},
		{Name: "offcut-handle", Version: offcutVersion, Run: withoutGC(true, func(n int) {
			forgetHandle(handle.NewType(handle.Options{Name: "block", Release: countOnly}), n, address)
		})},
		{Name: "offcut-pool", Version: offcutVersion, Run: withoutGC(true, func(n int) {
			forgetPool(handle.NewPool(handle.Options{Name: "block", Release: countOnly}), n, address)
		})},
	},
})

func countOnly(unsafe.Pointer) { freed.Add(1) }

func forgotten(b *B, forget func()) error {
	freed.Store(0)
	b.Time(func() {
		forget()
		drainTo(&freed, b.N)
	})
	return exactly(&freed, b.N)
}

func cgoSetFinalizerForgotten(b *B) error {
	return forgotten(b, func() { forgetSetFinalizer(b.N, makeBlock, countedRelease) })
}

func cgoAddCleanupForgotten(b *B) error {
	return forgotten(b, func() { forgetAddCleanup(b.N, makeBlock, countedRelease) })
}

func setFinalizerForgotten(b *B) error {
	return forgotten(b, func() { forgetSetFinalizer(b.N, address, countOnly) })
}

func addCleanupForgotten(b *B) error {
	return forgotten(b, func() { forgetAddCleanup(b.N, address, countOnly) })
}

func forgetSetFinalizer(n int, open func() unsafe.Pointer, release func(unsafe.Pointer)) {
	for range n {
		o := &block{p: open()}
		runtime.SetFinalizer(o, func(o *block) { release(o.p) })
	}
}

func forgetAddCleanup(n int, open func() unsafe.Pointer, release func(unsafe.Pointer)) {
	for range n {
		o := &block{p: open()}
		runtime.AddCleanup(o, release, o.p)
	}
}

func fillPlain(n int) {
	for range n {
		escaped = &block{p: address()}
	}
}

func cgoHandleForgotten(b *B) error {
	typ := handle.NewType(handle.Options{Name: "block", Release: countedRelease, ReleaseBatch: countedReleaseMany})
	return forgotten(b, func() { forgetHandle(typ, b.N, makeBlock) })
}

func handleForgotten(b *B) error {
	typ := handle.NewType(handle.Options{Name: "block", Release: countOnly})
	return forgotten(b, func() { forgetHandle(typ, b.N, address) })
}

func forgetHandle(typ *handle.Type, n int, open func() unsafe.Pointer) {
	for range n {
		typ.Open(open())
	}
}

func cgoPoolForgotten(b *B) error {
	pool := handle.NewPool(handle.Options{Name: "block", Release: countedRelease, ReleaseBatch: countedReleaseMany})
	return forgotten(b, func() { forgetPool(pool, b.N, makeBlock) })
}

func poolForgotten(b *B) error {
	pool := handle.NewPool(handle.Options{Name: "block", Release: countOnly})
	return forgotten(b, func() { forgetPool(pool, b.N, address) })
}

func forgetPool(pool *handle.Pool, n int, open func() unsafe.Pointer) {
	owner := pool.NewOwner()
	for range n {
		owner.Open(open())
	}
	_ = owner.Close()
}

// withoutGC measures with the collector off. What was registered is drained after it: another case counts in the same word.
func withoutGC(registers bool, forget func(n int)) func(b *B) error {
	return func(b *B) error {
		freed.Store(0)
		b.Time(func() {
			before := debug.SetGCPercent(-1)
			forget(b.N)
			debug.SetGCPercent(before)
		})
		return afterwards(b, registers)
	}
}

// afterwards drains what a case has left registered.
func afterwards(b *B, registers bool) error {
	if !registers {
		return nil
	}
	drainTo(&freed, b.N)
	return exactly(&freed, b.N)
}
