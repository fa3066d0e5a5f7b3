//go:build !race

package handle

import "unsafe"

// setOpen makes slot i, which is free, open. Plain stores are enough. Only the owner writes a free slot. Who closes or uses
// the value got it from the opener, after these stores; a stale value fails at the generation, whatever it reads. The net looks once the token is unreachable, which takes
// a stop of the world after the last use of the owner. Stats may see the slot a little later. The atomic one of
// slab_open_race.go is a locked instruction, a third of the cost of an opening.
func (rec *record) setOpen(i, generation uint32, raw uintptr) {
	*(*uintptr)(unsafe.Pointer(&rec.raws[i])) = raw
	*(*uint32)(unsafe.Pointer(&rec.generations[i])) = generation
}
