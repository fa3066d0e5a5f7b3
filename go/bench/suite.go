package main

import (
	"runtime/debug"

	"offcut.dev/go/memory"
)

// Case is one workload, the implementations that are compared on it, and what the comparison decides.
type Case struct {
	Name, Summary string
	N, Quick      int // operations of one round, and of one in the quick form
	Impls         []Impl
	Bars          []Bar
}

// Impl is one of those that are compared. Run is called in a process of its own.
type Impl struct {
	Name, Version string // the version is empty of what is Go's own
	Run           func(b *B) error
}

// Bar is what is to be reached: the ratio of two implementations' processor time.
type Bar struct {
	Impl, Of string
	AtMost   float64
}

// cases is the suite, in the order of its tables.
var cases = []Case{
	{
		Name: "cgo_alloc_free_closed", Summary: "malloc(100) and free through cgo, every one closed", N: 1_000_000, Quick: 200_000,
		Impls: []Impl{
			{Name: "direct", Run: closedDirectly(makeBlock, cgoRelease)},
			{Name: "addcleanup", Run: closedCleanups(makeBlock, cgoRelease)},
			{Name: "offcut-handle", Version: offcutVersion, Run: closedHandles(makeBlock, cgoRelease)},
			{Name: "offcut-pool", Version: offcutVersion, Run: closedValues(makeBlock, cgoRelease)},
		},
		Bars: []Bar{{"offcut-pool", "direct", 1.15}, {"offcut-handle", "direct", 1.35}},
	},
	{
		Name: "register_only_closed", Summary: "the net alone, without a native call, every one closed",
		N: 2_000_000, Quick: 400_000,
		Impls: []Impl{
			{Name: "addcleanup", Run: closedCleanups(address, plainRelease)},
			{Name: "offcut-handle", Version: offcutVersion, Run: closedHandles(address, plainRelease)},
		},
		Bars: []Bar{{"offcut-handle", "addcleanup", 0.45}},
	},
	{
		Name: "cgo_alloc_free_forgotten", Summary: "malloc(100) through cgo, every one forgotten, until the net has freed all",
		N: 1_000_000, Quick: 150_000,
		Impls: []Impl{
			{Name: "addcleanup", Run: forgottenCleanups},
			{Name: "offcut-handle", Version: offcutVersion, Run: forgottenHandles},
		},
		Bars: []Bar{{"offcut-handle", "addcleanup", 1}},
	},
	{
		Name: "heap_at_limit", Summary: "a cache in a shared heap that frees its oldest entries, when the pool refuses or before",
		N: 400_000, Quick: 100_000,
		Impls: []Impl{
			{Name: "offcut-below", Version: offcutVersion, Run: cacheBelowLimit},
			{Name: "offcut-at-limit", Version: offcutVersion, Run: cacheAtLimit},
		},
		Bars: []Bar{{"offcut-at-limit", "offcut-below", 1.2}},
	},
	{
		Name: "offheap_64", Summary: "a block of 64 bytes outside the Go heap taken, and the oldest of 1,000 freed", N: 1_000_000, Quick: 200_000,
		Impls: []Impl{
			{Name: "modernc", Version: moduleVersion("modernc.org/memory"), Run: blocksOfModernc},
			{Name: "offcut-confined", Version: offcutVersion, Run: blocksOfHeap((*memory.Owner).OpenHeap)},
			{Name: "modernc-mutex", Version: moduleVersion("modernc.org/memory"), Run: blocksOfLockedModernc},
			{Name: "offcut-shared", Version: offcutVersion, Run: blocksOfHeap((*memory.Owner).OpenSharedHeap)},
		},
		Bars: []Bar{{"offcut-confined", "modernc", 1}, {"offcut-shared", "modernc-mutex", 1}},
	},
	{
		Name: "longmap_put_remove_10k", Summary: "two goroutines: each puts a new key and removes the oldest of its 5,000", N: 1_000_000, Quick: 200_000,
		Impls: []Impl{
			{Name: "map-mutex", Run: lockedMap},
			{Name: "offcut", Version: offcutVersion, Run: longMap},
		},
		Bars: []Bar{{"offcut", "map-mutex", 1}},
	},
}

// offcutVersion is that of the libraries beside this module. The launcher sets it when it builds this program, to the one
// version of the repository.
var offcutVersion = "unreleased"

// moduleVersion is that of a peer, as this program was built with.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Version
			}
		}
	}
	return "unknown"
}
