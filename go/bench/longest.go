package main

import (
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"offcut.dev/go/handle"
)

// A million handles are opened and stay open: how long the longest opening takes.

const (
	longestOpen    = "longest_open_ms"
	longestOpenCPU = "longest_open_cpu_ms"
)

var _ = add(Case{
	Name: "longest_open",
	Summary: "two goroutines open a million resources, which stay open: the longest opening by the clock, and its processor " +
		"time; plain is a heap object",
	Order: 7, N: 1_000_000, Quick: 1_000_000,
	Impls: []Impl{
		{Name: "plain", Run: longest(false, func() func() any {
			return func() any { return &block{p: address()} }
		})},
		{Name: "addcleanup", Run: longest(true, func() func() any {
			return func() any {
				o := &block{p: address()}
				runtime.AddCleanup(o, countOnly, o.p)
				return o
			}
		})},
		{Name: "offcut-handle", Version: offcutVersion, Run: longest(true, func() func() any {
			typ := handle.NewType(handle.Options{Name: "live", Release: countOnly})
			return func() any { return typ.Open(address()) }
		})},
	},
	// By the clock, the longest opening is as long as the system lets other programs run: see plain.
	Bars: []Bar{{Metric: longestOpenCPU, Impl: "offcut-handle", AtMost: 5}},
})

func longest(registers bool, front func() func() any) func(b *B) error {
	return func(b *B) error {
		open := front()
		var wall, cpu [openers]time.Duration
		var all [openers][]any
		var both sync.WaitGroup
		for g := range openers {
			all[g] = make([]any, b.N/openers)
			both.Go(func() {
				runtime.LockOSThread() // whose processor time is measured
				defer runtime.UnlockOSThread()
				for i := range all[g] {
					started, spent := time.Now(), threadCPU()
					all[g][i] = open()
					wall[g] = max(wall[g], time.Since(started))
					cpu[g] = max(cpu[g], threadCPU()-spent)
				}
			})
		}
		both.Wait()
		b.Report(longestOpen, float64(max(wall[0], wall[1]))/1e6)
		b.Report(longestOpenCPU, float64(max(cpu[0], cpu[1]))/1e6)
		runtime.KeepAlive(&all)
		freed.Store(0)
		return afterwards(b, registers)
	}
}

const openers = 2

func threadCPU() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}
