package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// B is one measurement: N operations, of which the ones inside Time count.
type B struct {
	N       int
	metrics map[string]float64
}

func newB(n int) *B { return &B{N: n, metrics: make(map[string]float64)} }

// Time runs the measured region and reports cpu_ns_per_op, allocs_per_op and bytes_per_op. The time is the processor
// time of all threads of the process, the collector's included: what is left to be done must be done inside.
func (b *B) Time(region func()) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := processCPU()
	region()
	spent := processCPU() - start
	runtime.ReadMemStats(&after)
	b.Report(cpuPerOp, float64(spent)/float64(b.N))
	b.Report(allocsPerOp, float64(after.Mallocs-before.Mallocs)/float64(b.N))
	b.Report(bytesPerOp, float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N))
}

// Report adds a metric, or replaces it.
func (b *B) Report(metric string, value float64) { b.metrics[metric] = value }

// Only leaves nothing but these metrics.
func (b *B) Only(metrics ...string) {
	kept := make(map[string]float64)
	for _, m := range metrics {
		kept[m] = b.metrics[m]
	}
	b.metrics = kept
}

func processCPU() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}

// drainTo collects until freed is n, and waits for what the collector found meanwhile.
func drainTo(freed *atomic.Int64, n int) {
	deadline := time.Now().Add(2 * time.Minute)
	for freed.Load() < int64(n) && time.Now().Before(deadline) {
		runtime.GC()
		for last := int64(-1); last != freed.Load() && freed.Load() < int64(n); {
			last = freed.Load()
			time.Sleep(time.Millisecond)
		}
	}
}

// exactly fails unless so many were freed, also after what may still come.
func exactly(freed *atomic.Int64, n int) error {
	runtime.GC()
	time.Sleep(5 * time.Millisecond)
	if got := freed.Load(); got != int64(n) {
		return fmt.Errorf("%d freed, want exactly %d", got, n)
	}
	return nil
}
