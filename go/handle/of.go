package handle

import (
	"fmt"
	"io"
	"reflect"
	"unsafe"
)

var _ io.Closer = (*Of[uintptr])(nil)

// TypeOf describes one kind of handles whose resources have the Go type T: a pointer to C memory, such as *C.image, or
// an integer that is an id or a descriptor, such as C.int. It is a [Type] whose users need no [unsafe.Pointer].
// [NewTypeOf] makes it.
//
//	var images = handle.NewTypeOf(func(p *C.image) { C.free_image(p) }, handle.Options{Name: "image"})
//
//	func NewImage(w, h C.int) *handle.Of[*C.image] { return images.Open(C.new_image(w, h)) }
type TypeOf[T any] struct{ typ *Type }

// NewTypeOf makes a type whose resources release frees. Options.Release and Options.ReleaseID stay empty: release
// stands for both, and obeys the same rules. NewTypeOf panics if T is neither a pointer nor an integer of at most the
// size of a pointer, and for all that [NewType] panics for.
func NewTypeOf[T any](release func(T), o Options) *TypeOf[T] {
	if o.Release != nil || o.ReleaseID != nil {
		o.refuse("has Release or ReleaseID in its options; NewTypeOf takes the releaser as its first argument")
	}
	switch as := rawKindOf[T](); {
	case release == nil: // NewType says so
	case as == ids:
		o.ReleaseID = func(id uintptr) { release(fromRaw[T](id)) }
	default:
		o.Release = func(p unsafe.Pointer) { release(fromRaw[T](address(p))) }
	}
	return &TypeOf[T]{NewType(o)}
}

// BatchOf returns an [Options.ReleaseBatch] that frees resources of type T, which must be a pointer.
func BatchOf[T any](release func([]T)) func([]unsafe.Pointer) {
	if rawKindOf[T]() != addresses {
		panic(fmt.Sprintf("handle: BatchOf of %v, which is no pointer", reflect.TypeFor[T]()))
	}
	return func(ps []unsafe.Pointer) {
		release(unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(ps))), len(ps)))
	}
}

// Type returns the same type without T: for [Options.Parent], for example.
func (t *TypeOf[T]) Type() *Type { return t.typ }

// Open takes ownership of a resource, which the native open has just returned. It panics if v is a nil pointer, or if
// the type has a parent.
func (t *TypeOf[T]) Open(v T) *Of[T] {
	return of[T](t.typ.open(toRaw(v), t.typ.raws))
}

// OpenSized is [TypeOf.Open] for a resource with its own size of native memory, as [Type.OpenSized].
func (t *TypeOf[T]) OpenSized(v T, bytes int64) *Of[T] {
	return of[T](t.typ.openSized(toRaw(v), t.typ.raws, bytes))
}

// OpenChild is [TypeOf.Open] for a type that has [Options.Parent], as [Type.OpenChild].
func (t *TypeOf[T]) OpenChild(parent *Handle, v T) (*Of[T], error) {
	h, err := t.typ.openChild(parent, toRaw(v), t.typ.raws, t.typ.bytes)
	return of[T](h), err
}

// OpenChildSized is [TypeOf.OpenChild] for a resource with its own size of native memory.
func (t *TypeOf[T]) OpenChildSized(parent *Handle, v T, bytes int64) (*Of[T], error) {
	h, err := t.typ.openChild(parent, toRaw(v), t.typ.raws, bytes)
	return of[T](h), err
}

// Of owns one native resource, as [Handle] does, and gives it out as a T. [TypeOf.Open] and its variants make it. An Of
// must not be copied. Methods on a nil Of return [ErrNoHandle].
type Of[T any] struct {
	_ [0]*T // one Of is not converted to another
	h Handle
}

// of makes a handle typed, which costs nothing: both are the same object.
func of[T any](h *Handle) *Of[T] { return (*Of[T])(unsafe.Pointer(h)) }

// Handle returns the same handle without T: for [TypeOf.OpenChild], for example. To close one of the two is to close
// both.
func (o *Of[T]) Handle() *Handle { return (*Handle)(unsafe.Pointer(o)) }

// Close is [Handle.Close].
func (o *Of[T]) Close() error { return o.Handle().Close() }

// With calls use with the resource, and keeps the handle reachable until use returns, as [Handle.With]. The resource
// must not be kept after the call.
func (o *Of[T]) With(use func(T)) error {
	h := o.Handle()
	x := h.extra()
	if err := h.beginAny(x); err != nil {
		return err
	}
	defer h.end(x)
	use(fromRaw[T](h.raw))
	return nil
}

// BeginUse begins a use and returns the resource, as [Handle.BeginUse]. EndUse must follow each successful call.
func (o *Of[T]) BeginUse() (T, error) {
	h := o.Handle()
	if err := h.beginAny(h.extra()); err != nil {
		var none T
		return none, err
	}
	return fromRaw[T](h.raw), nil
}

// EndUse ends a use that BeginUse began, as [Handle.EndUse].
func (o *Of[T]) EndUse() { o.Handle().EndUse() }

// IsClosed is [Handle.IsClosed].
func (o *Of[T]) IsClosed() bool { return o.Handle().IsClosed() }

// String is [Handle.String].
func (o *Of[T]) String() string { return o.Handle().String() }

// beginAny begins a use of what the resource is.
func (h *Handle) beginAny(x *extra) error {
	if x == nil {
		return h.begin(nil, ids)
	}
	return h.begin(x, x.typ.raws)
}

// rawKindOf is what resources of type T are; it panics if they are neither.
func rawKindOf[T any]() rawKind {
	t := reflect.TypeFor[T]()
	switch t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer:
		return addresses
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if t.Size() <= unsafe.Sizeof(uintptr(0)) {
			return ids
		}
	}
	panic(fmt.Sprintf("handle: a resource of type %v; it must be a pointer, or an integer no larger than one", t))
}

// toRaw is the bits of v, whose type rawKindOf has looked at.
func toRaw[T any](v T) uintptr {
	p := unsafe.Pointer(&v)
	switch unsafe.Sizeof(v) {
	case 1:
		return uintptr(*(*uint8)(p))
	case 2:
		return uintptr(*(*uint16)(p))
	case 4:
		return uintptr(*(*uint32)(p))
	}
	return *(*uintptr)(p)
}

func fromRaw[T any](raw uintptr) (v T) {
	p := unsafe.Pointer(&v)
	switch unsafe.Sizeof(v) {
	case 1:
		*(*uint8)(p) = uint8(raw)
	case 2:
		*(*uint16)(p) = uint16(raw)
	case 4:
		*(*uint32)(p) = uint32(raw)
	default:
		*(*uintptr)(p) = raw
	}
	return v
}
