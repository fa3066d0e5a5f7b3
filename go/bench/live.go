package main

import (
	"runtime"

	"offcut.dev/go/handle"
)

// A million objects that live: what their being registered costs in each GC cycle.

const (
	cpuPerCycle    = "cpu_ns_per_object_and_cycle"
	bytesPerObject = "bytes_per_object"
	liveCycles     = 10
)

var _ = add(Case{
	Name:    "live_1m",
	Summary: "a million live objects: processor time of one in a GC cycle, and memory of the process for it",
	Order:   6, N: 1_000_000, Quick: 200_000,
	Impls: []Impl{
		{Name: "plain", Run: live(false, func(n int) func(i int) any {
			all := make([]*block, n)
			return func(i int) any { all[i] = &block{p: address()}; return all }
		})},
		{Name: "setfinalizer", Run: live(true, func(n int) func(i int) any {
			all := make([]*block, n)
			return func(i int) any {
				all[i] = &block{p: address()}
				runtime.SetFinalizer(all[i], func(o *block) { countOnly(o.p) })
				return all
			}
		})},
		{Name: "addcleanup", Run: live(true, func(n int) func(i int) any {
			all := make([]*block, n)
			return func(i int) any {
				all[i] = &block{p: address()}
				runtime.AddCleanup(all[i], countOnly, all[i].p)
				return all
			}
		})},
		{Name: "offcut-handle", Version: offcutVersion, Run: live(true, func(n int) func(i int) any {
			all := make([]*handle.Handle, n)
			typ := handle.NewType(handle.Options{Name: "live", Release: countOnly})
			return func(i int) any { all[i] = typ.Open(address()); return all }
		})},
		{Name: "offcut-handle-sized", Version: offcutVersion, Run: live(true, func(n int) func(i int) any {
			all := make([]*handle.Handle, n)
			typ := handle.NewType(handle.Options{Name: "live", Release: countOnly})
			return func(i int) any { all[i] = typ.OpenSized(address(), blockBytes); return all }
		})},
		{Name: "offcut-pool", Version: offcutVersion, Run: live(true, func(n int) func(i int) any {
			all := make([]handle.Value, n)
			owner := handle.NewPool(handle.Options{Name: "live", Release: countOnly}).NewOwner()
			return func(i int) any { all[i] = owner.Open(address()); return all }
		})},
	},
	Bars: []Bar{
		{Metric: cpuPerCycle, Impl: "offcut-pool", Of: "addcleanup", AtMost: 0.35},
		{Metric: cpuPerCycle, Impl: "offcut-handle", Of: "addcleanup", AtMost: 1.0},
		{Metric: bytesPerObject, Impl: "offcut-handle", AtMost: 117},
		{Metric: bytesPerObject, Impl: "offcut-handle-sized", AtMost: 117},
	},
})

func live(registers bool, open func(n int) func(i int) any) func(b *B) error {
	return func(b *B) error {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		one := open(b.N)
		var all any
		for i := range b.N {
			all = one(i)
		}
		for range 3 { // what is young is promoted, and the heap is at rest
			runtime.GC()
		}
		runtime.ReadMemStats(&after)
		b.Time(func() {
			for range liveCycles {
				runtime.GC()
			}
		})
		b.Report(cpuPerCycle, b.metrics[cpuPerOp]/liveCycles)
		b.Report(bytesPerObject, float64(memoryOf(&after)-memoryOf(&before))/float64(b.N))
		b.Only(cpuPerCycle, bytesPerObject)
		runtime.KeepAlive(all)
		freed.Store(0)
		return afterwards(b, registers)
	}
}

// memoryOf is the live heap and what the runtime keeps beside it, such as the list of registrations.
func memoryOf(m *runtime.MemStats) int64 { return int64(m.HeapAlloc + m.OtherSys + m.MSpanInuse) }
