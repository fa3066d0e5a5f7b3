// Package longmap is a concurrent map from uint64 to pointers that makes no garbage: no boxed key, no node. It is made
// for native addresses, which come and go fast and rarely repeat. Every uint64 is a valid key.
//
// # Layout
//
//	table    2^bits buckets, on shelves of 4096 (512 KiB), made when the first bucket moves in
//	bucket   one cache line of a header and seven keys, and one of an overflow and seven values
//
//	header   version (33 bits) | moved | overflow | locked | a tag of four bits for each slot
//
// The top bits of a key's hash select its bucket. So bucket i of a table is split into the buckets 2i and 2i+1 of a
// table twice as large, and these are merged into bucket i again. The tag is made from other bits of the hash. It
// tells from the header alone which slots may hold the key; 0 means a free slot. A deletion leaves no mark. No entry
// is moved within a table, except inside an overflow: a small hash table for entries that did not fit into a bucket.
//
// # Protocol
//
// Everything that goroutines share is a sync/atomic variable, so all these operations have one order.
//
// Reading: header, key, value, and the header again. If the header is the same twice and not locked, key and value
// belong together: a writer locks the header before it stores a key or a value, and leaves another version. So between
// two equal headers nothing was stored. (A header repeats only after 2^33 writes to its bucket during one look.)
//
// Writing: the same look, but it ends with a compare-and-swap of the header that sets locked. If that succeeds, what
// was read is still true. Then the writer stores the key and the value, and last the header with another version,
// unlocked.
//
// Resizing: the table gets a successor, and each writer moves some units to it. A unit is a bucket and its two halves,
// or two neighbours and their sum. The mover locks the source, copies, and stores moved. Until then the source is
// valid and nobody else reads the target. From then on everybody follows the successor. A unit whose source is locked
// is skipped, and movers go round until everything is moved. So a goroutine that lost its processor delays one bucket,
// not the migration. There is one migration at a time: only the current table gets a successor, and the successor
// becomes current when everything is moved.
//
// There is no counter of entries. A put that finds its bucket full, or a removal that leaves one empty, now and then
// counts the entries of a few buckets. The mean of these counts decides about resizing.
package longmap
