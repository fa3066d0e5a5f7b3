package main

import (
	"sync"
	"unsafe"

	"offcut.dev/go/handle"
)

// Every operation uses an open resource once, for as good as no time.

var _ = add(Case{
	Name:    "use",
	Summary: "one use of an open resource: none calls the function with the address, rwmutex locks and looks whether it is closed",
	Order:   5, N: 20_000_000, Quick: 4_000_000,
	Impls: []Impl{
		{Name: "none", Run: useNone},
		{Name: "rwmutex", Run: useRWMutex},
		{Name: "offcut-handle", Version: offcutVersion, Run: useHandle(handle.DeferInUse)},
		{Name: "offcut-handle-unguarded", Version: offcutVersion, Run: useHandle(handle.Unguarded)},
		{Name: "offcut-pool", Version: offcutVersion, Run: usePool},
	},
	Bars: []Bar{{Metric: cpuPerOp, Impl: "offcut-handle", Over: "none", AtMost: 10}},
})

// used counts uses; it is written through an address that the compiler does not know.
var used int

//go:noinline
func useOnce(p unsafe.Pointer) { *(*int)(p)++ }

func useNone(b *B) error {
	p := unsafe.Pointer(&used)
	b.Time(func() {
		for range b.N {
			useOnce(p)
		}
	})
	return nil
}

// locked is what a program writes that has no handles, and whose resource is closed by another goroutine.
type locked struct {
	mu     sync.RWMutex
	p      unsafe.Pointer
	closed bool
}

func (l *locked) with(use func(unsafe.Pointer)) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		return false
	}
	use(l.p)
	return true
}

func useRWMutex(b *B) error {
	l := &locked{p: unsafe.Pointer(&used)}
	b.Time(func() {
		for range b.N {
			l.with(useOnce)
		}
	})
	return nil
}

func useHandle(policy handle.CloseInUse) func(b *B) error {
	return func(b *B) error {
		typ := handle.NewType(handle.Options{Name: "used", Release: plainRelease, CloseInUse: policy})
		h := typ.Open(unsafe.Pointer(&used))
		var err error
		b.Time(func() {
			for range b.N {
				err = h.With(useOnce)
			}
		})
		if err != nil {
			return err
		}
		return h.Close()
	}
}

func usePool(b *B) error {
	v := handle.NewPool(handle.Options{Name: "used", Release: plainRelease}).Open(unsafe.Pointer(&used))
	var err error
	b.Time(func() {
		for range b.N {
			err = v.With(useOnce)
		}
	})
	if err != nil {
		return err
	}
	return v.Close()
}
