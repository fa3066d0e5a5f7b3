package memory

import (
	"errors"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// systems are those whose rules a pool has to keep: the one it runs on, the fallback, and one that is as strict as Windows.
func systems() map[string]system {
	return map[string]system{"this": thisSystem(), "Go heap": goHeap{}, "strict": newStrict(thisSystem())}
}

// strict keeps account of what is committed, and writes a pattern over what is not: a pool that takes such memory for zeros
// is found.
type strict struct {
	system
	committed map[uintptr]bool // by page of 4 KiB
	wrong     error
}

const strictPage = 4 << 10

func newStrict(s system) *strict { return &strict{system: s, committed: map[uintptr]bool{}} }

func (s *strict) pageBytes() int { return strictPage }

func (s *strict) pages(p unsafe.Pointer, bytes int, each func(page uintptr)) bool {
	if uintptr(p)%strictPage != 0 || bytes%strictPage != 0 {
		s.wrong = errors.New("not whole pages")
	}
	for at := range bytes / strictPage {
		each(uintptr(p) + uintptr(at*strictPage))
	}
	return true
}

func (s *strict) commit(p unsafe.Pointer, bytes int) bool {
	return s.pages(p, bytes, func(page uintptr) {
		if !s.committed[page] {
			clear(unsafe.Slice((*byte)(unsafe.Add(p, page-uintptr(p))), strictPage))
		}
		s.committed[page] = true
	})
}

func (s *strict) decommit(p unsafe.Pointer, bytes int) bool {
	return s.pages(p, bytes, func(page uintptr) {
		if !s.committed[page] {
			s.wrong = errors.New("decommitted twice")
		}
		delete(s.committed, page)
		for i := range unsafe.Slice((*byte)(unsafe.Add(p, page-uintptr(p))), strictPage) {
			*(*byte)(unsafe.Add(p, page-uintptr(p)+uintptr(i))) = 0xEE
		}
	})
}

func (s *strict) discard(p unsafe.Pointer, bytes int) bool {
	return s.pages(p, bytes, func(page uintptr) {
		if !s.committed[page] {
			s.wrong = errors.New("discarded what is not committed")
		}
		clear(unsafe.Slice((*byte)(unsafe.Add(p, page-uintptr(p))), strictPage))
	})
}

// check fails unless all of a block is committed.
func (s *strict) check(t *testing.T, p unsafe.Pointer, bytes int) {
	t.Helper()
	for at := uintptr(p) &^ (strictPage - 1); at < uintptr(p)+uintptr(bytes); at += strictPage {
		if !s.committed[at] {
			t.Fatalf("%d bytes at %p: %#x is not committed", bytes, p, at)
		}
	}
	if s.wrong != nil {
		t.Fatal(s.wrong)
	}
}

// TestSystem_rules takes and gives back at random, and has pages returned in between: whatever is said to be zero is, and
// what was written stays.
func TestSystem_rules(t *testing.T) {
	for name, s := range systems() {
		t.Run(name, func(t *testing.T) {
			random := seeded(t)
			p := noError(newPool(Config{Name: name, LargestChunk: 256 << 10, Reserve: 4 << 20}, s))
			heap := p.Owner().OpenHeap()
			watch, _ := s.(*strict)
			check := func(at unsafe.Pointer, bytes int) {
				if watch != nil {
					watch.check(t, at, bytes)
				}
			}
			var chunks, blocks []filled
			for step := range 1500 {
				switch random.IntN(7) {
				case 0, 1:
					bytes := 1 << (10 + random.IntN(10))
					if at, err := p.Owner().AllocateChunk(bytes); err == nil {
						check(at, bytes)
						chunks = append(chunks, fill(at, bytes, byte(step)))
					}
				case 2, 3:
					bytes := 1 + random.IntN(100<<10)
					if at, err := heap.Allocate(bytes, 16); err == nil {
						check(at, bytes)
						checkZero(t, at, bytes)
						blocks = append(blocks, fill(at, bytes, byte(step)))
					}
				case 4:
					arena := p.Owner().OpenArena()
					for range random.IntN(20) {
						bytes := 1 + random.IntN(20<<10)
						if at, err := arena.Allocate(bytes, 8); err == nil {
							check(at, bytes)
							checkZero(t, at, bytes)
							fill(at, bytes, byte(step))
						}
					}
					must(t, arena.Close())
				case 5:
					release(t, random, &chunks, p.FreeChunk)
					release(t, random, &blocks, heap.Free)
				case 6:
					if random.IntN(10) == 0 {
						p.Trim()
					}
				}
			}
			for len(chunks)+len(blocks) > 0 {
				release(t, random, &chunks, p.FreeChunk)
				release(t, random, &blocks, heap.Free)
			}
			must(t, heap.Close())
			p.Trim()
			must(t, p.Verify())
			if resident, err := p.ResidentBytes(); err != nil || name == "this" && resident != 0 {
				t.Errorf("%d bytes resident, %v", resident, err)
			}
			if watch != nil && len(watch.committed) != 0 {
				t.Errorf("%d pages stay committed", len(watch.committed))
			}
			must(t, p.Close())
		})
	}
}

// release frees up to eight of them.
func release(t *testing.T, random *rand.Rand, from *[]filled, free func(unsafe.Pointer) error) {
	t.Helper()
	for range min(8, len(*from)) {
		f := remove(random, from)
		f.check(t)
		must(t, free(f.at))
	}
}

// TestSystem_alignment: a region is aligned and zero, and goes back.
func TestSystem_alignment(t *testing.T) {
	for name, s := range systems() {
		for _, size := range [][2]int{{4 << 20, 4 << 20}, {64 << 20, 4 << 20}, {1 << 20, 256 << 10}} {
			p := s.reserve(size[0], size[1])
			if p == nil || uintptr(p)%uintptr(size[1]) != 0 {
				t.Fatalf("%s: %d bytes aligned to %d at %p", name, size[0], size[1], p)
			}
			last := unsafe.Add(p, size[0]-64<<10)
			if !s.commit(last, 64<<10) {
				t.Fatal(name, "commits nothing")
			}
			checkZero(t, last, 64<<10)
			fill(last, 64<<10, 1)
			if !s.discard(last, 64<<10) {
				t.Fatal(name, "discards nothing")
			}
			checkZero(t, last, 64<<10)
			fill(last, 64<<10, 2)
			if !s.decommit(last, 64<<10) || !s.commit(last, 64<<10) {
				t.Fatal(name, "does not commit what it took back")
			}
			checkZero(t, last, 64<<10)
			s.release(p, size[0])
		}
	}
}

// TestSystem_refuses: a system without memory is a refusal like any other, and says so.
func TestSystem_refuses(t *testing.T) {
	s := &faulty{system: thisSystem()}
	p := noError(newPool(Config{Name: "poor"}, s))
	kept := noError(p.Owner().AllocateChunk(4096))
	s.noCommit.Store(true)
	for _, bytes := range []int{64 << 10, 1 << 20, 9 << 20} {
		_, err := p.Owner().AllocateChunk(bytes)
		wants(t, err, ErrLimit, "the system has no more memory", "poor")
	}
	within := noError(p.Owner().AllocateChunk(4096)) // from the granule that there is
	must(t, p.Verify())
	if charged := p.Owner().ChargedBytes(); charged != 64<<10 {
		t.Errorf("%d bytes charged", charged)
	}
	s.noCommit.Store(false)
	must(t, p.FreeChunk(noError(p.Owner().AllocateChunk(1<<20))))
	must(t, p.FreeChunk(kept))
	must(t, p.FreeChunk(within))
	must(t, p.Verify())
	must(t, p.Close())
}
