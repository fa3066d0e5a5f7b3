// Package memory is native memory for Go programs: a pool of power-of-two chunks, and arenas and heaps on top. None of
// it is on the Go heap, so the collector neither scans nor counts it. All of it is charged to an owner. Freed memory
// joins its free neighbours at once. The package uses no cgo.
//
//	pool, err := memory.NewPool(memory.Config{Name: "cache", Limit: 1 << 30})
//	arena := pool.Owner().OpenArena()
//	defer arena.Close()
//	entry, err := memory.New[Entry](arena)
//
// # Layers
//
//	Pool      reserved address space, in regions of 1 GiB, each with a lock
//	  Owner   whom bytes are charged to: a tree with soft and hard limits
//	    chunk   a power of two from 1 KiB to 4 MiB, aligned to its own size; or whole roots in a row
//	    Arena   a line of chunks; blocks are cut from it one after the other, and given back together
//	    Heap    slabs of blocks of one size, to be freed one by one; raw, or tracked by a generation
//
// # Chunks
//
//	region   1 GiB of address space (the first one 64 MiB)
//	root     4 MiB, the largest chunk; more is a run of whole roots, its tail given back
//	granule  64 KiB = 64 leaves: committed, charged and given back as one
//	leaf     1 KiB, the smallest chunk
//
//	root      [                              4 MiB                              ]
//	          [             2 MiB             ][              2 MiB             ]   a free half joins its
//	          [ 1 MiB        ][ 1 MiB         ]                                     other half at once
//	            …
//	granule   [64][64]…                                a bit a node of the tree
//	leaf      ||||||||…                                a bit a leaf, 64 to the word
//
// A chunk is cut from the smallest free one that is large enough: the lowest of these for owners of Short lifetime,
// the highest for Long. Chunks smaller than a granule come from granules of the same owner, so that a chunk in use
// never keeps memory that other owners have freed. An arena takes the chunk right behind its last one, if that is
// free, whatever its size. The rules are the same as in the Java pool, to the byte: the tests of both run the traces
// in the repository's spec directory.
//
// All maps are on the Go heap and take less than 0.1 % of the pool's size. Nothing is written into the pool's memory.
//
// # Pages
//
// The system provides pages at first touch, as zeros. Memory that is known to be zero is not zeroed again. A free
// granule keeps its pages for at least half of [Config.Decay] and at most all of it. [Pool.Trim] returns everything at
// once, including single pages without a chunk. [Config.Limit] counts granules with pages.
//
// # Accounts
//
// While nobody uses the pool: used ≤ handed out ≤ committed ≤ limit, for the pool and for each owner. [Pool.Verify]
// checks this, and checks all internal maps. [Pool.Snapshot] is a table of these figures; the text of a [*LimitError]
// has the same table.
//
// # What is not promised
//
// A pointer into the memory keeps nothing alive. Nothing stops the use of such a pointer after the memory was freed.
// Only a Block reports it. [New] and [MakeSlice] refuse types that hold Go pointers. Nothing stops you from storing one
// by other means, and the collector will not see it. The build tag offcut_poison overwrites freed memory.
//
// # Locks
//
// Pool.sweeping, then one of: a region's lock, a bin's lock, the regions' lock. Under a region's lock only an Owner's
// lock may be taken. A shared arena's lock comes before all others. No function of the program is called under any of
// them.
package memory
