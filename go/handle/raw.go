package handle

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Resources are kept as uintptr: the collector has nothing to do with native addresses, and ids that are no addresses must
// not stand in pointers, where the runtime may check them. This file alone turns a T into one and back.

// isAddress says whether resources of type T are addresses, or else ids; it panics if they are neither.
func isAddress[T any]() bool {
	t := reflect.TypeFor[T]()
	switch t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer:
		return true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if t.Size() <= unsafe.Sizeof(uintptr(0)) {
			return false
		}
	}
	panic(fmt.Sprintf("handle: a resource of type %v; it must be a pointer, or an integer no larger than one", t))
}

// releaserOf is a releaser for what a T was turned into.
func releaserOf[T any](release func(T), o *Options) func(raw uintptr) {
	if release == nil {
		o.refuse("has no releaser; give the function that frees one resource")
	}
	return func(raw uintptr) { release(fromRaw[T](raw)) }
}

// toRaw is the bits of v, whose type isAddress has looked at.
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
