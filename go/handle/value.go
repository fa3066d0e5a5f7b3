package handle

import (
	"fmt"
	"runtime"
)

// anyValue is a [Value] without its T.
type anyValue struct {
	token      *token
	index      uint32 // of the slot; with notedIndex, closing has more to do
	generation uint32
}

// notedIndex is set in the index of a value whose site was recorded, or whose bytes are accounted.
const notedIndex = slabSlots

func (v anyValue) close() error {
	if v.token == nil {
		return noHandle("Close of the zero Value")
	}
	rec := v.token.record
	i := v.index % slabSlots
	if v.index&notedIndex != 0 {
		return v.closeNoted()
	}
	// Read before the swap, after which the owner may use the slot. If another close is faster, it is not used.
	raw := rec.raws[i].Load()
	if !rec.generations[i].CompareAndSwap(v.generation, v.generation+1) { // decides between closers
		return v.closedError("Close")
	}
	if rec.state.Load() == slabRetired {
		return v.closeRetired(raw)
	}
	rec.pool.close(raw)
	runtime.KeepAlive(v.token) // to here: the net looks at slots only after the token is unreachable
	return nil
}

// closeRetired is the rest of close, where the owner waits no more for the slots.
func (v anyValue) closeRetired(raw uintptr) error {
	v.token.record.comeBack(v.token)
	v.token.record.pool.close(raw)
	runtime.KeepAlive(v.token)
	return nil
}

// closeNoted is close, of a value that is in the books.
func (v anyValue) closeNoted() error {
	rec := v.token.record
	i := v.index % slabSlots
	raw, at := rec.raws[i].Load(), rec.site(i)
	if !rec.generations[i].CompareAndSwap(v.generation, v.generation+1) {
		return v.closedError("Close")
	}
	if rec.state.Load() == slabRetired {
		rec.comeBack(v.token)
	}
	rec.pool.uncharge(at)
	rec.pool.close(raw)
	runtime.KeepAlive(v.token)
	return nil
}

func (v anyValue) isClosed() bool {
	return v.token == nil || v.token.record.generations[v.index%slabSlots].Load() != v.generation
}

func (v anyValue) text() string {
	switch {
	case v.token == nil:
		return "handle(none)"
	case v.isClosed():
		return v.token.record.pool.name + "(closed)"
	}
	return v.token.record.pool.name + "(open)"
}

func (v anyValue) raw() (uintptr, error) {
	if v.token == nil {
		return 0, noHandle("use of the zero Value")
	}
	rec := v.token.record
	i := v.index % slabSlots
	// Makes the raw value visible, which was written before this generation.
	if rec.generations[i].Load() != v.generation {
		return 0, v.closedError("use")
	}
	return rec.raws[i].Load(), nil
}

func (v anyValue) closedError(what string) error {
	rec := v.token.record
	now := rec.generations[v.index%slabSlots].Load()
	text := fmt.Sprintf("%s: %s of a closed value", rec.pool.name, what)
	if now > v.generation+1 {
		text += "; its slot was given to another resource since"
	}
	return &fault{kind: ErrClosed, text: text}
}
