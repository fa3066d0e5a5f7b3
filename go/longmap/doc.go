// Package longmap has a concurrent map from uint64 to pointers, without boxed keys and without an object for each
// entry. It is made for native addresses, which come and go fast and rarely repeat. Every uint64 is a valid key.
//
// # Layout
//
//	table    2^bits buckets, on shelves of 4096 (512 KiB), made when the first bucket moves in
//	bucket   two cache lines: a header and seven keys; a pointer to the overflow and seven values
//
//	header   version (33 bits) | moved | overflow | locked | a tag of four bits for each slot
//
// The top bits of a key's hash select its bucket. So bucket i of a table splits into the buckets 2i and 2i+1 of a table
// twice as large, and those two merge into bucket i again. The tag comes from other bits of the hash. The tags in the
// header tell which slots may hold a key; tag 0 means that the slot is free. A removal leaves no mark. Entries never
// move within a table, except inside an overflow: a small hash table for entries that did not fit into a bucket.
//
// # Protocol
//
// Everything that goroutines share is a sync/atomic variable, so all these operations have one order.
//
// Reading: a reader gets the header, the key, the value, and the header again. If both headers are equal and not
// locked, the key and the value belong together. A writer locks the header before it stores a key or a value, and
// leaves another version: so nothing was stored between two equal headers. (A header repeats only after 2^33 writes to
// its bucket during one read.)
//
// Writing: a writer reads like a reader, but ends with a compare-and-swap of the header that sets locked. If it
// succeeds, all that was read is still true. The writer then stores the key and the value. Last it stores the header
// with another version, unlocked.
//
// Resizing: the table gets a successor, and each writer moves some units to it. A unit is one bucket and the two that
// it splits into, or two neighbours and the one that they merge into. The mover locks the source, copies, and stores
// moved. Before that store, only the source is valid, and no other goroutine reads the target. After it, every
// goroutine follows the successor. A mover skips a unit whose source is locked, and comes back to it until all units
// are moved. So a goroutine that lost its processor delays one bucket, not the migration. There is one migration at a
// time: only the current table gets a successor, and the successor becomes current when all units are moved.
//
// There is no counter of entries. A put that finds its bucket full, and a removal that leaves a bucket empty, sometimes
// count the entries of a few buckets. The mean of these counts decides whether the table grows or shrinks.
package longmap
