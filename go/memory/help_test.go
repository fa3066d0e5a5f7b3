package memory

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// seeded is a source of chance whose seed is in the test's log.
func seeded(t testing.TB) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// testPool is closed at the end of the test, when everything must be back.
func testPool(t testing.TB, c Config) *Pool {
	t.Helper()
	if c.Name == "" {
		c.Name = "test"
	}
	p, err := NewPool(c)
	must(t, err)
	t.Cleanup(func() {
		must(t, p.Verify())
		must(t, p.Close())
	})
	return p
}

// smallPool has roots of 256 KiB and leaves of 1 KiB, so that tests reach every level soon.
func smallPool(t testing.TB, reserve int) *Pool {
	t.Helper()
	return testPool(t, Config{LargestChunk: 256 << 10, Reserve: reserve})
}

// wants fails unless an error is of a kind, and its text has all the words.
func wants(t testing.TB, err, kind error, words ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v, expected %v", err, kind)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
}

// filled is memory with a pattern: who else writes there is found. The race detector knows nothing of it, and takes its time.
type filled struct {
	at    unsafe.Pointer
	bytes int
	seed  byte
}

//go:norace
func fill(at unsafe.Pointer, bytes int, seed byte) filled {
	memory := unsafe.Slice((*byte)(at), bytes)
	for i := range memory {
		memory[i] = seed + byte(i*7)
	}
	return filled{at, bytes, seed}
}

//go:norace
func (f filled) check(t testing.TB) {
	t.Helper()
	for i, got := range unsafe.Slice((*byte)(f.at), f.bytes) {
		if want := f.seed + byte(i*7); got != want {
			t.Fatalf("byte %d of %d at %p is %#x, expected %#x", i, f.bytes, f.at, got, want)
		}
	}
}

//go:norace
func checkZero(t testing.TB, at unsafe.Pointer, bytes int) {
	t.Helper()
	for i, got := range unsafe.Slice((*byte)(at), bytes) {
		if got != 0 {
			t.Fatalf("byte %d of %d at %p is %#x, expected zero", i, bytes, at, got)
		}
	}
}

// remove takes a random element out of a slice.
func remove[T any](random *rand.Rand, from *[]T) T {
	s := *from
	i := random.IntN(len(s))
	taken := s[i]
	s[i] = s[len(s)-1]
	*from = s[:len(s)-1]
	return taken
}

// faulty is a system that refuses when told.
type faulty struct {
	system
	noReserve, noCommit, noDiscard atomic.Bool
}

func (f *faulty) reserve(bytes, alignment int) unsafe.Pointer {
	if f.noReserve.Load() {
		return nil
	}
	return f.system.reserve(bytes, alignment)
}

func (f *faulty) commit(p unsafe.Pointer, bytes int) bool {
	return !f.noCommit.Load() && f.system.commit(p, bytes)
}

func (f *faulty) decommit(p unsafe.Pointer, bytes int) bool {
	return !f.noDiscard.Load() && f.system.decommit(p, bytes)
}

func (f *faulty) discard(p unsafe.Pointer, bytes int) bool {
	return !f.noDiscard.Load() && f.system.discard(p, bytes)
}
