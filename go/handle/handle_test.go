package handle_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"offcut.dev/go/handle"
)

// native stands for memory that is not Go's.
var native [64]byte

func at(i int) unsafe.Pointer { return unsafe.Pointer(&native[i]) }

func ids(t *testing.T, o handle.Options) (*handle.TypeOf[uintptr], *atomic.Int64) {
	released := new(atomic.Int64)
	o.Name = t.Name()
	return handle.NewTypeOf(func(uintptr) { released.Add(1) }, o), released
}

// panics runs f and returns the text it panicked with.
func panics(t *testing.T, f func()) (text string) {
	t.Helper()
	defer func() {
		r := recover()
		if r == nil {
			t.Error("did not panic")
		}
		text, _ = r.(string)
	}()
	f()
	return ""
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
}

func TestHandle_closedOnce(t *testing.T) {
	typ, released := ids(t, handle.Options{})
	h := typ.Open(0) // an id like any other
	if h.IsClosed() || h.String() != t.Name()+"(open)" {
		t.Errorf("new: %v", h)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	err := h.Close()
	if !errors.Is(err, handle.ErrClosed) || !errors.Is(err, os.ErrClosed) || errors.Is(err, handle.ErrInUse) {
		t.Errorf("second Close: %v", err)
	}
	contains(t, err.Error(), t.Name(), "Close", "OFFCUT_HANDLE_DETECTION=full")
	if _, err := h.BeginUse(); !errors.Is(err, handle.ErrClosed) {
		t.Errorf("use after close: %v", err)
	}
	if err := h.With(func(uintptr) { t.Error("used") }); !errors.Is(err, handle.ErrClosed) {
		t.Errorf("use after close: %v", err)
	}
	if !h.IsClosed() || h.String() != t.Name()+"(closed)" || released.Load() != 1 {
		t.Errorf("closed: %v, %d released", h, released.Load())
	}
}

func TestHandle_tenuredClosedOnce(t *testing.T) {
	typ, released := ids(t, handle.Options{})
	h := typ.Open(7)
	handle.Rotate()
	handle.Rotate()
	if s := handle.Stats().Of(t.Name()); s.Promoted != 1 || s.Open != 1 || s.Oldest <= 0 {
		t.Errorf("promoted %d, open %d, oldest %v", s.Promoted, s.Open, s.Oldest)
	}
	if err := h.With(func(id uintptr) {
		if id != 7 {
			t.Errorf("id %d", id)
		}
	}); err != nil {
		t.Error(err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if err := h.Close(); !errors.Is(err, handle.ErrClosed) {
		t.Errorf("second Close: %v", err)
	}
	drain(t)
	if released.Load() != 1 {
		t.Errorf("%d released", released.Load())
	}
}

func TestHandle_none(t *testing.T) {
	for _, h := range []*handle.Of[int32]{nil, {}} {
		_, err := h.BeginUse()
		for _, err := range []error{err, h.Close(), h.With(nil)} {
			if !errors.Is(err, os.ErrInvalid) {
				t.Errorf("no handle: %v", err)
			}
		}
		if h.EndUse(); !h.IsClosed() || h.String() != "handle(nil)" {
			t.Errorf("no handle: %v", h)
		}
	}
	var v handle.Value[uintptr]
	_, err := v.BeginUse()
	if !errors.Is(v.Close(), os.ErrInvalid) || !errors.Is(err, os.ErrInvalid) || !v.IsClosed() {
		t.Error("zero Value:", v.Close(), err)
	}
}

// A releaser that closes its own handle finds it closed, and may close others.
func TestHandle_closedByItsReleaser(t *testing.T) {
	var h, other *handle.Of[uintptr]
	var own, others error
	typ := handle.NewTypeOf(func(id uintptr) {
		if id == 1 {
			own, others = h.Close(), other.Close()
		}
	}, handle.Options{Name: t.Name()})
	h, other = typ.Open(1), typ.Open(2)
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if !errors.Is(own, handle.ErrClosed) || others != nil {
		t.Errorf("own %v, other %v", own, others)
	}
}

func TestHandle_releaserPanics(t *testing.T) {
	typ := handle.NewTypeOf(func(uintptr) { panic("native trouble") }, handle.Options{Name: t.Name()})
	h := typ.Open(1)
	contains(t, panics(t, func() { _ = h.Close() }), "native trouble")
	if !h.IsClosed() {
		t.Error("not closed")
	}
	var heard atomic.Int64
	defer handle.AddListener(nil, func(name string, failure any) {
		if name == t.Name() && failure == "native trouble" {
			heard.Add(1)
		}
	})()
	typ.Open(2)
	if s := settle(t, t.Name(), 1); s.Failures != 2 || heard.Load() != 1 {
		t.Errorf("%d failures, %d heard", s.Failures, heard.Load())
	}
}

func TestType_badOptions(t *testing.T) {
	childless, _ := ids(t, handle.Options{})
	for _, bad := range []struct {
		o    handle.Options
		says string
	}{
		{handle.Options{}, "Name is empty"},
		{handle.Options{Name: "x", Bytes: -1}, "Bytes -1"},
		{handle.Options{Name: "x", CloseInUse: 9}, "CloseInUse 9"},
		{handle.Options{Name: "x", CloseWithChildren: -1}, "CloseWithChildren -1"},
		{handle.Options{Name: "x", CloseInUse: handle.WaitInUse}, "WaitLimit above zero"},
		{handle.Options{Name: "x", WaitLimit: time.Second}, "only WaitInUse"},
		{handle.Options{Name: "x", Parent: childless}, "Childless"},
		{handle.Options{Name: "x", CloseInUse: handle.Unguarded, CloseWithChildren: handle.RefuseChildren}, "leave Unguarded out"},
	} {
		contains(t, panics(t, func() { handle.NewTypeOf(func(int) {}, bad.o) }), "handle: ", bad.says)
	}
	x := handle.Options{Name: "x"}
	for says, bad := range map[string]func(){
		"of type string": func() { handle.NewTypeOf(func(string) {}, x) },
		"of type []int":  func() { handle.NewTypeOf(func([]int) {}, x) },
		"no releaser":    func() { handle.NewTypeOf[int](nil, x) },
		"use NewTypeOf":  func() { handle.NewPool(func(int) {}, handle.Options{Name: "x", CloseInUse: handle.RefuseInUse}) },
	} {
		contains(t, panics(t, bad), says)
	}
}

func TestType_badOpenings(t *testing.T) {
	typ := handle.NewTypeOf(func(unsafe.Pointer) {}, handle.Options{Name: t.Name()})
	pool := handle.NewPool(func(unsafe.Pointer) {}, handle.Options{Name: t.Name()})
	for _, bad := range []struct {
		call func()
		says string
	}{
		{func() { typ.Open(nil) }, "check what the native call returned"},
		{func() { typ.OpenSized(at(0), -1) }, "negative bytes"},
		{func() { pool.Open(nil) }, "check what the native call returned"},
		{func() { handle.SetBudget(-1, 0) }, "SetBudget(-1"},
		{func() { handle.SetDetection(9) }, "SetDetection(9)"},
	} {
		contains(t, panics(t, bad.call), "handle: ", bad.says)
	}
}

// A stripe that is full of open handles is promoted by its opener, and keeps working.
func TestNursery_full(t *testing.T) {
	typ, released := ids(t, handle.Options{})
	n := 3 * handle.MaxSlots
	all := make([]*handle.Of[uintptr], n)
	for i := range all {
		all[i] = typ.Open(uintptr(i))
	}
	if s := handle.Stats().Of(t.Name()); s.Open != int64(n) || s.Promoted == 0 {
		t.Errorf("open %d of %d, promoted %d", s.Open, n, s.Promoted)
	}
	for _, h := range all {
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if s := handle.Stats().Of(t.Name()); s.Open != 0 || s.Closed != int64(n) || released.Load() != int64(n) {
		t.Errorf("open %d, closed %d, released %d of %d", s.Open, s.Closed, released.Load(), n)
	}
}

// The opener that finds its stripe full promotes some handles, not all.
func TestNursery_fullPromotesSome(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a cycle would promote all
	typ, _ := ids(t, handle.Options{})
	all := make([]*handle.Of[uintptr], handle.MaxSlots+1)
	for i := range all {
		all[i] = typ.Open(uintptr(i))
	}
	if s := handle.Stats().Of(t.Name()); s.Open != int64(len(all)) || s.Promoted > handle.PromotedAtOnce {
		t.Errorf("%d open, %d promoted; want %d, and %d at most", s.Open, s.Promoted, len(all), handle.PromotedAtOnce)
	}
	for _, h := range all {
		_ = h.Close()
	}
}

// A rotation promotes all handles that are open, however many slots there are.
func TestNursery_rotatesAll(t *testing.T) {
	for _, n := range []int{1, 65, 5000, handle.MaxSlots} {
		typ := handle.NewTypeOf(func(uintptr) {}, handle.Options{Name: fmt.Sprint(t.Name(), n)})
		all := make([]*handle.Of[uintptr], n)
		for i := range all {
			all[i] = typ.Open(uintptr(i))
		}
		typ.Rotate()
		if s := handle.Stats().Of(typ.Name()); s.Promoted != int64(n) || s.Open != int64(n) {
			t.Errorf("%d promoted, %d open; want %d", s.Promoted, s.Open, n)
		}
		for _, h := range all {
			_ = h.Close()
		}
	}
}

// Promoted handles are closed while the collector frees the spans of others. golang/go 81435: with Go 1.27 there are programs
// that Cleanup.Stop ends with a fatal error, which no test can recover from.
func TestTenured_closedWhileCollected(t *testing.T) {
	n := 200_000
	if testing.Short() || raceEnabled {
		n = 20_000
	}
	l := newLedger(t, n)
	typ := handle.NewTypeOf(l.release, handle.Options{Name: t.Name()})
	var stop atomic.Bool
	var collector, openers sync.WaitGroup
	collector.Go(func() {
		for !stop.Load() {
			runtime.GC()
		}
	})
	var next atomic.Int64
	for range 4 {
		openers.Go(func() {
			var batch [200]*handle.Of[uintptr]
			for {
				first := next.Add(int64(len(batch))) - int64(len(batch))
				if first >= int64(n) {
					return
				}
				for i := range batch {
					batch[i] = typ.Open(uintptr(first) + uintptr(i))
				}
				typ.Rotate()
				for i, h := range batch {
					if i%10 == 0 {
						continue // forgotten: the finalizers of neighbours run meanwhile
					}
					if err := h.Close(); err != nil {
						t.Error(err)
					}
				}
				clear(batch[:])
			}
		})
	}
	openers.Wait()
	stop.Store(true)
	collector.Wait()
	settle(t, t.Name(), int64(n/10))
	l.once(n)
}

func TestHandle_allocations(t *testing.T) {
	typ, _ := ids(t, handle.Options{})
	if got := testing.AllocsPerRun(1000, func() { _ = typ.Open(1).Close() }); got > 1 {
		t.Errorf("a pointer handle takes %v allocations", got)
	}
	pool := handle.NewPool(func(uintptr) {}, handle.Options{Name: t.Name()})
	o := pool.NewOwner()
	if got := testing.AllocsPerRun(1000, func() { _ = o.Open(1).Close() }); got != 0 {
		t.Errorf("a value takes %v allocations", got)
	}
}
