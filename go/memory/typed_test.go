package memory

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"
)

type point struct {
	x, y  float64
	flags [3]uint8
}

type nested struct {
	id    uint64
	parts [2]struct{ label string }
}

var _ = nested{id: 1, parts: [2]struct{ label string }{}}

func refusal[T any](a Allocator) (one, many error) {
	_, one = New[T](a)
	_, many = MakeSlice[T](a, 1, 1)
	return one, many
}

func TestNew_refusesGoPointers(t *testing.T) {
	p := smallPool(t, 1<<20)
	a := p.Owner().OpenArena()
	for words, check := range map[string]func(Allocator) (error, error){
		"*int is of type *int":                             refusal[*int],
		"string is of type string":                         refusal[string],
		"nested.parts[0].label is of type string":          refusal[nested],
		"[]uint8 is of type []uint8":                       refusal[[]byte],
		"map[int]int is of type":                           refusal[map[int]int],
		"chan int is of type":                              refusal[chan int],
		"func() is of type":                                refusal[func()],
		"interface {} is of type":                          refusal[any],
		"unsafe.Pointer is of type":                        refusal[unsafe.Pointer],
		"[2]*int[0] is of type *int":                       refusal[[2]*int],
		"memory.Block.slab is of type *memory.slab, which": refusal[Block],
	} {
		for range 2 { // looked up, and remembered
			one, many := check(a)
			wants(t, one, ErrGoPointer, words)
			wants(t, many, ErrGoPointer, words)
		}
	}
	if _, err := New[[0]*int](a); err != nil {
		t.Errorf("an array of no pointers: %v", err)
	}
	if _, err := New[uintptr](a); err != nil {
		t.Errorf("a number: %v", err)
	}
	must(t, a.Close())
}

func TestNew_everyAllocator(t *testing.T) {
	p := smallPool(t, 4<<20)
	confined, shared := p.Owner().OpenHeap(), p.Owner().OpenSharedHeap()
	arena, sharedArena := p.Owner().OpenArena(), p.Owner().OpenSharedArena()
	for _, a := range []Allocator{confined, shared, arena, sharedArena} {
		t.Run(fmt.Sprintf("%v", a), func(t *testing.T) {
			v := noError(New[point](a))
			if *v != (point{}) {
				t.Errorf("new: %v", *v)
			}
			*v = point{1, 2, [3]uint8{3, 4, 5}}
			s := noError(MakeSlice[point](a, 10, 20))
			if len(s) != 10 || cap(s) != 20 {
				t.Errorf("%d of %d", len(s), cap(s))
			}
			for i := range s[:cap(s)] {
				s[:cap(s)][i].x = float64(i)
			}
			empty := noError(MakeSlice[uint64](a, 0, 0))
			if v.flags[2] != 5 || s[9].x != 9 {
				t.Error("they share memory")
			}
			must(t, Free(a, v))
			wants(t, Free(a, v), ErrDoubleFree)
			must(t, FreeSlice(a, s[:0]))
			wants(t, FreeSlice(a, s), ErrDoubleFree)
			must(t, FreeSlice(a, empty))
			must(t, Free[point](a, nil))
			must(t, FreeSlice[point](a, nil))
			wants(t, Free(a, new(point)), ErrForeignFree)
		})
	}
	must(t, confined.Close())
	must(t, shared.Close())
	must(t, arena.Close())
	must(t, sharedArena.Close())
}

func TestMakeSlice_badSizes(t *testing.T) {
	p := smallPool(t, 1<<20)
	a := p.Owner().OpenArena()
	for _, c := range []struct{ length, capacity int }{{-1, 0}, {0, -1}, {2, 1}, {math.MinInt, 5}} {
		_, err := MakeSlice[uint64](a, c.length, c.capacity)
		wants(t, err, ErrSize, fmt.Sprint(c.length), fmt.Sprint(c.capacity), "uint64")
	}
	for _, capacity := range []int{math.MaxInt, math.MaxInt/8 + 1, math.MaxInt / 4} {
		_, err := MakeSlice[uint64](a, 0, capacity)
		wants(t, err, ErrSize, fmt.Sprint(capacity))
	}
	_, err := MakeSlice[uint64](a, 0, math.MaxInt/8)
	wants(t, err, ErrLimit)
	must(t, a.Close())
}

// TestPoison: with the build tag, what was given back reads as poison.
func TestPoison(t *testing.T) {
	p := smallPool(t, 1<<20)
	a := p.Owner().OpenArena()
	block := noError(MakeSlice[byte](a, 64, 64))
	copy(block, strings.Repeat("x", 64))
	must(t, FreeSlice(a, block))
	if got := block[10]; poisoning != (got == 0xDB) {
		t.Errorf("a freed byte is %#x; poisoning %v", got, poisoning)
	}
	must(t, a.Close())
}
