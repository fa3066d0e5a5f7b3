// Package offcut is the root of the module offcut.dev/go: native memory and native handles for Go programs, closed on
// time, released by a net if forgotten, and always accounted for.
//
// The packages are the product; the root holds nothing but this map:
//
//   - [offcut.dev/go/handle]: handles for native resources, with a net that releases the forgotten ones.
//   - [offcut.dev/go/memory]: a pool of power-of-two chunks, with arenas and heaps on top.
//   - [offcut.dev/go/longmap]: a concurrent map with uint64 keys.
package offcut
