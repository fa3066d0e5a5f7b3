package main

import (
	"fmt"
	"sync"

	"offcut.dev/go/longmap"
)

// Two goroutines, each with keys of its own, in one map.
const mapLive = 5_000

func timeMap(b *B, put func(key uint64, v *int), remove func(key uint64), size func() int) error {
	v := new(int)
	key := func(g, i int) uint64 { return 0x7f00_0000_0000 + uint64(2*i+g)*48 } // as addresses of blocks
	for g := range 2 {
		for i := range mapLive {
			put(key(g, i), v)
		}
	}
	b.Time(func() {
		var both sync.WaitGroup
		for g := range 2 {
			both.Go(func() {
				for i := range b.N / 2 {
					put(key(g, mapLive+i), v)
					remove(key(g, i))
				}
			})
		}
		both.Wait()
	})
	if size() != 2*mapLive {
		return fmt.Errorf("%d entries at the end, want %d", size(), 2*mapLive)
	}
	return nil
}

func longMap(b *B) error {
	m := longmap.New[int](0)
	return timeMap(b, func(key uint64, v *int) { m.Put(key, v) }, func(key uint64) { m.Remove(key) }, m.Size)
}

func lockedMap(b *B) error {
	var mu sync.Mutex
	m := make(map[uint64]*int)
	return timeMap(b,
		func(key uint64, v *int) {
			mu.Lock()
			m[key] = v
			mu.Unlock()
		},
		func(key uint64) {
			mu.Lock()
			delete(m, key)
			mu.Unlock()
		},
		func() int { return len(m) })
}
