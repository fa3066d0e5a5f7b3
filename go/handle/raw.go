package handle

import "unsafe"

// Native addresses are kept as uintptr: the collector has nothing to do with them, and ids that are no addresses must
// not stand in pointers, where the runtime may check them. This file alone turns one into the other.

func address(p unsafe.Pointer) uintptr { return uintptr(p) }

func pointer(raw uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&raw)) }
