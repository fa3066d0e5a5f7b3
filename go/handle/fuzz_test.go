package handle_test

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"offcut.dev/go/handle"
	"offcut.dev/go/internal/seeds"
)

// FuzzHandles reads a program from bytes and compares handles and values with a model: a list of who is open. What the
// program drops is forgotten, so in the end everything was released once.
func FuzzHandles(f *testing.F) {
	f.Add([]byte{0, 0, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{0, 10, 20, 30, 1, 11, 2, 12, 4, 5, 3, 13, 6})
	f.Add([]byte{0, 0, 0, 0, 6, 0, 0, 1, 2, 5, 7, 7, 7})
	seeds.Add(f, 100, 400)
	var l idLedger // types are for ever, so all programs share two
	typ := handle.NewTypeOf(l.release, handle.Options{Name: "fuzz"})
	pool := handle.NewPool(l.release, handle.Options{Name: "fuzz/pool"})
	var next atomic.Uint64
	defer handle.AddListener(nil, func(_ string, failure any) {
		fmt.Fprintln(os.Stderr, failure)
		os.Exit(2) // no test of this process can hear it
	})()
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) > 4096 {
			return
		}
		owner := pool.NewOwner()
		var open []model
		var shut []model
		for _, b := range program {
			pick := int(b >> 3)
			switch b & 7 {
			case 0, 1, 2:
				open = append(open, openOne(int(b&7), typ, pool, owner, uintptr(next.Add(1))))
			case 3:
				if len(open) > 0 {
					i := pick % len(open)
					if err := open[i].Close(); err != nil {
						t.Fatal("close of one that is open:", err)
					}
					shut = append(shut, open[i])
					open = append(open[:i], open[i+1:]...)
				}
			case 4:
				if len(shut) > 0 {
					if err := shut[pick%len(shut)].Close(); !errors.Is(err, handle.ErrClosed) {
						t.Fatal("close of one that is closed:", err)
					}
				}
			case 5:
				typ.Rotate()
			case 6:
				if len(open) > 0 {
					open = open[1:] // forgotten
				}
			case 7:
				if len(open) > 0 {
					o := open[pick%len(open)]
					if err := o.With(func(id uintptr) {
						if id != o.id {
							t.Fatalf("id %d, want %d", id, o.id)
						}
					}); err != nil {
						t.Fatal(err)
					}
				}
				if pick == 31 {
					_ = owner.Close()
				}
			}
		}
		for _, o := range open {
			if l.count(o.id) != 0 {
				t.Fatalf("id %d was released while it was open", o.id)
			}
			if err := o.Close(); err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range shut {
			if l.count(s.id) != 1 {
				t.Fatalf("id %d was released %d times", s.id, l.count(s.id))
			}
		}
		_ = owner.Close()
	})
}

// idLedger counts releases by id. A second one panics, in the closer or in the net, whose listener would hear it.
type idLedger struct{ released sync.Map }

func (l *idLedger) release(id uintptr) {
	if _, again := l.released.LoadOrStore(id, true); again {
		panic(fmt.Sprintf("id %d was released twice", id))
	}
}

func (l *idLedger) count(id uintptr) int {
	if _, ok := l.released.Load(id); ok {
		return 1
	}
	return 0
}

// model is an open handle of any kind, and its id.
type model struct {
	id uintptr
	closer
}

type closer interface {
	Close() error
	With(use func(id uintptr)) error
}

func openOne(kind int, typ *handle.TypeOf[uintptr], pool *handle.Pool[uintptr], owner *handle.Owner[uintptr], id uintptr) model {
	switch kind {
	case 0:
		return model{id, typ.Open(id)}
	case 1:
		return model{id, pool.Open(id)}
	}
	return model{id, owner.Open(id)}
}
