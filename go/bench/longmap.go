package main

import (
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/alphadose/haxmap"
	cmap "github.com/orcaman/concurrent-map/v2"
	"github.com/puzpuzpuz/xsync/v4"
	"offcut.dev/go/longmap"
)

// Addresses come and go in a map of ten thousand: a new one is put, and the oldest removed.

const longmapLive = 10_000

var _ = add(Case{
	Name:    "longmap_put_remove_10k",
	Summary: "a new key put and the oldest of 10,000 removed; the values are the same pointer",
	Order:   20, N: 1_000_000, Quick: 200_000,
	Impls: []Impl{
		{Name: "offcut", Version: offcutVersion, Run: longmapRun(func() keyed {
			m := longmap.New[int](0)
			return keyed{func(key uint64, v *int) { m.Put(key, v) }, func(key uint64) { m.Remove(key) }, m.Size}
		})},
		{Name: "sync.Map", Run: longmapRun(func() keyed {
			var m sync.Map
			return keyed{func(key uint64, v *int) { m.Store(key, v) }, func(key uint64) { m.Delete(key) }, func() (size int) {
				m.Range(func(any, any) bool { size++; return true })
				return size
			}}
		})},
		{Name: "xsync", Version: moduleVersion("github.com/puzpuzpuz/xsync/v4"), Run: longmapRun(func() keyed {
			m := xsync.NewMap[uint64, *int]()
			return keyed{m.Store, m.Delete, m.Size}
		})},
		{Name: "haxmap", Version: moduleVersion("github.com/alphadose/haxmap"), Run: longmapRun(func() keyed {
			m := haxmap.New[uint64, *int]()
			return keyed{m.Set, func(key uint64) { m.Del(key) }, func() int { return int(m.Len()) }}
		})},
		{Name: "sharded", Version: moduleVersion("github.com/orcaman/concurrent-map/v2"), Run: longmapRun(func() keyed {
			m := cmap.NewWithCustomShardingFunction[uint64, *int](func(key uint64) uint32 {
				return uint32(key * 0x9E37_79B9_7F4A_7C15 >> 32)
			})
			return keyed{m.Set, m.Remove, m.Count}
		})},
	},
	Bars: []Bar{
		{Metric: bytesPerOp, Impl: "offcut", AtMost: 0.5}, // 0 B/op: what growing cost is over before
	},
})

// keyed is one of the maps; all are called through the same kind of function.
type keyed struct {
	put    func(key uint64, v *int)
	remove func(key uint64)
	size   func() int
}

func longmapRun(open func() keyed) func(b *B) error {
	return func(b *B) error {
		m, v := open(), new(int)
		for i := range longmapLive {
			m.put(address48(i), v)
		}
		b.Time(func() {
			for i := range b.N {
				m.put(address48(longmapLive+i), v)
				m.remove(address48(i))
			}
		})
		if size := m.size(); size != longmapLive {
			return fmt.Errorf("%d entries at the end, not %d", size, longmapLive)
		}
		return nil
	}
}

// address48 is like that of a block of 48 bytes.
func address48(i int) uint64 { return 0x7f00_0000_0000 + uint64(i)*48 }

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
