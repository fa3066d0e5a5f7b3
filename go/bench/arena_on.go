//go:build goexperiment.arenas

package main

import (
	"arena"
	"unsafe"
)

// arenas is Go's own experiment with memory that is freed by hand: an arena for each block, since only a whole arena can be
// freed. It is in a program that is built with GOEXPERIMENT=arenas.
func arenas(size, live int) []Impl {
	return []Impl{{Name: "arena", Run: func(b *B) error {
		ring := make([]*arena.Arena, live)
		kept := make([]unsafe.Pointer, live)
		b.Time(func() {
			at := 0
			for range b.N {
				if ring[at] != nil {
					kept[at] = nil
					ring[at].Free()
				}
				a := arena.NewArena()
				block := arena.MakeSlice[byte](a, size, size)
				block[0] = 1
				ring[at], kept[at] = a, unsafe.Pointer(&block[0])
				if at++; at == live {
					at = 0
				}
			}
		})
		for _, a := range ring {
			a.Free()
		}
		return nil
	}}}
}
