package handle

import (
	"fmt"
	"strings"
	"time"
)

// CloseInUse is what Close does to a handle that another call is using.
type CloseInUse int

const (
	// DeferInUse is the default. Close returns nil at once. The handle refuses new uses, and the goroutine that ends
	// the last use releases the resource. [os.File] counts the uses of a descriptor in the same way.
	DeferInUse CloseInUse = iota
	// RefuseInUse makes Close return [ErrInUse]; the handle stays open.
	RefuseInUse
	// WaitInUse makes Close refuse new uses and wait for the last use, for [Options.WaitLimit] at most. After that time
	// Close returns [ErrInUse], and the handle is open again.
	WaitInUse
	// Unguarded does not count uses: a Close releases the resource even during a use in another goroutine, and the
	// program must order these calls. A use is some nanoseconds faster. Not for types with parents or children.
	Unguarded
)

// CloseWithChildren is what Close does to a parent whose children are open. Only a type with a value other
// than [Childless] can be an [Options.Parent].
type CloseWithChildren int

const (
	// Childless is the default: handles of the type have no children.
	Childless CloseWithChildren = iota
	// RefuseChildren makes Close return [ErrChildren]; the parent stays open.
	RefuseChildren
	// CascadeChildren makes Close close the open children, the youngest first, and then the parent. A child that is in
	// use refuses, unless its type has [DeferInUse]. If a child refuses, Close returns its error, and the parent is
	// released after its last child.
	CascadeChildren
	// DeferChildren makes Close return nil at once. The parent refuses new children, and is released after its last
	// child.
	DeferChildren
)

// Options describe a [TypeOf] or a [Pool]. A zero field has its default, unless the field is required.
type Options struct {
	// Name is the name in errors, reports and metrics. Required.
	Name string

	// ReleaseOn is a queue in which forgotten resources wait until a goroutine of the program releases them. It is for
	// libraries that are bound to a thread. Close still releases on its own goroutine.
	ReleaseOn *Queue

	// Bytes is the size of the native memory behind each resource. The net adds the sizes of open resources up, and
	// starts a GC cycle if the sum has grown enough: see [SetBudget]. 0 means that the size is not counted.
	Bytes int64

	// CloseInUse is the policy for a Close during a use. Not for pools.
	CloseInUse CloseInUse
	// WaitLimit is how long [WaitInUse] waits. That policy requires it, and the others do not allow it.
	WaitLimit time.Duration
	// CloseWithChildren is the policy for a Close of a parent with open children. Not for pools.
	CloseWithChildren CloseWithChildren
	// Parent is the [TypeOf] of the parents: every handle of this type is then a child, see [TypeOf.OpenChild]. Not for
	// pools.
	Parent parentType
}

// parentType is a [TypeOf], of whatever T.
type parentType interface{ untyped() *anyType }

// check panics if the options cannot be meant.
func (o *Options) check() {
	switch {
	case strings.TrimSpace(o.Name) == "":
		panic("handle: Options.Name is empty: it stands in every report")
	case o.Bytes < 0:
		o.refuse(fmt.Sprintf("has Bytes %d; give the native bytes behind each resource, or 0", o.Bytes))
	case o.CloseInUse < DeferInUse || o.CloseInUse > Unguarded:
		o.refuse(fmt.Sprintf("has CloseInUse %d; it is one of the four constants, 0 to 3", o.CloseInUse))
	case o.CloseWithChildren < Childless || o.CloseWithChildren > DeferChildren:
		o.refuse(fmt.Sprintf("has CloseWithChildren %d; it is one of the four constants, 0 to 3", o.CloseWithChildren))
	case o.CloseInUse == WaitInUse && o.WaitLimit <= 0:
		o.refuse(fmt.Sprintf("has WaitInUse with the limit %v; set WaitLimit above zero", o.WaitLimit))
	case o.CloseInUse != WaitInUse && o.WaitLimit != 0:
		o.refuse(fmt.Sprintf("has the WaitLimit %v, which only WaitInUse takes", o.WaitLimit))
	case o.CloseInUse == Unguarded && (o.Parent != nil || o.CloseWithChildren != Childless):
		o.refuse("has parents or children, whose uses are always counted; leave Unguarded out")
	case o.Parent != nil && o.Parent.untyped().children == Childless:
		o.refuse("is a child of " + o.Parent.untyped().name + ", which is Childless; set its CloseWithChildren")
	}
}

func (o *Options) checkPool() {
	if o.CloseInUse != DeferInUse || o.CloseWithChildren != Childless || o.Parent != nil {
		o.refuse("is a pool, whose values have no policies and no families; use NewTypeOf for them")
	}
}

func (o *Options) refuse(why string) {
	panic("handle: " + o.Name + " " + why)
}
