package handle

import (
	"fmt"
	"strings"
	"time"
	"unsafe"
)

// CloseInUse says what Close does to a handle that another call is using. Any but [Unguarded] makes the uses of the
// type's handles counted, under a lock of each handle.
type CloseInUse int

const (
	// Unguarded does not count uses: a Close may release the resource under a use in another goroutine. The default.
	Unguarded CloseInUse = iota
	// RefuseInUse makes Close return [ErrInUse]; the handle stays open.
	RefuseInUse
	// DeferInUse makes Close return nil at once; new uses are refused, and the last user releases, on its goroutine.
	DeferInUse
	// WaitInUse makes Close refuse new uses and wait for the last one, [Options.WaitLimit] at most; then it returns
	// [ErrInUse] and the handle is open again.
	WaitInUse
)

// CloseWithChildren says what Close does to a parent whose children are open. Any but [Childless] allows the type to be
// another's [Options.Parent].
type CloseWithChildren int

const (
	// Childless says that handles of the type have no children. The default.
	Childless CloseWithChildren = iota
	// RefuseChildren makes Close return [ErrChildren]; the parent stays open.
	RefuseChildren
	// CascadeChildren closes the open children, the youngest first, then the parent. If a child refuses, Close returns
	// its error, and the parent is released after its last child.
	CascadeChildren
	// DeferChildren makes Close return nil at once; new children are refused, and the parent goes after its last child.
	DeferChildren
)

// Options describe a [Type] or a [Pool]. The zero value of a field that is not required is its default.
type Options struct {
	// Name stands in errors, reports and metrics. Required.
	Name string

	// Release frees one resource by its address. Required, unless ReleaseID is set. It is called once for each
	// resource: by Close on its goroutine, or by the net on one of its own. It must not refer to a handle of the type.
	// It may close other handles. What it panics with reaches the closer; in the net it is counted and given to
	// the [Listener], or logged. [runtime.Goexit], which t.FailNow and t.SkipNow call, ends the closer's goroutine; in the
	// net it counts as a failure, and the net goes on.
	Release func(p unsafe.Pointer)
	// ReleaseID frees one resource that is not an address but an id or a descriptor. 0 is an id like any other.
	ReleaseID func(id uintptr)
	// ReleaseBatch frees up to 256 forgotten resources in one call, such as one crossing to C. Optional, beside Release. A
	// batch that panics, or ends its goroutine, is not tried again.
	ReleaseBatch func(ps []unsafe.Pointer)
	// ReleaseOn lets the goroutine that serves this queue release what was forgotten: for libraries that are bound to a
	// thread. Close still releases on its own goroutine.
	ReleaseOn *Queue

	// Bytes is the native memory behind each resource. It is accounted, and enough of it asks for a GC cycle: see
	// [SetBudget]. 0 accounts nothing.
	Bytes int64

	// CloseInUse guards handles of the type. Not for pools.
	CloseInUse CloseInUse
	// WaitLimit is how long WaitInUse waits. Required with it, for nothing else.
	WaitLimit time.Duration
	// CloseWithChildren lets handles of the type be parents. Not for pools.
	CloseWithChildren CloseWithChildren
	// Parent makes every handle of the type a child of one of this type, see [Type.OpenChild]. Not for pools.
	Parent *Type
}

// check panics if the options cannot be meant.
func (o *Options) check() {
	switch {
	case strings.TrimSpace(o.Name) == "":
		panic("handle: Options.Name is empty: it stands in every report")
	case o.Release == nil && o.ReleaseID == nil:
		o.refuse("has no releaser; set Release, or ReleaseID for ids")
	case o.Release != nil && o.ReleaseID != nil:
		o.refuse("has Release and ReleaseID; set the one that fits the resource")
	case o.ReleaseBatch != nil && o.Release == nil:
		o.refuse("has ReleaseBatch without Release, which Close needs")
	case o.Bytes < 0:
		o.refuse(fmt.Sprintf("has Bytes %d; give the native bytes behind each resource, or 0", o.Bytes))
	case o.CloseInUse < Unguarded || o.CloseInUse > WaitInUse:
		o.refuse(fmt.Sprintf("has CloseInUse %d; it is one of the four constants, 0 to 3", o.CloseInUse))
	case o.CloseWithChildren < Childless || o.CloseWithChildren > DeferChildren:
		o.refuse(fmt.Sprintf("has CloseWithChildren %d; it is one of the four constants, 0 to 3", o.CloseWithChildren))
	case o.CloseInUse == WaitInUse && o.WaitLimit <= 0:
		o.refuse(fmt.Sprintf("has WaitInUse with the limit %v; set WaitLimit above zero", o.WaitLimit))
	case o.CloseInUse != WaitInUse && o.WaitLimit != 0:
		o.refuse(fmt.Sprintf("has the WaitLimit %v, which only WaitInUse takes", o.WaitLimit))
	case o.Parent != nil && o.Parent.children == Childless:
		o.refuse("is a child of " + o.Parent.name + ", which is Childless; set its CloseWithChildren")
	}
}

func (o *Options) checkPool() {
	if o.CloseInUse != Unguarded || o.CloseWithChildren != Childless || o.Parent != nil {
		o.refuse("is a pool, whose values have no policies and no families; use NewType for them")
	}
}

func (o *Options) refuse(why string) {
	panic("handle: " + o.Name + " " + why)
}
