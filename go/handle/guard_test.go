package handle_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"offcut.dev/go/handle"
)

func TestGuard_refuse(t *testing.T) {
	typ, released := ids(t, handle.Options{CloseInUse: handle.RefuseInUse})
	h := typ.Open(1)
	if _, err := h.BeginUse(); err != nil {
		t.Fatal(err)
	}
	err := h.Close()
	if !errors.Is(err, handle.ErrInUse) {
		t.Fatal(err)
	}
	contains(t, err.Error(), "1 uses", "end them first")
	h.EndUse()
	if err := h.Close(); err != nil || released.Load() != 1 {
		t.Error(err, released.Load())
	}
	contains(t, panics(t, h.EndUse), "EndUse without BeginUse")
	contains(t, panics(t, typ.Open(2).EndUse), "EndUse without BeginUse")
}

// An unguarded type counts nothing.
func TestGuard_none(t *testing.T) {
	typ, released := ids(t, handle.Options{CloseInUse: handle.Unguarded})
	h := typ.Open(1)
	_, _ = h.BeginUse()
	if err := h.Close(); err != nil || released.Load() != 1 {
		t.Error(err, released.Load())
	}
	h.EndUse()
}

// What was promoted during a use, or while a close waits, is taken out of the net by who closes it.
func TestGuard_promotedInUse(t *testing.T) {
	for _, closed := range []bool{false, true} { // before the promotion
		typ, released := ids(t, handle.Options{})
		h := typ.Open(1)
		_, _ = h.BeginUse()
		if closed {
			_ = h.Close()
		}
		typ.Rotate()
		if !closed {
			_ = h.Close()
		}
		if s := handle.Stats().Of(t.Name()); s.Open != 1 || released.Load() != 0 {
			t.Errorf("released under a use: %+v", s)
		}
		h.EndUse()
		drain(t)
		if s := handle.Stats().Of(t.Name()); s.Open != 0 || s.Forgotten != 0 || released.Load() != 1 {
			t.Errorf("%d released, %+v", released.Load(), s)
		}
	}
}

// The net releases a handle whose close waits for a use that nobody ends any more.
func TestGuard_forgottenUse(t *testing.T) {
	typ, released := ids(t, handle.Options{})
	func() {
		h := typ.Open(1)
		_, _ = h.BeginUse()
		_ = h.Close()
	}()
	if s := settle(t, t.Name(), 1); s.Open != 0 || released.Load() != 1 {
		t.Errorf("%d released, %+v", released.Load(), s)
	}
}

func TestGuard_defer(t *testing.T) {
	typ, released := ids(t, handle.Options{}) // the default
	h := typ.Open(1)
	_, _ = h.BeginUse()
	_, _ = h.BeginUse()
	if err := h.Close(); err != nil || released.Load() != 0 {
		t.Error(err, released.Load())
	}
	if _, err := h.BeginUse(); !errors.Is(err, handle.ErrClosed) {
		t.Error("a new use:", err)
	}
	if err := h.Close(); !errors.Is(err, handle.ErrClosed) {
		t.Error("a second close:", err)
	}
	h.EndUse()
	if released.Load() != 0 {
		t.Error("released under a use")
	}
	h.EndUse()
	if s := handle.Stats().Of(t.Name()); released.Load() != 1 || s.Open != 0 || s.Closed != 1 {
		t.Errorf("%d released, %+v", released.Load(), s)
	}
}

func TestGuard_wait(t *testing.T) {
	typ, released := ids(t, handle.Options{CloseInUse: handle.WaitInUse, WaitLimit: drainLimit})
	h := typ.Open(1)
	_, _ = h.BeginUse()
	done := make(chan error)
	go func() { done <- h.Close() }()
	for !h.IsClosed() {
		time.Sleep(time.Microsecond)
	}
	if released.Load() != 0 {
		t.Error("released under a use")
	}
	h.EndUse()
	if err := <-done; err != nil || released.Load() != 1 {
		t.Error(err, released.Load())
	}
}

func TestGuard_waitTooLong(t *testing.T) {
	typ, released := ids(t, handle.Options{CloseInUse: handle.WaitInUse, WaitLimit: time.Millisecond})
	h := typ.Open(1)
	_, _ = h.BeginUse()
	if err := h.Close(); !errors.Is(err, handle.ErrInUse) || h.IsClosed() {
		t.Error(err)
	}
	h.EndUse()
	if err := h.Close(); err != nil || released.Load() != 1 {
		t.Error(err, released.Load())
	}
}

// families makes a parent type and a child type.
func families(t *testing.T, policy handle.CloseWithChildren, note func(kind string, id uintptr)) (parent, child *handle.TypeOf[uintptr]) {
	parent = handle.NewTypeOf(func(id uintptr) { note("parent", id) }, handle.Options{Name: t.Name() + "/parent", CloseWithChildren: policy})
	child = handle.NewTypeOf(func(id uintptr) { note("child", id) }, handle.Options{Name: t.Name() + "/child", Parent: parent})
	return parent, child
}

