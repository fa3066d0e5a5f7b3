package handle_test

import (
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"

	"offcut.dev/go/handle"
)

// image stands for a struct of a C library.
type image struct{ width int }

func TestOf_pointers(t *testing.T) {
	var freed []*image
	typ := handle.NewTypeOf(func(p *image) { freed = append(freed, p) }, handle.Options{Name: t.Name()})
	native := images[:2]
	native[0].width = 3
	h := typ.Open(&native[0])
	var closer io.Closer = h
	width := 0
	if err := h.With(func(p *image) { width = p.width }); err != nil || width != 3 {
		t.Error(err, width)
	}
	p, err := h.BeginUse()
	if err != nil || p != &native[0] {
		t.Error(p, err)
	}
	if err := closer.Close(); err != nil || len(freed) != 0 || !h.IsClosed() {
		t.Error("closed under a use:", err, freed)
	}
	h.EndUse()
	if len(freed) != 1 || freed[0] != &native[0] {
		t.Error(freed)
	}
	if _, err := h.BeginUse(); !errors.Is(err, handle.ErrClosed) || !errors.Is(h.Close(), handle.ErrClosed) {
		t.Error(err)
	}
	if h.String() != t.Name()+"(closed)" {
		t.Error(h)
	}
	contains(t, panics(t, func() { typ.Open(nil) }), "check what the native call returned")
	if n := testing.AllocsPerRun(100, func() { _ = typ.Open(&native[1]).With(func(*image) {}) }); n > 1 && !raceEnabled {
		t.Errorf("%v allocations", n)
	}
}

// idOf opens, uses and closes an id of type T.
func idOf[T comparable](t *testing.T, id T) {
	t.Helper()
	var freed []T
	typ := handle.NewTypeOf(func(id T) { freed = append(freed, id) }, handle.Options{Name: t.Name()})
	h := typ.Open(id)
	if err := h.With(func(used T) {
		if used != id {
			t.Errorf("%v, want %v", used, id)
		}
	}); err != nil {
		t.Error(err)
	}
	if err := h.Close(); err != nil || len(freed) != 1 || freed[0] != id {
		t.Error(err, freed)
	}
}

func TestOf_ids(t *testing.T) {
	idOf(t, int8(-1))
	idOf(t, uint16(1<<15))
	idOf(t, int32(-7))
	idOf(t, uintptr(0))
	idOf(t, math.MinInt)
	idOf(t, ^uint(0))
	type descriptor int32
	idOf(t, descriptor(-3))
}

// images stand for C memory: what Go allocates might move.
var images [300]image

func TestOf_forgotten(t *testing.T) {
	freed := map[*image]int{}
	typ := handle.NewTypeOf(func(p *image) { freed[p]++ }, handle.Options{Name: t.Name()})
	for i := range images {
		typ.Open(&images[i])
	}
	settle(t, t.Name(), int64(len(images)))
	for i := range images {
		if freed[&images[i]] != 1 {
			t.Fatalf("%d was released %d times", i, freed[&images[i]])
		}
	}
}

// A size of its own may have what is an address or an id, a child or none.
func TestSized(t *testing.T) {
	parents := handle.NewTypeOf(func(uintptr) {}, handle.Options{Name: t.Name() + "/parents", Bytes: 1,
		CloseWithChildren: handle.RefuseChildren})
	addresses := handle.NewTypeOf(func(*image) {}, handle.Options{Name: t.Name() + "/addresses", Bytes: 2})
	children := handle.NewTypeOf(func(int) {}, handle.Options{Name: t.Name() + "/children", Parent: parents, Bytes: 3})
	before := handle.Outstanding()
	var all []io.Closer
	add := func(want int64) func(h io.Closer, err error) {
		return func(h io.Closer, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, h)
			if now := handle.Outstanding() - before; now != want {
				t.Errorf("%d bytes outstanding, want %d", now, want)
			}
		}
	}
	p := parents.OpenSized(1, 10)
	add(10)(p, nil)
	add(30)(addresses.OpenSized(&images[0], 20), nil)
	c, err := children.OpenChildSized(p, 2, 40)
	add(70)(c, err)
	c, err = children.OpenChild(p, 3)
	add(73)(c, err)
	handle.Rotate()
	for i := len(all) - 1; i >= 0; i-- { // the parent last
		if err := all[i].Close(); err != nil {
			t.Error(err)
		}
	}
	if now := handle.Outstanding(); now != before {
		t.Errorf("%d bytes are left", now-before)
	}
	contains(t, panics(t, func() { addresses.OpenSized(&images[0], -1) }), "negative bytes")
	contains(t, panics(t, func() { _, _ = children.OpenChildSized(p, 1, -1) }), "negative bytes")
}

// A copy is not the handle, whatever state it was copied in.
func TestHandle_copied(t *testing.T) {
	typ, released := ids(t, handle.Options{})
	for range 4 {
		h := typ.Open(1)
		c := new(handle.Of[uintptr])
		copyHandle(c, h)
		_, err := c.BeginUse()
		if !errors.Is(err, os.ErrInvalid) || !errors.Is(c.Close(), os.ErrInvalid) || !c.IsClosed() {
			t.Error("a copy:", err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
	if released.Load() != 4 {
		t.Errorf("%d released", released.Load())
	}
}

// copyHandle copies what vet would not let this test copy.
func copyHandle(to, from *handle.Of[uintptr]) {
	const size = unsafe.Sizeof(*to)
	copy((*[size]byte)(unsafe.Pointer(to))[:], (*[size]byte)(unsafe.Pointer(from))[:])
}

func TestHandle_vetFindsCopies(t *testing.T) {
	out, err := exec.Command("go", "vet", "./testdata/copies").CombinedOutput()
	if err == nil {
		t.Fatal("vet found nothing")
	}
	if n := strings.Count(string(out), "copies lock value") + strings.Count(string(out), "lock by value"); n < 3 {
		t.Errorf("vet found %d copies:\n%s", n, out)
	}
}

// A slot that had its last turn is taken until it is emptied; no opening is lost in the counts.
func TestNursery_lastTurn(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a cycle would empty the slots
	typ, _ := ids(t, handle.Options{})
	const n = 200_000
	for range n {
		_ = typ.Open(1).Close()
	}
	for range 2 {
		if s := handle.Stats().Of(t.Name()); s.Opened != n || s.Closed != n {
			t.Errorf("%+v", s)
		}
		typ.Rotate()
	}
}
