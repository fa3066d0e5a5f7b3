package handle_test

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"offcut.dev/go/handle"
)

// Stand-ins for a C library.
var library [4]byte

func newImage() unsafe.Pointer   { return unsafe.Pointer(&library[0]) }
func freeImage(p unsafe.Pointer) { fmt.Println("image freed") }

// A handle is closed by the program, once.
func Example() {
	images := handle.NewType(handle.Options{Name: "image", Release: freeImage})
	image := images.Open(newImage())
	defer image.Close()

	err := image.With(func(p unsafe.Pointer) { fmt.Println("image used") })
	fmt.Println(err)
	// Output:
	// image used
	// <nil>
	// image freed
}

// The second Close says so.
func ExampleHandle_Close() {
	images := handle.NewType(handle.Options{Name: "image", Release: freeImage})
	image := images.Open(newImage())
	fmt.Println(image.Close())
	fmt.Println(errors.Is(image.Close(), handle.ErrClosed))
	// Output:
	// image freed
	// <nil>
	// true
}

// BeginUse and EndUse are With for code that cannot pass a function.
func ExampleHandle_BeginUse() {
	images := handle.NewType(handle.Options{Name: "image", Release: freeImage, CloseInUse: handle.RefuseInUse})
	image := images.Open(newImage())
	if _, err := image.BeginUse(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(image.Close())
	image.EndUse()
	fmt.Println(image.Close())
	// Output:
	// image: Close while 1 uses are under way; end them first
	// image freed
	// <nil>
}

// What is forgotten is released by the net, and counted.
func ExampleDrain() {
	files := handle.NewType(handle.Options{Name: "example-file", ReleaseID: func(id uintptr) { fmt.Println("released", id) }})
	files.OpenID(3) // forgotten
	for handle.Stats().Of("example-file").Forgotten == 0 {
		handle.Drain(time.Minute)
	}
	// Output: released 3
}

// A child keeps its parent from being released before it.
func ExampleType_OpenChild() {
	databases := handle.NewType(handle.Options{
		Name:              "database",
		ReleaseID:         func(uintptr) { fmt.Println("database closed") },
		CloseWithChildren: handle.CascadeChildren,
	})
	statements := handle.NewType(handle.Options{
		Name:    "statement",
		Release: func(unsafe.Pointer) { fmt.Println("statement closed") },
		Parent:  databases,
	})
	db := databases.OpenID(1)
	if _, err := statements.OpenChild(db, newImage()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(db.Close())
	// Output:
	// statement closed
	// database closed
	// <nil>
}

// Values cost no allocation; an owner opens them for one goroutine at a time.
func ExamplePool() {
	pool := handle.NewPool(handle.Options{Name: "buffer", Release: freeImage})
	owner := pool.NewOwner()
	defer owner.Close()
	v := owner.Open(newImage())
	copied := v
	fmt.Println(v.Close())
	fmt.Println(copied.IsClosed())
	// Output:
	// image freed
	// <nil>
	// true
}

// A queue releases what was forgotten on the goroutine that serves it.
func ExampleQueue() {
	var queue handle.Queue
	ready := queue.Ready()
	windows := handle.NewType(handle.Options{
		Name:      "window",
		ReleaseID: func(id uintptr) { fmt.Println("window", id, "closed here") },
		ReleaseOn: &queue,
	})
	windows.OpenID(7)               // forgotten
	handle.Drain(time.Second / 100) // the collector finds it; nobody releases it yet
	for released := 0; released == 0; {
		select {
		case <-ready:
			released = queue.Release()
		default:
			handle.Drain(time.Second / 100)
		}
	}
	// Output: window 7 closed here
}

// A type of resources that have a Go type, here an id.
func ExampleNewTypeOf() {
	type texture uint32
	textures := handle.NewTypeOf(func(t texture) { fmt.Println("texture", t, "deleted") }, handle.Options{Name: "texture"})
	h := textures.Open(7)
	err := h.With(func(t texture) { fmt.Println("texture", t, "drawn") })
	fmt.Println(err, h.Close())
	// Output:
	// texture 7 drawn
	// texture 7 deleted
	// <nil> <nil>
}
