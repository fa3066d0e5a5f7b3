package handle

import (
	"io"
	"unsafe"
)

var _ io.Closer = (*Of[uintptr])(nil)

// TypeOf describes one kind of handles whose resources have the Go type T: a pointer to C memory, such as *C.image, or
// an integer that is an id or a descriptor, such as C.int. Make one for each kind of resource, for the life of the
// program: a type is never collected. Any goroutine may call its methods.
//
//	var images = handle.NewTypeOf(func(p *C.image) { C.free_image(p) }, handle.Options{Name: "image"})
//
//	func NewImage(w, h C.int) *handle.Of[*C.image] { return images.Open(C.new_image(w, h)) }
type TypeOf[T any] struct{ typ *anyType }

// NewTypeOf makes a type whose resources release frees. It panics if T is neither a pointer nor an integer of at most the
// size of a pointer, and if the options contradict each other; the message says how to correct them.
//
// release is called once for each resource: by Close on its goroutine, or by the net on a goroutine of its own. It must
// not refer to a handle of the type. It may close other handles.
//
// If release panics, the caller of Close gets the panic. In the net, the panic is counted, and reported to listeners or
// logged. If release calls [runtime.Goexit], as t.FailNow and t.SkipNow do, that ends the goroutine that called Close. In
// the net it counts as a failure, and the net continues.
func NewTypeOf[T any](release func(T), o Options) *TypeOf[T] {
	return &TypeOf[T]{newType(&o, releaserOf(release, &o), isAddress[T]())}
}

func (t *TypeOf[T]) untyped() *anyType { return t.typ }

// Name returns the name in the options.
func (t *TypeOf[T]) Name() string { return t.typ.name }

// Open takes ownership of a resource, which the native open has just returned. It panics if v is a nil pointer, or if
// the type has a parent.
func (t *TypeOf[T]) Open(v T) *Of[T] { return of[T](t.typ.open(toRaw(v))) }

// OpenSized is [TypeOf.Open] for a resource with its own size of native memory, in place of [Options.Bytes]. It also
// panics if bytes is negative.
func (t *TypeOf[T]) OpenSized(v T, bytes int64) *Of[T] {
	return of[T](t.typ.openSized(toRaw(v), bytes))
}

// OpenChild is [TypeOf.Open] for a type that has [Options.Parent]. parent is an [Of] of the parent type. The child keeps
// its parent reachable, and the parent is released after it. If the parent is closed or closing, OpenChild returns
// [ErrClosed], and the resource still belongs to the caller. It panics if parent is not of the parent type.
func (t *TypeOf[T]) OpenChild(parent parentHandle, v T) (*Of[T], error) {
	return t.OpenChildSized(parent, v, t.typ.bytes)
}

// OpenChildSized is [TypeOf.OpenChild] for a resource with its own size of native memory, as [TypeOf.OpenSized].
func (t *TypeOf[T]) OpenChildSized(parent parentHandle, v T, bytes int64) (*Of[T], error) {
	var p *anyHandle
	if parent != nil {
		p = parent.untyped()
	}
	h, err := t.typ.openChild(p, toRaw(v), bytes)
	return of[T](h), err
}

// parentHandle is an [Of], of whatever T.
type parentHandle interface{ untyped() *anyHandle }

// Of owns one native resource and releases it exactly once. [TypeOf.Open] and its variants make it.
//
// Ownership: [Of.Close] releases the resource. A handle that became unreachable without a Close is forgotten: the net
// releases its resource some time later, and counts it.
//
// Goroutines: any goroutine may use and close a handle, and several may do so at once: one of them releases the
// resource, and not during a use. [Options.CloseInUse] says what happens to a Close during a use. Only if that is
// [Unguarded], the program must order its uses and its Close.
//
// An Of must not be copied: vet finds copies, and the methods of a copy return [os.ErrInvalid], except of one copy in
// 65,536, which they take for the handle. Open never returns nil. Methods on a nil Of return [os.ErrInvalid].
type Of[T any] struct {
	_ [0]*T // one Of is not converted to another
	h anyHandle
}

// of makes a handle typed, which costs nothing: both are the same object.
func of[T any](h *anyHandle) *Of[T] { return (*Of[T])(unsafe.Pointer(h)) }

// untyped is the handle without T; nil of nil.
func (o *Of[T]) untyped() *anyHandle { return (*anyHandle)(unsafe.Pointer(o)) }

// Close releases the resource on this goroutine. The first call releases it and returns nil; later calls return
// [ErrClosed]. If the type has policies, Close may return [ErrInUse] or [ErrChildren], see [Options]. If the releaser
// panics, the caller gets the panic, and the handle is closed all the same.
func (o *Of[T]) Close() error { return o.untyped().close() }

// With calls use with the resource, and keeps the handle reachable until use returns. So the net cannot release the
// resource during the use, and neither can a Close, unless the type is [Unguarded]. The resource must not be kept after
// the call. If the handle is closed or closing, With returns [ErrClosed] and does not call use.
func (o *Of[T]) With(use func(T)) error {
	h := o.untyped()
	x := h.extra()
	if err := h.begin(x); err != nil {
		return err
	}
	defer h.end(x)
	use(fromRaw[T](h.raw))
	return nil
}

// BeginUse begins a use and returns the resource. It is valid until [Of.EndUse], which must follow each successful call;
// usually it is deferred. BeginUse returns [ErrClosed] if the handle is closed or closing.
func (o *Of[T]) BeginUse() (v T, err error) {
	h := o.untyped()
	if err := h.begin(h.extra()); err != nil {
		return v, err
	}
	return fromRaw[T](h.raw), nil
}

// EndUse ends a use that [Of.BeginUse] began. If a deferred Close was waiting for this use, EndUse releases the resource.
// It panics if the type counts uses and the handle is not in use.
func (o *Of[T]) EndUse() { o.untyped().endUse() }

// IsClosed returns whether the handle is closed or closing. The answer may be out of date at once, because another
// goroutine may close the handle.
func (o *Of[T]) IsClosed() bool { return o.untyped().isClosed() }

// String returns the type and the state. The text never has the resource, so that nobody keeps it.
func (o *Of[T]) String() string { return o.untyped().text() }
