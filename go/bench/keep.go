package main

import (
	"runtime"
	"unsafe"

	chunks "offcut.dev/go/memory"
)

// A million blocks that a program keeps outside the Go heap: what the collector has to do for them depends on how they are
// kept. A pointer, even one that leads out of the heap, is looked at and looked up in each GC cycle. An address is a number.

const keptBytes = 64

// Roots that the collector sees.
var (
	keptAddresses []uintptr
	keptPointers  []unsafe.Pointer
	keptBlocks    []chunks.Block
	keptObjects   []*[keptBytes]byte
)

var _ = add(Case{
	Name:    "offheap_kept_1m",
	Summary: "a million live blocks of 64 bytes: processor time of one in a GC cycle, by how they are kept",
	Order:   12, N: 1_000_000, Quick: 200_000,
	Impls: []Impl{
		{Name: "address", Version: offcutVersion, Run: kept(func(n int, h *chunks.Heap) (func(i int) error, func()) {
			keptAddresses = make([]uintptr, n)
			return func(i int) error {
				p, err := h.AllocateUninitialized(keptBytes)
				keptAddresses[i] = uintptr(p)
				return err
			}, func() { keptAddresses = nil }
		})},
		{Name: "pointer", Version: offcutVersion, Run: kept(func(n int, h *chunks.Heap) (func(i int) error, func()) {
			keptPointers = make([]unsafe.Pointer, n)
			return func(i int) error {
				p, err := h.AllocateUninitialized(keptBytes)
				keptPointers[i] = p
				return err
			}, func() { keptPointers = nil }
		})},
		{Name: "block", Version: offcutVersion, Run: kept(func(n int, h *chunks.Heap) (func(i int) error, func()) {
			keptBlocks = make([]chunks.Block, n)
			return func(i int) (err error) {
				keptBlocks[i], err = h.AllocateBlock(keptBytes)
				return err
			}, func() { keptBlocks = nil }
		})},
		{Name: "go-heap", Run: kept(func(n int, _ *chunks.Heap) (func(i int) error, func()) {
			keptObjects = make([]*[keptBytes]byte, n)
			return func(i int) error {
				keptObjects[i] = new([keptBytes]byte)
				return nil
			}, func() { keptObjects = nil }
		})},
	},
	Bars: []Bar{{Metric: cpuPerCycle, Impl: "address", Of: "go-heap", AtMost: 0.3}},
})

func kept(open func(n int, h *chunks.Heap) (keep func(i int) error, drop func())) func(b *B) error {
	return func(b *B) error {
		return ofHeap((*chunks.Owner).OpenHeap, func(b *B, h *chunks.Heap) error {
			keep, drop := open(b.N, h)
			for i := range b.N {
				if err := keep(i); err != nil {
					return err
				}
			}
			for range 3 { // the heap is at rest
				runtime.GC()
			}
			b.Time(func() {
				for range liveCycles {
					runtime.GC()
				}
			})
			b.Report(cpuPerCycle, b.metrics[cpuPerOp]/liveCycles)
			b.Only(cpuPerCycle)
			drop()
			h.FreeAll()
			return nil
		})(b)
	}
}