func must(t *testing.T) func(h *handle.Of[uintptr], err error) *handle.Of[uintptr] {
	return func(h *handle.Of[uintptr], err error) *handle.Of[uintptr] {
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
}

func TestFamily_refuse(t *testing.T) {
	parent, child := families(t, handle.RefuseChildren, func(string, uintptr) {})
	p := parent.Open(1)
	c := must(t)(child.OpenChild(p, 2))
	err := p.Close()
	if !errors.Is(err, handle.ErrChildren) {
		t.Fatal(err)
	}
	contains(t, err.Error(), "1 open children", child.Name())
	if err := errors.Join(c.Close(), p.Close()); err != nil {
		t.Error(err)
	}
	if _, err := child.OpenChild(p, 3); !errors.Is(err, handle.ErrClosed) {
		t.Error("a child of a closed parent:", err)
	}
	if _, err := child.OpenChild(nil, 3); !errors.Is(err, os.ErrInvalid) {
		t.Error("a child of no parent:", err)
	}
	contains(t, panics(t, func() { child.Open(1) }), "use OpenChild")
	contains(t, panics(t, func() { _, _ = parent.OpenChild(parent.Open(4), 5) }), "Options.Parent")
}

func TestFamily_cascade(t *testing.T) {
	var order []uintptr
	parent, child := families(t, handle.CascadeChildren, func(_ string, id uintptr) { order = append(order, id) })
	p := parent.Open(1)
	var kids []*handle.Of[uintptr]
	for id := range 4 {
		kids = append(kids, must(t)(child.OpenChild(p, uintptr(id+2))))
	}
	handle.Rotate()
	if err := kids[1].Close(); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	want := []uintptr{3, 5, 4, 2, 1}
	for i := range want {
		if i >= len(order) || order[i] != want[i] {
			t.Fatalf("released in the order %v, want %v", order, want)
		}
	}
	if s := handle.Stats().Of(child.Name()); s.Open != 0 || s.Closed != 4 {
		t.Errorf("children: %+v", s)
	}
	for _, k := range kids {
		if err := k.Close(); !errors.Is(err, handle.ErrClosed) {
			t.Error("a child that its parent closed:", err)
		}
		if _, err := k.BeginUse(); !errors.Is(err, handle.ErrClosed) {
			t.Error("a child that its parent closed:", err)
		}
	}
}

func TestFamily_defer(t *testing.T) {
	var order []string
	parent, child := families(t, handle.DeferChildren, func(kind string, _ uintptr) { order = append(order, kind) })
	p := parent.Open(1)
	a, b := must(t)(child.OpenChild(p, 2)), must(t)(child.OpenChild(p, 3))
	if err := p.Close(); err != nil || len(order) != 0 {
		t.Error(err, order)
	}
	if _, err := child.OpenChild(p, 4); !errors.Is(err, handle.ErrClosed) {
		t.Error("a child of a closing parent:", err)
	}
	if err := errors.Join(a.Close(), b.Close()); err != nil {
		t.Error(err)
	}
	if len(order) != 3 || order[2] != "parent" {
		t.Error(order)
	}
	if s := handle.Stats().Of(parent.Name()); s.Open != 0 || s.Closed != 1 {
		t.Errorf("parent: %+v", s)
	}
}

// The net releases children before their parents.
func TestFamily_forgotten(t *testing.T) {
	const families_ = 200
	var mu sync.Mutex
	left := map[uintptr]int{}
	parent, child := families(t, handle.RefuseChildren, func(kind string, id uintptr) {
		mu.Lock()
		defer mu.Unlock()
		if kind == "child" {
			left[id]--
		} else if left[id] != 0 {
			t.Errorf("parent %d was released before %d children", id, left[id])
		}
	})
	for id := range uintptr(families_) {
		left[id] = 3
		p := parent.Open(id)
		for range 3 {
			must(t)(child.OpenChild(p, id))
		}
	}
	settle(t, child.Name(), 3*families_)
	settle(t, parent.Name(), families_)
}

// A use and a close of one handle begin in the same nanoseconds. The resource outlives the use, and is released once.
func TestGuard_useAndCloseAtOnce(t *testing.T) {
	const batch = 200
	batches := 150
	switch {
	case raceEnabled: // whose goroutines are too slow to meet often
		batches = 5
	case testing.Short():
		batches = 50
	}
	for _, policy := range []handle.CloseInUse{handle.RefuseInUse, handle.DeferInUse, handle.WaitInUse} {
		l := newLedger(t, batches*batch)
		o := handle.Options{Name: t.Name(), CloseInUse: policy}
		if policy == handle.WaitInUse {
			o.WaitLimit = drainLimit
		}
		typ := handle.NewTypeOf(l.release, o)
		for b := range batches {
			var handles [batch]*handle.Of[uintptr]
			for i := range handles {
				handles[i] = typ.Open(uintptr(b*batch + i))
			}
			if b%2 == 0 {
				typ.Rotate()
			}
			var met atomic.Int64
			var both sync.WaitGroup
			both.Go(func() {
				random := rand.New(rand.NewPCG(uint64(b), 1))
				for i, h := range handles {
					meet(&met, int64(2*(i+1)), random.IntN(100))
					for range 2 {
						_ = h.With(func(id uintptr) {
							for range random.IntN(20) {
								if l.released[id].Load() != 0 {
									t.Error("released under a use")
								}
							}
						})
					}
				}
			})
			both.Go(func() {
				random := rand.New(rand.NewPCG(uint64(b), 2))
				for i, h := range handles {
					meet(&met, int64(2*(i+1)), random.IntN(100))
					err := h.Close()
					for errors.Is(err, handle.ErrInUse) && policy == handle.RefuseInUse {
						err = h.Close()
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
			both.Wait()
		}
		l.once(batches * batch)
	}
}
