// Package memory is native memory for Go programs: a pool of power-of-two chunks, and arenas and heaps on top. Nothing of
// it is on the Go heap, so the collector neither scans nor counts it; all of it is charged to somebody; and what is cut to
// size or freed goes back to the free set at once, as large as it can be. It is made without cgo.
//
//	pool, err := memory.NewPool(memory.Config{Name: "cache", Limit: 1 << 30})
//	arena := pool.Owner().OpenArena()
//	defer arena.Close()
//	entry, err := memory.New[Entry](arena)
//
// # Layers
//
//	Pool      reserved address space, in regions of 1 GiB and a lock each
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
// A chunk is cut from the tightest free one that holds it: the lowest one for owners of [Short] lifetime, the highest for
// [Long]. Chunks below a granule come from granules of the same owner, so that a survivor does not hold what the dead of
// others left. An arena takes the chunk that begins where its last one ends, if that is free, whatever its size. The rules
// are those of the Java pool to the byte; the traces in the repository's spec directory are run by the tests of both.
//
// All maps lie on the Go heap, beside the memory and under 0.1 % of it; nothing is written into the memory itself.
//
// # Pages
//
// Pages come at first touch, as zeros, and what is known to be zero is not zeroed again. A free granule keeps its pages for
// half of [Config].Decay at least and all of it at most; [Pool.Trim] gives back everything at once, also single pages that
// no chunk lies on. [Config].Limit counts granules with pages.
//
// # Accounts
//
// Of the pool and of each owner, at every quiescent point: used ≤ handed out ≤ committed ≤ limit. [Pool.Verify] checks
// that, and every map; [Pool.Snapshot] is the table, and so is the text of a [*LimitError].
//
// # What is not promised
//
// A pointer into the memory keeps nothing alive, and nothing stops its use after the memory was given back, but for
// [Block]. Types that hold Go pointers are refused by [New] and [MakeSlice]; nothing stops storing one by other means, and
// the collector will not see it. The build tag offcut_poison overwrites what is given back.
//
// # Locks
//
// Pool.sweeping, then one of: a region's lock, a bin's lock, the regions' lock. Under a region's lock at most an Owner's.
// A shared arena's lock comes before all. No function of the program is called under any of them.
package memory
