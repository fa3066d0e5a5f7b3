// Package memory is native memory for Go programs: a pool of chunks whose sizes are powers of two, with arenas and
// heaps on it. None of it is on the Go heap, so the collector neither scans nor counts it. All of it is charged to
// owners. Freed memory joins its free neighbours at once. The package uses no cgo.
//
//	pool, err := memory.NewPool(memory.Config{Name: "cache", Limit: 1 << 30})
//	arena := pool.Owner().OpenArena()
//	defer arena.Close()
//	entry, err := memory.New[Entry](arena)
//
// # Layers
//
//	Pool      reserved address space, in regions of 1 GiB, each with a lock
//	  Owner   a part of the program that is charged for bytes: a tree with soft and hard limits
//	    chunk   a power of two from 1 KiB to 4 MiB, aligned to its own size; or whole roots in a row
//	    Arena   a line of chunks; blocks are cut from it one after the other, and freed together
//	    Heap    slabs of blocks of one size, which are freed one by one; raw, or tracked by a generation
//
// # Chunks
//
//	region   1 GiB of address space (the first one, and each with 32 bits, 64 MiB)
//	root     4 MiB, the largest chunk; a larger request takes roots in a row, and frees the rest of the last one
//	granule  64 KiB = 64 leaves: committed, charged and returned to the system as a whole
//	leaf     1 KiB, the smallest chunk
//
//	root      [                              4 MiB                              ]
//	          [             2 MiB             ][              2 MiB             ]   a free half joins its
//	          [ 1 MiB        ][ 1 MiB         ]                                     other half at once
//	            …
//	granule   [64][64]…                                a bit for each node of the tree
//	leaf      ||||||||…                                a bit for each leaf, 64 in a word
//
// A chunk is cut from the smallest free one that is large enough. If there are several, an owner of Short lifetime
// takes the lowest, and an owner of Long lifetime the highest. Chunks smaller than a granule come from granules of the
// same owner, so that a chunk in use never keeps memory that other owners have freed. An arena takes the chunk right
// behind its last one, if that is free, whatever its size. The rules are those of the Java pool, to the byte: the tests
// of both run the traces in the repository's spec directory.
//
// All maps are on the Go heap and take less than 0.1 % of the pool's size. Nothing is written into the pool's memory.
//
// # Pages
//
// The system provides pages at first touch, as zeros; Windows does so after the pool has committed a granule. On
// systems other than Linux, macOS, FreeBSD, NetBSD, DragonFly and Windows, a pool takes its regions from the Go
// heap, and free memory stays resident until the pool is closed. Memory that is known to be zero is not zeroed
// again. A free granule stays resident for at least half of [Config.Decay] and at most all of it. [Pool.Trim]
// returns all free memory at once, including single pages without a chunk. [Config.Limit] counts committed
// granules: those with pages.
//
// # Accounts
//
// If no other goroutine uses the pool, used ≤ handed out ≤ committed ≤ limit, for the pool and for each owner.
// [Pool.Verify] checks this, and checks all internal maps. [Pool.Snapshot] returns these figures; the text of a
// [*LimitError] has the same table.
//
// # What is not promised
//
// A pointer into the memory keeps nothing reachable. Nothing stops a program from using such a pointer after the memory
// was freed; only a [Block] reports it. [New] and [MakeSlice] refuse types that have Go pointers. Nothing stops you
// from storing a Go pointer by other means, and the collector will not see it. The build tag offcut_poison overwrites
// freed memory.
//
// # Locks
//
// A shared arena's lock is taken before all others. Then comes Pool.sweeping, and then one of these: a region's lock, a
// bin's lock, the regions' lock. Under a region's lock only an Owner's lock may be taken. A function of the program
// ([OwnerConfig.OnSoftLimit]) runs under none of them.
package memory
