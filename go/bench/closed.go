package main

import (
	"fmt"
	"runtime"
	"unsafe"

	"offcut.dev/go/handle"
)

// Every operation opens one resource and closes it: what a program does that forgets nothing.

var _ = add(Case{
	Name:    "cgo_alloc_free_closed",
	Summary: "malloc(100) and free through cgo, every one closed; -sync is the front without an owner",
	Order:   1, N: 1_000_000, Quick: 200_000,
	Impls: []Impl{
		{Name: "direct", Run: cgoDirect},
		{Name: "setfinalizer", Run: cgoSetFinalizerClosed},
		{Name: "addcleanup", Run: cgoAddCleanupClosed},
		{Name: "offcut-handle", Version: offcutVersion, Run: cgoHandleClosed(handle.DeferInUse)},
		{Name: "offcut-handle-unguarded", Version: offcutVersion, Run: cgoHandleClosed(handle.Unguarded)},
		{Name: "offcut-pool", Version: offcutVersion, Run: cgoPoolClosed},
		{Name: "offcut-pool-sync", Version: offcutVersion, Run: cgoPoolSyncClosed},
	},
	Bars: []Bar{
		{Metric: cpuPerOp, Impl: "offcut-pool", Of: "direct", AtMost: 1.20},
		{Metric: cpuPerOp, Impl: "offcut-handle", Of: "direct", AtMost: 1.6},
	},
	Headline: []string{"direct", "setfinalizer", "addcleanup", "offcut-handle", "offcut-pool"},
})

var _ = add(Case{
	Name:    "register_only_closed",
	Summary: "the net alone, without a native call, every one closed; plain is a heap object",
	Order:   3, N: 2_000_000, Quick: 400_000,
	Impls: []Impl{
		{Name: "plain", Run: plainClosed},
		{Name: "setfinalizer", Run: onlySetFinalizerClosed},
		{Name: "addcleanup", Run: onlyAddCleanupClosed},
		{Name: "offcut-handle", Version: offcutVersion, Run: onlyHandleClosed(handle.DeferInUse)},
		{Name: "offcut-handle-unguarded", Version: offcutVersion, Run: onlyHandleClosed(handle.Unguarded)},
		{Name: "offcut-pool", Version: offcutVersion, Run: onlyPoolClosed},
		{Name: "offcut-pool-sync", Version: offcutVersion, Run: onlyPoolSyncClosed},
	},
	Bars: []Bar{
		{Metric: cpuPerOp, Impl: "offcut-handle", Of: "addcleanup", AtMost: 0.45},
		{Metric: allocsPerOp, Impl: "offcut-handle", AtMost: 1.001}, // 1: what rounds to it over a million
		{Metric: cpuPerOp, Impl: "offcut-handle-unguarded", Of: "addcleanup", AtMost: 0.35},
		{Metric: cpuPerOp, Impl: "offcut-pool", Of: "addcleanup", AtMost: 0.08},
		{Metric: bytesPerOp, Impl: "offcut-pool", AtMost: 0.01}, // 0 B/op: what rounds to it over a million
	},
})

// released counts closes on the goroutine that makes them.
var released int

func plainRelease(unsafe.Pointer) { released++ }

// escaped keeps the compiler from putting on the stack what a program would not.
var escaped *block

// somewhere is an address that is not released.
var somewhere = new([blockBytes]byte)

func address() unsafe.Pointer { return unsafe.Pointer(somewhere) }

func timeClosed(b *B, region func()) error {
	released = 0
	b.Time(region)
	if released != b.N {
		return fmt.Errorf("%d released, want exactly %d", released, b.N)
	}
	return nil
}

func cgoRelease(p unsafe.Pointer) {
	releaseBlock(p)
	released++
}

func cgoDirect(b *B) error {
	return timeClosed(b, func() {
		for range b.N {
			cgoRelease(makeBlock())
		}
	})
}

// EscapedHandle is where handles escape to; see Keep.
var EscapedHandle *handle.Handle

func cgoSetFinalizerClosed(b *B) error {
	return timeClosed(b, func() {
		for range b.N {
			o := &block{p: makeBlock()}
			runtime.SetFinalizer(o, func(o *block) { cgoRelease(o.p) })
			escaped = o
			runtime.SetFinalizer(o, nil)
			cgoRelease(o.p)
		}
	})
}

func cgoAddCleanupClosed(b *B) error {
	return timeClosed(b, func() {
		for range b.N {
			o := &block{p: makeBlock()}
			c := runtime.AddCleanup(o, cgoRelease, o.p)
			escaped = o
			c.Stop()
			cgoRelease(o.p)
			runtime.KeepAlive(o)
		}
	})
}

func cgoHandleClosed(policy handle.CloseInUse) func(b *B) error {
	return func(b *B) error {
		typ := handle.NewType(handle.Options{Name: "block", Release: cgoRelease, CloseInUse: policy})
		return timeClosed(b, func() {
			for range b.N {
				h := typ.Open(makeBlock())
				EscapedHandle = h
				_ = h.Close() // one that fails is not counted as released
			}
		})
	}
}

func cgoPoolClosed(b *B) error {
	owner := handle.NewPool(handle.Options{Name: "block", Release: cgoRelease}).NewOwner()
	return timeClosed(b, func() {
		for range b.N {
			v := owner.Open(makeBlock())
			_ = v.Close()
		}
	})
}

func cgoPoolSyncClosed(b *B) error {
	pool := handle.NewPool(handle.Options{Name: "block", Release: cgoRelease})
	return timeClosed(b, func() {
		for range b.N {
			v := pool.Open(makeBlock())
			_ = v.Close()
		}
	})
}

func plainClosed(b *B) error {
	return timeClosed(b, func() {
		for range b.N {
			escaped = &block{p: address()}
			plainRelease(escaped.p)
		}
	})
}

func onlySetFinalizerClosed(b *B) error {
	return timeClosed(b, func() {
		for range b.N {
			o := &block{p: address()}
			runtime.SetFinalizer(o, func(o *block) { plainRelease(o.p) })
			escaped = o
			runtime.SetFinalizer(o, nil)
			plainRelease(o.p)
		}
	})
}

func onlyAddCleanupClosed(b *B) error {
	return timeClosed(b, func() {
		for range b.N {
			o := &block{p: address()}
			c := runtime.AddCleanup(o, plainRelease, o.p)
			escaped = o
			c.Stop()
			plainRelease(o.p)
			runtime.KeepAlive(o)
		}
	})
}

func onlyHandleClosed(policy handle.CloseInUse) func(b *B) error {
	return func(b *B) error {
		typ := handle.NewType(handle.Options{Name: "block", Release: plainRelease, CloseInUse: policy})
		return timeClosed(b, func() {
			for range b.N {
				h := typ.Open(address())
				EscapedHandle = h
				_ = h.Close() // one that fails is not counted as released
			}
		})
	}
}

func onlyPoolClosed(b *B) error {
	owner := handle.NewPool(handle.Options{Name: "block", Release: plainRelease}).NewOwner()
	return timeClosed(b, func() {
		for range b.N {
			v := owner.Open(address())
			_ = v.Close()
		}
	})
}

func onlyPoolSyncClosed(b *B) error {
	pool := handle.NewPool(handle.Options{Name: "block", Release: plainRelease})
	return timeClosed(b, func() {
		for range b.N {
			v := pool.Open(address())
			_ = v.Close()
		}
	})
}
