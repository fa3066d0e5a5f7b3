package main

import (
	"runtime"
	"sync/atomic"
	"time"

	"offcut.dev/go/handle"
)

// Eight million resources are forgotten as fast as the program can: how many are waiting at the worst time.

const (
	peakOutstanding = "peak_outstanding"
	cyclesRun       = "gc_cycles"
	leakBudget      = 4 << 20 // 42,000 resources of 100 bytes
)

var _ = add(Case{
	Name:    "leak_8m",
	Summary: "8 million resources of 100 native bytes forgotten in a row; Offcut with a budget of 4 MiB, and -free without",
	Order:   7, N: 8_000_000, Quick: 1_000_000,
	Impls: []Impl{
		{Name: "setfinalizer", Run: leak(func(n int, opened *atomic.Int64) {
			for range n {
				runtime.SetFinalizer(&block{p: address()}, func(o *block) { countOnly(o.p) })
				opened.Add(1)
			}
		})},
		{Name: "addcleanup", Run: leak(func(n int, opened *atomic.Int64) {
			for range n {
				runtime.AddCleanup(&block{p: address()}, countOnly, address())
				opened.Add(1)
			}
		})},
		{Name: "offcut-handle", Version: offcutVersion, Run: leak(leakHandles)},
		{Name: "offcut-pool", Version: offcutVersion, Run: leak(leakValues(blockBytes))},
		{Name: "offcut-pool-free", Version: offcutVersion, Run: leak(leakValues(0))},
	},
	Bars: []Bar{
		{Metric: peakOutstanding, Impl: "offcut-pool", Of: "addcleanup", AtMost: 2},
		{Metric: peakOutstanding, Impl: "offcut-handle", Of: "addcleanup", AtMost: 2},
	},
})

func leakHandles(n int, opened *atomic.Int64) {
	handle.SetBudget(leakBudget, time.Millisecond)
	typ := handle.NewType(handle.Options{Name: "leak", Release: countOnly, Bytes: blockBytes})
	for range n {
		typ.Open(address())
		opened.Add(1)
	}
}

func leakValues(bytes int64) func(n int, opened *atomic.Int64) {
	return func(n int, opened *atomic.Int64) {
		handle.SetBudget(leakBudget, time.Millisecond)
		owner := handle.NewPool(handle.Options{Name: "leak", Release: countOnly, Bytes: bytes}).NewOwner()
		for range n {
			owner.Open(address())
			opened.Add(1)
		}
		_ = owner.Close()
	}
}

func leak(forget func(n int, opened *atomic.Int64)) func(b *B) error {
	return func(b *B) error {
		var opened atomic.Int64
		freed.Store(0)
		stop, done := make(chan struct{}), make(chan int64)
		go func() { done <- watch(&opened, stop) }()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		b.Time(func() {
			forget(b.N, &opened)
			drainTo(&freed, b.N)
		})
		runtime.ReadMemStats(&after)
		close(stop)
		b.Report(peakOutstanding, float64(<-done))
		b.Report(cyclesRun, float64(after.NumGC-before.NumGC))
		b.Only(peakOutstanding, cyclesRun, cpuPerOp)
		return exactly(&freed, b.N)
	}
}

// watch looks at what is outstanding each 100 µs. The loads are not one moment; freed is read last, so that the difference
// is never too large.
func watch(opened *atomic.Int64, stop chan struct{}) (peak int64) {
	tick := time.NewTicker(100 * time.Microsecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return peak
		case <-tick.C:
			o := opened.Load()
			peak = max(peak, o-freed.Load())
		}
	}
}
