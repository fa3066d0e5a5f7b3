package handle

import (
	"fmt"
	"io"
	"runtime"
	"unsafe"
)

var _ io.Closer = Value{}

// Value owns one native resource, as [Handle] does, but is a value of 16 bytes. Copy it as you like: all copies are the
// same handle. [Pool.Open] and [Owner.Open] make values; the zero Value belongs to no pool.
//
// Close of any copy releases the resource, once. A value is forgotten if all its copies are unreachable. The net
// releases its resource once two conditions hold: no other open value of its slab of 32 is reachable, and the [Owner]
// of the slab no longer hands out its slots.
//
// Goroutines: any goroutine may close a value, and several may do so at once: one of them releases the resource. If
// different goroutines use and close a value, the program must order these calls.
type Value struct {
	token      *token
	index      uint32 // of the slot; with notedIndex, closing has more to do
	generation uint32
}

// notedIndex is set in the index of a value whose site was recorded, or whose bytes are accounted.
const notedIndex = slabSlots

// Close releases the resource on this goroutine. The first call, of any copy, releases it and returns nil. Later calls
// return [ErrClosed], even if the slot has another resource by then. For the zero Value, Close returns [ErrNoHandle].
func (v Value) Close() error {
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

// closeRetired is the rest of Close, where the owner waits no more for the slots.
func (v Value) closeRetired(raw uintptr) error {
	v.token.record.comeBack(v.token)
	v.token.record.pool.close(raw)
	runtime.KeepAlive(v.token)
	return nil
}

// closeNoted is Close, of a value that is in the books.
func (v Value) closeNoted() error {
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

// With calls use with the address, and keeps the value reachable until use returns. The address must not be kept after
// the call. If the value is closed, With returns [ErrClosed] and does not call use. It panics if the resources of the
// pool are ids.
func (v Value) With(use func(p unsafe.Pointer)) error {
	p, err := v.BeginUse()
	if err != nil {
		return err
	}
	use(p)
	v.EndUse()
	return nil
}

// WithID is [Value.With] for resources that are ids or descriptors. It panics if they are addresses.
func (v Value) WithID(use func(id uintptr)) error {
	id, err := v.BeginUseID()
	if err != nil {
		return err
	}
	use(id)
	v.EndUse()
	return nil
}

// BeginUse begins a use and returns the address. The address is valid until [Value.EndUse], unless another goroutine
// closes the value before. BeginUse returns [ErrClosed] if the value is closed. It panics if the resources of the pool
// are ids.
func (v Value) BeginUse() (unsafe.Pointer, error) {
	raw, err := v.raw()
	if err != nil {
		return nil, err
	}
	v.token.record.pool.checkUse(addresses)
	return pointer(raw), nil
}

// BeginUseID is [Value.BeginUse] for resources that are ids or descriptors. It panics if they are addresses.
func (v Value) BeginUseID() (uintptr, error) {
	raw, err := v.raw()
	if err == nil {
		v.token.record.pool.checkUse(ids)
	}
	return raw, err
}

// EndUse ends a use that [Value.BeginUse] or [Value.BeginUseID] began.
func (v Value) EndUse() {
	runtime.KeepAlive(v.token)
}

// IsClosed returns whether the value is closed. It returns true for the zero Value.
func (v Value) IsClosed() bool {
	return v.token == nil || v.token.record.generations[v.index%slabSlots].Load() != v.generation
}

// String returns the name of the pool and the state.
func (v Value) String() string {
	switch {
	case v.token == nil:
		return "handle(none)"
	case v.IsClosed():
		return v.token.record.pool.name + "(closed)"
	}
	return v.token.record.pool.name + "(open)"
}

func (v Value) raw() (uintptr, error) {
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

func (v Value) closedError(what string) error {
	rec := v.token.record
	now := rec.generations[v.index%slabSlots].Load()
	text := fmt.Sprintf("%s: %s of a closed value", rec.pool.name, what)
	if now > v.generation+1 {
		text += "; its slot was given to another resource since"
	}
	return &fault{kind: ErrClosed, text: text}
}
