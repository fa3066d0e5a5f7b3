package longmap_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"offcut.dev/go/longmap"
)

// keyed is a value that knows its key.
type keyed struct{ key uint64 }

// TestMap_looksBelongTogether: in one bucket in which keys take each other's places all the time, neither a look nor a walk
// sees the value of another key.
func TestMap_looksBelongTogether(t *testing.T) {
	const keys, rounds = 10, 400_000
	m := longmap.New[keyed](0)
	values := make([]*keyed, keys)
	for i := range values {
		values[i] = &keyed{inverse(uint64(i))} // one bucket, and as many slots
	}
	var done atomic.Bool
	var writers, readers sync.WaitGroup
	writers.Go(func() {
		for i := range rounds {
			put, remove := values[i%keys], values[(i+keys/2)%keys]
			m.Put(put.key, put)
			m.Remove(remove.key)
		}
		done.Store(true)
	})
	readers.Go(func() {
		for i := 0; !done.Load(); i++ {
			want := values[i%keys]
			if got := m.Get(want.key); got != nil && got != want {
				t.Errorf("key %d has the value of %d", want.key, got.key)
				return
			}
			if i%64 != 0 {
				continue
			}
			for key, value := range m.All() {
				if value == nil || value.key != key {
					t.Errorf("a walk saw key %d with %v", key, value)
					return
				}
			}
		}
	})
	writers.Wait()
	readers.Wait()
}

// TestMap_noLostUpdate has goroutines that count at one key by Compute, where each count is a new value.
func TestMap_noLostUpdate(t *testing.T) {
	const goroutines, rounds = 4, 60_000
	m := longmap.New[int](0)
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for range rounds {
				m.Compute(7, func(_ uint64, present *int) *int {
					if present == nil {
						return ptr(1)
					}
					return ptr(*present + 1)
				})
			}
		})
	}
	all.Wait()
	if got := *m.Get(7); got != goroutines*rounds {
		t.Errorf("counted to %d, expected %d", got, goroutines*rounds)
	}
}

// TestMap_takenOnce has goroutines that put and remove the same few keys: each value that was put is returned once, by a
// removal or as the value before, or is there at the end.
func TestMap_takenOnce(t *testing.T) {
	const goroutines, rounds, keys = 4, 60_000, 3
	m := longmap.NewEager[atomic.Int32]()
	var put, returned atomic.Int64
	back := func(v *atomic.Int32) {
		if v != nil {
			returned.Add(1)
			if n := v.Add(1); n != 1 {
				t.Errorf("a value came back %d times", n)
			}
		}
	}
	var all sync.WaitGroup
	for g := range uint64(goroutines) {
		all.Go(func() {
			for i := range uint64(rounds) {
				key := inverse((g + i) % keys)
				if (i>>3+g)%2 == 0 {
					put.Add(1)
					back(m.Put(key, new(atomic.Int32)))
				} else {
					back(m.Remove(key))
				}
			}
		})
	}
	all.Wait()
	for _, v := range m.All() {
		back(v)
	}
	if put.Load() != returned.Load() {
		t.Errorf("%d values put, %d came back", put.Load(), returned.Load())
	}
}
