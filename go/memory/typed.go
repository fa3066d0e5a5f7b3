package memory

import (
	"fmt"
	"math/bits"
	"reflect"
	"sync"
	"unsafe"
)

// Allocator is an [*Arena] or a [*Heap]. [New], [MakeSlice], [Free] and [FreeSlice] work on both.
type Allocator interface {
	// Allocate allocates a block of zeros. Its address is a multiple of alignment, a power of two.
	Allocate(bytes, alignment int) (unsafe.Pointer, error)
	// Free frees a block that Allocate returned.
	Free(p unsafe.Pointer) error
}

// New allocates a T with its zero value. T must not have Go pointers, because the collector does not look into native
// memory. If T has pointers, slices, strings, maps, channels, functions or interfaces, at any depth, New fails with
// [ErrGoPointer]. Use a uintptr, an offset or an array instead. New also fails as [Allocator.Allocate] does.
//
// The returned pointer does not keep its arena reachable; see [Arena].
func New[T any](a Allocator) (*T, error) {
	t := reflect.TypeFor[T]()
	if err := holdsNoPointers(t); err != nil {
		return nil, err
	}
	p, err := a.Allocate(int(t.Size()), t.Align())
	if err != nil {
		return nil, err
	}
	return (*T)(p), nil
}

// MakeSlice allocates a slice of T, all zero. It fails as [New] does, and with [ErrSize] unless 0 ≤ length ≤ capacity.
//
// An append beyond the capacity copies the slice to the Go heap and leaves the block allocated. So free the old slice
// with [FreeSlice].
func MakeSlice[T any](a Allocator, length, capacity int) ([]T, error) {
	t := reflect.TypeFor[T]()
	if err := holdsNoPointers(t); err != nil {
		return nil, err
	}
	if length < 0 || capacity < length {
		return nil, fmt.Errorf("%w: a slice of %d %v with room for %d: give 0 ≤ length ≤ capacity", ErrSize, length, t, capacity)
	}
	high, bytes := bits.Mul(uint(capacity), uint(t.Size()))
	if high != 0 || int(bytes) < 0 {
		return nil, fmt.Errorf("%w: room for %d %v of %d bytes: no address space has that", ErrSize, capacity, t, t.Size())
	}
	p, err := a.Allocate(int(bytes), t.Align())
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*T)(p), capacity)[:length], nil
}

// Free frees a value that [New] allocated. It fails as [Allocator.Free] does. Freeing nil does nothing.
func Free[T any](a Allocator, p *T) error {
	if p == nil {
		return nil
	}
	return a.Free(unsafe.Pointer(p))
}

// FreeSlice frees a slice that [MakeSlice] allocated. The slice must begin at the same address. It fails as
// [Allocator.Free] does. Freeing nil does nothing.
func FreeSlice[T any](a Allocator, s []T) error {
	if s == nil {
		return nil
	}
	return a.Free(unsafe.Pointer(unsafe.SliceData(s)))
}

// pointerFree is the registry of types that were looked at: nil, or the error that says where the pointer is.
var pointerFree sync.Map // of reflect.Type to error

func holdsNoPointers(t reflect.Type) error {
	known, ok := pointerFree.Load(t)
	if !ok {
		known = error(nil)
		if at, what := goPointer(t); what != nil {
			known = fmt.Errorf("%w: %v%s is of type %v, which the collector would not see in native memory", ErrGoPointer, t, at, what)
		}
		pointerFree.Store(t, known)
	}
	err, _ := known.(error)
	return err
}

// goPointer is where in a type the first Go pointer is, and the type it has there; nil if there is none.
func goPointer(t reflect.Type) (at string, what reflect.Type) {
	switch t.Kind() {
	case reflect.Array:
		if t.Len() > 0 {
			at, what = goPointer(t.Elem())
			return "[0]" + at, what
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if at, what := goPointer(t.Field(i).Type); what != nil {
				return "." + t.Field(i).Name + at, what
			}
		}
	case reflect.Pointer, reflect.UnsafePointer, reflect.Slice, reflect.String, reflect.Map, reflect.Chan, reflect.Func,
		reflect.Interface:
		return "", t
	}
	return "", nil
}
