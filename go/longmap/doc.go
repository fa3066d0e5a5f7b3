// Package longmap is a concurrent map from uint64 to pointers that makes no garbage: no boxed key, no node. It is made for
// native addresses, which come and go fast and never repeat in a pattern, and good for any other key; every uint64 is one.
//
// # Layout
//
//	table    2^bits buckets, on shelves of 4096 (512 KiB), made when the first bucket moves in
//	bucket   one cache line of a header and seven keys, and one of an overflow and seven values
//
//	header   version (33 bits) | moved | overflow | locked | a tag of four bits for each slot
//
// The bucket of a key is given by the top bits of its hash, so bucket i of a table is split into the buckets 2i and 2i+1 of
// one twice as large, and these are merged into i of one half as large. The tag, from other bits of the hash, tells from the
// header alone which slots may hold the key; 0 says that the slot is free. No deletion leaves a mark behind, and no entry is
// moved within a table, but inside an overflow: a small hash table for what did not fit into a bucket.
//
// # Protocol
//
// Everything that goroutines share is a sync/atomic variable, so there is one order of all these operations.
//
// Reading: header, key, value, and the header again. If it is the same twice and not locked, what was read belongs together:
// a writer locks the header before it stores a key or a value, and leaves it with another version; so between two looks that
// are alike nothing was stored. (A header comes back only after 2^33 writes to its bucket during one look.)
//
// Writing: the same look, but its end is the compare-and-swap of the header that sets locked: if that succeeds, what was
// read is still true. Then the key and the value are stored, and last the header, with another version, not locked.
//
// Resizing: the table gets a successor, and each writer moves some units on: a unit is a bucket and its two halves, or two
// neighbours and their sum. The mover locks the source, copies, and stores moved. Until then the source holds the truth and
// nobody else looks at the target; from then on everybody follows the successor. A unit whose source is locked is skipped;
// movers go round until all is moved, so a goroutine that lost its processor holds up one bucket, not the migration. One
// migration at a time: only the current table gets a successor, and it is current no more when all is moved.
//
// There is no counter of entries. A put that finds its bucket full, and a removal that leaves one empty, now and then count
// the entries of a few buckets and decide by the mean of these counts.
package longmap
