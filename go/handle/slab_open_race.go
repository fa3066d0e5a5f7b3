//go:build race

package handle

// setOpen is as in slab_open.go, for the race detector, to which a plain store and the loads of [Stats] are a race.
func (rec *record) setOpen(i, generation uint32, raw uintptr) {
	rec.raws[i].Store(raw)
	rec.generations[i].Store(generation)
}
