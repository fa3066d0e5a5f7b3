package main

/*
#include <stdlib.h>
static void *make(size_t bytes) { return malloc(bytes); }
static void release(void *p) { free(p); }
*/
import "C"

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"offcut.dev/go/handle"
)

// somewhere is an address that is not released.
var somewhere = new([100]byte)

func address() unsafe.Pointer   { return unsafe.Pointer(somewhere) }
func makeBlock() unsafe.Pointer { return C.make(100) }

// block is what a program without handles wraps a C pointer in: two words, so the allocator of tiny objects never gets it.
type block struct {
	p     unsafe.Pointer
	bytes uintptr
}

// escaped keep the compiler from putting on the stack what a program would not.
var (
	escaped       *block
	escapedHandle *handle.Of[unsafe.Pointer]
)

// released counts closes on the goroutine that makes them.
var released int

func plainRelease(unsafe.Pointer) { released++ }

func cgoRelease(p unsafe.Pointer) {
	C.release(p)
	released++
}

// Every operation of these opens one resource and closes it: what a program does that forgets nothing.

func timeClosed(b *B, one func()) error {
	released = 0
	b.Time(func() {
		for range b.N {
			one()
		}
	})
	if released != b.N {
		return fmt.Errorf("%d released, want exactly %d", released, b.N)
	}
	return nil
}

func closedDirectly(open func() unsafe.Pointer, release func(unsafe.Pointer)) func(*B) error {
	return func(b *B) error { return timeClosed(b, func() { release(open()) }) }
}

func closedCleanups(open func() unsafe.Pointer, release func(unsafe.Pointer)) func(*B) error {
	return func(b *B) error {
		return timeClosed(b, func() {
			o := &block{p: open()}
			c := runtime.AddCleanup(o, release, o.p)
			escaped = o
			c.Stop()
			release(o.p)
			runtime.KeepAlive(o)
		})
	}
}

func closedHandles(open func() unsafe.Pointer, release func(unsafe.Pointer)) func(*B) error {
	return func(b *B) error {
		typ := handle.NewTypeOf(release, handle.Options{Name: "block"})
		return timeClosed(b, func() {
			escapedHandle = typ.Open(open())
			_ = escapedHandle.Close() // one that fails is not counted as released
		})
	}
}

func closedValues(open func() unsafe.Pointer, release func(unsafe.Pointer)) func(*B) error {
	return func(b *B) error {
		owner := handle.NewPool(release, handle.Options{Name: "block"}).NewOwner()
		return timeClosed(b, func() {
			v := owner.Open(open())
			_ = v.Close()
		})
	}
}

// Every operation of these opens one resource and forgets it. The time goes on until all are released, and the measurement
// fails unless each was, once.

// freed counts what was released, on whatever goroutine.
var freed atomic.Int64

func countedRelease(p unsafe.Pointer) {
	C.release(p)
	freed.Add(1)
}

func timeForgotten(b *B, one func()) error {
	freed.Store(0)
	b.Time(func() {
		for range b.N {
			one()
		}
		for freed.Load() < int64(b.N) {
			runtime.GC()
			for last := int64(-1); last != freed.Load(); time.Sleep(time.Millisecond) { // what the cycle found is being released
				last = freed.Load()
			}
		}
	})
	if handle.Drain(time.Minute); freed.Load() != int64(b.N) {
		return fmt.Errorf("%d freed, want exactly %d", freed.Load(), b.N)
	}
	return nil
}

func forgottenCleanups(b *B) error {
	return timeForgotten(b, func() {
		o := &block{p: makeBlock()}
		runtime.AddCleanup(o, countedRelease, o.p)
	})
}

func forgottenHandles(b *B) error {
	typ := handle.NewTypeOf(countedRelease, handle.Options{Name: "block"})
	return timeForgotten(b, func() { typ.Open(makeBlock()) })
}
