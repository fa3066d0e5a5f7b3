package handle

import (
	"io"
	"runtime"
)

var _ io.Closer = Value[uintptr]{}

// Pool makes values: handles for high rates, which need no allocation. Make one for each kind of resource, for the life of
// the program: a pool is never collected. Any goroutine may call its methods.
type Pool[T any] struct{ pool *anyPool }

// NewPool makes a pool whose resources release frees, as [NewTypeOf]. It also panics if the options have a policy, which
// pools do not allow.
func NewPool[T any](release func(T), o Options) *Pool[T] {
	return &Pool[T]{newPool(&o, releaserOf(release, &o), isAddress[T]())}
}

// Name returns the name in the options.
func (p *Pool[T]) Name() string { return p.pool.name }

// Open takes ownership of a resource, which the native open has just returned. It borrows an owner for the call; a
// goroutine that opens many values is faster with an [Owner] of its own. Open panics if v is a nil pointer.
func (p *Pool[T]) Open(v T) Value[T] { return Value[T]{any: p.pool.open(toRaw(v))} }

// NewOwner makes an owner of the pool. It allocates only the owner; slabs come with the first Open.
func (p *Pool[T]) NewOwner() *Owner[T] { return &Owner[T]{owner: *newOwner(p.pool)} }

// Owner opens values of a pool for one goroutine at a time, without a lock or a shared word. For example, each worker
// or each connection has one. Any goroutine may close its values, and they outlive the owner.
type Owner[T any] struct {
	_     [0]*T
	owner anyOwner
}

// Open takes ownership of a resource, as [Pool.Open] does. Only one goroutine at a time may call it.
func (o *Owner[T]) Open(v T) Value[T] { return Value[T]{any: o.owner.open(toRaw(v))} }

// Close gives the owner's slabs up, so that the net can find values that were forgotten in them. Open values stay open.
// The owner can be used again. Close always returns nil.
func (o *Owner[T]) Close() error {
	o.owner.close()
	return nil
}

// Value owns one native resource, as [Of] does, but is a value of 16 bytes. Copy it as you like: all copies are the
// same handle. [Pool.Open] and [Owner.Open] make values; the zero Value belongs to no pool.
//
// Close of any copy releases the resource, once. A value is forgotten if all its copies are unreachable. The net
// releases its resource once two conditions hold: no other open value of its slab of 32 is reachable, and the [Owner]
// of the slab no longer hands out its slots.
//
// Goroutines: any goroutine may close a value, and several may do so at once: one of them releases the resource. If
// different goroutines use and close a value, the program must order these calls.
type Value[T any] struct {
	_   [0]*T
	any anyValue
}

// Close releases the resource on this goroutine. The first call, of any copy, releases it and returns nil. Later calls
// return [ErrClosed], even if the slot has another resource by then. For the zero Value, Close returns [os.ErrInvalid].
func (v Value[T]) Close() error { return v.any.close() }

// With calls use with the resource, and keeps the value reachable until use returns. The resource must not be kept after
// the call. If the value is closed, With returns [ErrClosed] and does not call use.
func (v Value[T]) With(use func(T)) error {
	resource, err := v.BeginUse()
	if err != nil {
		return err
	}
	use(resource)
	v.EndUse()
	return nil
}

// BeginUse begins a use and returns the resource. It is valid until [Value.EndUse], unless another goroutine closes the
// value before. BeginUse returns [ErrClosed] if the value is closed.
func (v Value[T]) BeginUse() (resource T, err error) {
	raw, err := v.any.raw()
	if err != nil {
		return resource, err
	}
	return fromRaw[T](raw), nil
}

// EndUse ends a use that [Value.BeginUse] began.
func (v Value[T]) EndUse() { runtime.KeepAlive(v.any.token) }

// IsClosed returns whether the value is closed. It returns true for the zero Value.
func (v Value[T]) IsClosed() bool { return v.any.isClosed() }

// String returns the name of the pool and the state.
func (v Value[T]) String() string { return v.any.text() }
