package main

import (
	"runtime"
	"slices"
	"unsafe"
)

// The cause of the cost: the runtime's list of registrations in a span is sorted by address and walked from its head.

const orderObjects = 65_536

var _ = add(Case{
	Name:    "register_order",
	Summary: "AddCleanup on the same 65,536 objects of 16 bytes: by ascending and by descending address",
	Order:   9, N: orderObjects, Quick: orderObjects,
	Impls: []Impl{
		{Name: "ascending", Run: order(func(a, b *block) int { return compare(a, b) })},
		{Name: "descending", Run: order(func(a, b *block) int { return compare(b, a) })},
	},
	Bars: []Bar{{Metric: cpuPerOp, Impl: "descending", Of: "ascending", AtMost: 0.6}},
})

func compare(a, b *block) int {
	x, y := uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(b))
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func order(less func(a, b *block) int) func(b *B) error {
	return func(b *B) error {
		all := make([]*block, b.N)
		for i := range all {
			all[i] = &block{}
		}
		slices.SortFunc(all, less)
		freed.Store(0)
		b.Time(func() {
			for _, o := range all {
				runtime.AddCleanup(o, countOnly, address())
			}
		})
		runtime.KeepAlive(all)
		return afterwards(b, true)
	}
}
