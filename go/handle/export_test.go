package handle

// What the tests may see: limits, and levers that a program has no use for.
const (
	MaxSlots       = maxSlots
	PromotedAtOnce = promotedAtOnce
	SlabSlots      = slabSlots
	RetireAfter    = retireAfter
	LastGeneration = wornOut - 1
)

// ExitReportOf is the text of an exit report.
var ExitReportOf = Snapshot.exitReport

// Rotate promotes all young handles.
func Rotate() { net.promoteAll() }

// Rotate promotes the young handles of the type.
func (t *TypeOf[T]) Rotate() { t.typ.rotate() }

// SetGeneration makes the slot of an open value older; it returns the value as it is then.
func (v Value[T]) SetGeneration(g uint32) Value[T] {
	v.any.token.record.generations[v.any.index%slabSlots].Store(g)
	v.any.generation = g
	return v
}

// SameSlot says whether two values have the same slot.
func (v Value[T]) SameSlot(w Value[T]) bool {
	return v.any.token == w.any.token && v.any.index%slabSlots == w.any.index%slabSlots
}

// Outstanding is the native bytes accounted.
func Outstanding() int64 { return nativeBytes.outstanding() }

// Grouped is the numbers of reports.
func Grouped(n int64) string { return grouped(n) }
