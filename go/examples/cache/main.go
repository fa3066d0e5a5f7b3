// Command cache is an off-heap cache on arenas. Its values have any length, and are found by key. The garbage collector
// neither scans nor counts them: only the index, a Go map, is on the Go heap.
//
//	go run offcut.dev/go/examples/cache [-entries N] [-limit BYTES]
//
// The cache has two generations, each with an arena. New entries go to the young generation. When it is full, the arena
// of the old one is closed, which frees all its entries at once, and the young generation becomes the old one. An entry
// that is found in the old generation moves to the young one. So entries in use stay, and no entry is freed by itself.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"runtime"
	"strconv"

	"offcut.dev/go/memory"
)

func main() {
	entries := flag.Int("entries", 200_000, "how many `N` entries are put, of about 100 bytes")
	limit := flag.Int("limit", 8<<20, "the most `BYTES` of native memory")
	flag.Parse()
	if err := run(*entries, *limit); err != nil {
		log.Fatal("cache: ", err)
	}
}

func run(entries, limit int) error {
	pool, err := memory.NewPool(memory.Config{Name: "cache", Limit: limit})
	if err != nil {
		return err
	}
	cache := newCache(pool.Owner(), limit/3) // two generations, and room for what lies between
	hits, err := use(cache, entries)
	if err != nil {
		return err
	}
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	fmt.Printf("%d entries put, %d of %d looks found theirs, %d generations freed\n", entries, hits, entries, cache.turned)
	fmt.Printf("Go heap objects: %d\n\n%v\n\n", heap.HeapObjects, pool.Snapshot())
	if err := cache.close(); err != nil {
		return err
	}
	return pool.Close() // fails if anything were left
}

// use puts entries and looks for those of the last tenth.
func use(c *cache, entries int) (hits int, err error) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range entries {
		value := []byte("value " + strconv.Itoa(i) + " of the cache, and something more to make it as long as values are")
		if err := c.put(uint64(i), value[:40+random.IntN(len(value)-40)]); err != nil {
			return 0, err
		}
		key := uint64(i - random.IntN(1+i/10))
		found, ok, err := c.get(key)
		if err != nil {
			return 0, err
		}
		if !ok {
			continue
		}
		if want := "value " + strconv.FormatUint(key, 10) + " "; string(found[:len(want)]) != want {
			return 0, fmt.Errorf("key %d has %q", key, found)
		}
		hits++
	}
	return hits, nil
}
