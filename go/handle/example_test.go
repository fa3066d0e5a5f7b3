package handle_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"offcut.dev/go/handle"
)

// Stand-ins for a C library.
type picture [16]byte

var library [4]picture

func newPicture() *picture   { return &library[0] }
func freePicture(p *picture) { fmt.Println("picture freed") }

// A handle is closed by the program, once.
func Example() {
	pictures := handle.NewTypeOf(freePicture, handle.Options{Name: "picture"})
	p := pictures.Open(newPicture())
	defer func() { _ = p.Close() }()

	err := p.With(func(p *picture) { fmt.Println("picture used") })
	fmt.Println(err)
	// Output:
	// picture used
	// <nil>
	// picture freed
}

// A type of resources that are ids.
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

// The native size of a resource may be its own.
func ExampleTypeOf() {
	before := handle.Stats().NativeBytes
	pictures := handle.NewTypeOf(freePicture, handle.Options{Name: "picture"})
	p := pictures.OpenSized(newPicture(), 1<<20)
	fmt.Println(handle.Stats().NativeBytes - before)
	fmt.Println(p.Close(), handle.Stats().NativeBytes-before)
	// Output:
	// 1048576
	// picture freed
	// <nil> 0
}

// BeginUse and EndUse are With for code that cannot pass a function.
func ExampleOf() {
	pictures := handle.NewTypeOf(freePicture, handle.Options{Name: "picture"})
	p := pictures.Open(newPicture())
	if _, err := p.BeginUse(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Close(), p.IsClosed()) // waits for the use to end
	p.EndUse()
	// Output:
	// <nil> true
	// picture freed
}

// A type says what a Close during a use does.
func ExampleCloseInUse() {
	pictures := handle.NewTypeOf(freePicture, handle.Options{Name: "picture", CloseInUse: handle.RefuseInUse})
	p := pictures.Open(newPicture())
	_ = p.With(func(*picture) {
		err := p.Close()
		fmt.Println(err)
		fmt.Println(errors.Is(err, handle.ErrInUse))
	})
	fmt.Println(p.Close())
	fmt.Println(errors.Is(p.Close(), handle.ErrClosed))
	// Output:
	// picture: Close while 1 uses are under way; end them first
	// true
	// picture freed
	// <nil>
	// true
}

// A child keeps its parent from being released before it.
func ExampleCloseWithChildren() {
	databases := handle.NewTypeOf(func(int) { fmt.Println("database closed") },
		handle.Options{Name: "database", CloseWithChildren: handle.RefuseChildren})
	statements := handle.NewTypeOf(func(int) { fmt.Println("statement closed") },
		handle.Options{Name: "statement", Parent: databases})
	db := databases.Open(1)
	statement, err := statements.OpenChild(db, 2)
	fmt.Println(err)
	fmt.Println(errors.Is(db.Close(), handle.ErrChildren))
	fmt.Println(statement.Close(), db.Close())
	// Output:
	// <nil>
	// true
	// statement closed
	// database closed
	// <nil> <nil>
}

// Values cost no allocation, and all copies are the same handle.
func ExampleNewPool() {
	pool := handle.NewPool(freePicture, handle.Options{Name: "picture"})
	v := pool.Open(newPicture())
	copied := v
	fmt.Println(v.Close())
	fmt.Println(copied.IsClosed())
	// Output:
	// picture freed
	// <nil>
	// true
}

// An owner opens values for one goroutine at a time.
func ExampleOwner() {
	pool := handle.NewPool(freePicture, handle.Options{Name: "picture"})
	owner := pool.NewOwner()
	defer func() { _ = owner.Close() }()
	fmt.Println(owner.Open(newPicture()).Close())
	// Output:
	// picture freed
	// <nil>
}

// What is forgotten is released by the net, and counted.
func ExampleDrain() {
	files := handle.NewTypeOf(func(id int) { fmt.Println("released", id) }, handle.Options{Name: "example-file"})
	files.Open(3) // forgotten
	for handle.Stats().Of("example-file").Forgotten == 0 {
		handle.Drain(time.Minute)
	}
	// Output: released 3
}

// A queue releases what was forgotten on the goroutine that serves it.
func ExampleQueue() {
	var queue handle.Queue
	ready := queue.Ready()
	windows := handle.NewTypeOf(func(id int) { fmt.Println("window", id, "closed here") },
		handle.Options{Name: "window", ReleaseOn: &queue})
	windows.Open(7)                 // forgotten
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

// The program hears of what it forgot.
func ExampleAddListener() {
	heard := make(chan string, 1)
	remove := handle.AddListener(func(name string, count int, site []string) {
		if name == "example-socket" {
			heard <- fmt.Sprint(count, " of ", name)
		}
	}, nil)
	defer remove()
	sockets := handle.NewTypeOf(func(int) {}, handle.Options{Name: "example-socket"})
	sockets.Open(3) // forgotten
	for len(heard) == 0 {
		handle.Drain(time.Second / 100)
	}
	fmt.Println(<-heard)
	// Output: 1 of example-socket
}

// At level full, the counts have the lines that opened what is open.
func ExampleSetDetection() {
	defer handle.SetDetection(handle.SetDetection(handle.DetectFull))
	sockets := handle.NewTypeOf(func(int) {}, handle.Options{Name: "example-open"})
	s := sockets.Open(3)
	site := handle.Stats().Of("example-open").Sites[0]
	fmt.Println(site.Open, strings.Contains(site.Stack[0], "ExampleSetDetection(example_test.go:"))
	fmt.Println(s.Close())
	// Output:
	// 1 true
	// <nil>
}

// The counts of a type add up.
func ExampleStats() {
	sockets := handle.NewTypeOf(func(int) {}, handle.Options{Name: "example-counted"})
	kept := sockets.Open(1)
	_ = sockets.Open(2).Close()
	t := handle.Stats().Of("example-counted")
	fmt.Println("opened", t.Opened, "closed", t.Closed, "forgotten", t.Forgotten, "open", t.Open)
	_ = kept.Close()
	// Output: opened 2 closed 1 forgotten 0 open 1
}

// A report at the end of main says what is left.
func ExampleExitReport() {
	sockets := handle.NewTypeOf(func(int) {}, handle.Options{Name: "example-left"})
	left := sockets.Open(1)
	for line := range strings.Lines(handle.ExitReport(time.Minute)) {
		if strings.Contains(line, "example-left") {
			fmt.Print(line)
		}
	}
	_ = left.Close()
	// Output: OPEN  type=example-left  1 open of 1 opened: reachable, and not closed
}

// Native memory starts GC cycles when it has grown by the budget.
func ExampleSetBudget() {
	handle.SetBudget(1<<20, 0)
	defer handle.SetBudget(256<<20, 100*time.Millisecond)
	before := handle.Stats().Requests
	buffers := handle.NewTypeOf(func(int) {}, handle.Options{Name: "example-buffer", Bytes: 64 << 10})
	for i := range 100 {
		buffers.Open(i) // forgotten
	}
	fmt.Println(handle.Stats().Requests > before)
	// Output: true
}
