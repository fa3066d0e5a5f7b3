package handle_test

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"offcut.dev/go/handle"
)

func TestValue_stale(t *testing.T) {
	pool := handle.NewPool(func(uintptr) {}, handle.Options{Name: t.Name()})
	o := pool.NewOwner()
	old := o.Open(1)
	if old.String() != t.Name()+"(open)" {
		t.Error(old)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	contains(t, old.Close().Error(), t.Name(), "closed value")
	fresh := old
	for i := 0; i == 0 || !fresh.SameSlot(old); i++ {
		_ = fresh.Close()
		fresh = o.Open(2)
	}
	err := old.Close()
	if !errors.Is(err, handle.ErrClosed) {
		t.Fatalf("Close of a stale value: %v", err)
	}
	contains(t, err.Error(), "another resource since")
	if err := old.With(func(uintptr) { t.Error("used") }); !errors.Is(err, handle.ErrClosed) {
		t.Error(err)
	}
	if err := fresh.With(func(id uintptr) {
		if id != 2 {
			t.Error("id", id)
		}
	}); err != nil {
		t.Error(err)
	}
	if old.String() != t.Name()+"(closed)" || fresh.Close() != nil {
		t.Error(old, fresh)
	}
}

// A slot that had all its generations is not handed out again, and no old value opens it.
func TestValue_generationsRunOut(t *testing.T) {
	pool := handle.NewPool(func(uintptr) {}, handle.Options{Name: t.Name()})
	o := pool.NewOwner()
	first := o.Open(1)
	last := first.SetGeneration(handle.LastGeneration)
	if err := last.Close(); err != nil {
		t.Fatal(err)
	}
	for range 10 * handle.SlabSlots {
		v := o.Open(2)
		if v.SameSlot(last) {
			t.Fatal("a worn out slot was handed out")
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, v := range []handle.Value[uintptr]{first, last} {
		if err := v.Close(); !errors.Is(err, handle.ErrClosed) {
			t.Error(err)
		}
	}
}

// A slab whose slots are all worn out is never an owner's again.
func TestOwner_slabWornOut(t *testing.T) {
	pool := handle.NewPool(func(uintptr) {}, handle.Options{Name: t.Name()})
	o := pool.NewOwner()
	worn := make([]handle.Value[uintptr], handle.SlabSlots)
	for i := range worn {
		worn[i] = o.Open(1).SetGeneration(handle.LastGeneration)
	}
	for _, v := range worn {
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var open []handle.Value[uintptr]
	for range 2 { // once out of the slab at hand, once after it was let go
		for range 2 * handle.SlabSlots {
			open = append(open, o.Open(2))
		}
		_ = o.Close()
	}
	for _, v := range open {
		for _, w := range worn {
			if v.SameSlot(w) {
				t.Fatal("a worn out slot was handed out")
			}
		}
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}
}

// One value that stays open must not hide one that was forgotten in the same slab for ever: the owner moves on.
func TestOwner_retires(t *testing.T) {
	l := newLedger(t, 2)
	pool := handle.NewPool(func(id uintptr) {
		if id < 2 {
			l.release(id)
		}
	}, handle.Options{Name: t.Name()})
	o := pool.NewOwner()
	o.Open(0) // forgotten
	for range (handle.RetireAfter + 3) * handle.SlabSlots {
		if err := o.Open(9).Close(); err != nil {
			t.Fatal(err)
		}
	}
	settle(t, t.Name(), 1)
	runtime.KeepAlive(o)
	if l.count() != 1 {
		t.Error("not released while the owner lives")
	}
}

// Slabs come back without a registration of their own.
func TestOwner_slabsComeBack(t *testing.T) {
	pool := handle.NewPool(func(uintptr) {}, handle.Options{Name: t.Name()})
	o := pool.NewOwner()
	live := make([]handle.Value[uintptr], 0, 1000)
	churn := func() {
		for range 1000 {
			live = append(live, o.Open(1))
		}
		for _, v := range live {
			if err := v.Close(); err != nil {
				t.Fatal(err)
			}
		}
		live = live[:0]
	}
	churn()
	before := handle.Stats().Of(t.Name())
	for range 100 {
		churn()
	}
	after := handle.Stats().Of(t.Name())
	if after.Promoted-before.Promoted > 2*before.Promoted {
		t.Errorf("%d slabs registered at first, %d in all", before.Promoted, after.Promoted)
	}
	if after.Opened != 101_000 || after.Closed != 101_000 || after.Open != 0 {
		t.Errorf("%+v", after)
	}
	_ = o.Close()
}

// Statistics never count less than before, nor more than was opened, while an owner opens.
func TestStats_whileOpening(t *testing.T) {
	n := 200_000
	if testing.Short() || raceEnabled {
		n = 20_000
	}
	pool := handle.NewPool(func(uintptr) {}, handle.Options{Name: t.Name()})
	done := make(chan struct{})
	go func() {
		defer close(done)
		o := pool.NewOwner()
		var old handle.Value[uintptr]
		for i := range n {
			v := o.Open(uintptr(i))
			_ = old.Close()
			old = v
		}
		_ = old.Close()
		_ = o.Close()
	}()
	last := handle.TypeStats{}
	for looking := true; looking; {
		select {
		case <-done:
			looking = false
		default:
		}
		now := handle.Stats().Of(t.Name())
		if now.Opened < last.Opened || now.Opened > int64(n) || now.Open > 3 {
			t.Fatalf("after %+v came %+v", last, now)
		}
		last = now
	}
	if last.Opened != int64(n) || last.Closed != int64(n) || last.Open != 0 {
		t.Errorf("%+v", last)
	}
}

func TestPool_pinned(t *testing.T) {
	pool := handle.NewPool(func(uintptr) {}, handle.Options{Name: t.Name()})
	o := pool.NewOwner()
	a := o.Open(1)
	if s := handle.Stats().Of(t.Name()); s.Pinned != 0 || s.Open != 1 {
		t.Errorf("one: %+v", s)
	}
	b := o.Open(2)
	if s := handle.Stats().Of(t.Name()); s.Pinned != 2 || s.Open != 2 {
		t.Errorf("two: %+v", s)
	}
	_, _ = a.Close(), b.Close()
}

// TestPool_age: the oldest value is as old as its slab is with its owner.
func TestPool_age(t *testing.T) {
	pool := handle.NewPool(func(uintptr) {}, handle.Options{Name: t.Name()})
	before := time.Now()
	v := pool.Open(1)
	opened := time.Now()
	least := time.Since(opened)
	oldest := handle.Stats().Of(t.Name()).Oldest
	if most := time.Since(before); oldest < least || oldest > most {
		t.Errorf("%v old, expected %v to %v", oldest, least, most)
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
}
