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
