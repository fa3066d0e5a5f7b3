// Package offcut is the root of the module offcut.dev/go: native memory and native handles for Go programs, closed on
// time, released by a safety net if forgotten, and always accounted for.
//
// The root has no code. Import one of these packages:
//
//   - [offcut.dev/go/handle]: handles for native resources, with a safety net that releases forgotten ones.
//   - [offcut.dev/go/memory]: a pool of native memory, with limits, arenas and heaps.
//   - [offcut.dev/go/longmap]: a concurrent map with uint64 keys.
package offcut
