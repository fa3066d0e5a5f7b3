package handle_test

import (
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"offcut.dev/go/handle"
)

// exitSome returns a function that ends its goroutine at every third call.
func exitSome() func() {
	var calls atomic.Int64
	return func() {
		if calls.Add(1)%3 == 1 {
			runtime.Goexit()
		}
	}
}

// goexits is how many of so many calls of exitSome end the goroutine.
func goexits(calls int64) int64 { return (calls + 2) / 3 }

// hearFailures counts what the listener hears of a type's failed releases.
func hearFailures(t *testing.T) *atomic.Int64 {
	heard := new(atomic.Int64)
	t.Cleanup(handle.AddListener(nil, func(name string, failure any) {
		if err, ok := failure.(error); ok && strings.HasPrefix(name, t.Name()) && strings.Contains(err.Error(), "runtime.Goexit") {
			heard.Add(1)
		}
	}))
	return heard
}

func TestGoexit_inReleasers(t *testing.T) {
	const n = 700 // more than two batches
	for name, open := range map[string]func(release func(uintptr), name string) func(uintptr) io.Closer{
		"handle": func(release func(uintptr), name string) func(uintptr) io.Closer {
			typ := handle.NewTypeOf(release, handle.Options{Name: name})
			return func(id uintptr) io.Closer { return typ.Open(id) }
		},
		"pool": func(release func(uintptr), name string) func(uintptr) io.Closer {
			pool := handle.NewPool(release, handle.Options{Name: name})
			return func(id uintptr) io.Closer { return pool.Open(id) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			heard := hearFailures(t)
			exit, l := exitSome(), newLedger(t, n)
			opener := open(func(id uintptr) { l.release(id); exit() }, t.Name())
			for id := range uintptr(n) {
				opener(id)
			}
			s := settle(t, t.Name(), n)
			l.once(n)
			if want := goexits(n); s.Failures != want || heard.Load() != want {
				t.Errorf("%d failures, %d heard, want %d", s.Failures, heard.Load(), want)
			}
		})
	}
}

// The goroutine that serves a queue may end; another one releases the rest, of all types that have the queue.
func TestGoexit_inQueue(t *testing.T) {
	hearFailures(t)
	const n = 100
	var queue handle.Queue
	l := newLedger(t, 2*n)
	exit := exitSome()
	for i, name := range []string{t.Name() + "/a", t.Name() + "/b"} {
		typ := handle.NewTypeOf(func(id uintptr) { l.release(id); exit() }, handle.Options{Name: name, ReleaseOn: &queue})
		for id := range uintptr(n) {
			typ.Open(uintptr(i*n) + id)
		}
	}
	stop, ended := make(chan struct{}), make(chan struct{})
	var serve func()
	serve = func() {
		defer func() {
			select {
			case <-stop:
				close(ended)
			default:
				go serve()
			}
		}()
		select {
		case <-queue.Ready():
			queue.Release()
		case <-stop:
		}
	}
	go serve()
	settle(t, t.Name()+"/a", n)
	settle(t, t.Name()+"/b", n)
	close(stop)
	<-ended
	l.once(2 * n)
}

// A parent that waits for its last child is released by the net once that is; so may its releaser end the goroutine.
func TestGoexit_inReleaserOfAParent(t *testing.T) {
	hearFailures(t)
	const n = 50
	l := newLedger(t, 2*n)
	parents := handle.NewTypeOf(func(id uintptr) { l.release(id); runtime.Goexit() }, handle.Options{Name: t.Name() + "/parents", CloseWithChildren: handle.DeferChildren})
	children := handle.NewTypeOf(l.release, handle.Options{Name: t.Name() + "/children", Parent: parents})
	for id := range uintptr(n) {
		parent := parents.Open(id)
		if _, err := children.OpenChild(parent, n+id); err != nil {
			t.Fatal(err)
		}
		if err := parent.Close(); err != nil {
			t.Fatal(err)
		}
	}
	settle(t, children.Name(), n)
	l.once(2 * n)
	if s := handle.Stats().Of(parents.Name()); s.Open != 0 || s.Failures != n {
		t.Errorf("%d parents open, %d failures", s.Open, s.Failures)
	}
}

// Close ends the goroutine of its caller, as it lets panics through; the handle is closed.
func TestGoexit_inClose(t *testing.T) {
	typ := handle.NewTypeOf(func(uintptr) { runtime.Goexit() }, handle.Options{Name: t.Name()})
	h := typ.Open(1)
	ended := make(chan bool)
	go func() {
		returned := false
		defer func() { ended <- !returned }()
		_ = h.Close()
		returned = true
	}()
	if !<-ended || !h.IsClosed() {
		t.Error("Close returned, or the handle is open")
	}
	if s := settle(t, t.Name(), 0); s.Failures != 1 || s.Closed != 1 {
		t.Errorf("%+v", s)
	}
}
