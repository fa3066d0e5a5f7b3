package main

import (
	"errors"
	"testing"

	"offcut.dev/go/memory"
)

func TestRun(t *testing.T) {
	if err := run(20_000, 2<<20); err != nil {
		t.Error(err)
	}
}

// TestRun_tooLittle: a limit that no generation fits is refused in words, and nothing is lost.
func TestRun_tooLittle(t *testing.T) {
	if err := run(10, 1000); !errors.Is(err, memory.ErrSize) {
		t.Errorf("a pool of 1000 bytes: %v", err)
	}
	if err := run(20_000, 192<<10); err != nil && !errors.Is(err, memory.ErrLimit) {
		t.Errorf("a pool of three granules: %v", err)
	}
}

func TestCache_generations(t *testing.T) {
	pool, err := memory.NewPool(memory.Config{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	c := newCache(pool.Owner(), 1000)
	for key := range uint64(100) {
		if err := c.put(key, []byte{byte(key), 99: 7}); err != nil {
			t.Fatal(err)
		}
		if v, ok, err := c.get(0); err != nil || !ok || v[0] != 0 || len(v) != 100 {
			t.Fatalf("after %d puts, key 0 has %v %v %v", key+1, v, ok, err)
		}
	}
	if _, ok, _ := c.get(50); ok || c.turned < 5 {
		t.Errorf("key 50 is there: %v; %d generations freed", ok, c.turned)
	}
	if err := c.close(); err != nil {
		t.Error(err)
	}
	if err := pool.Verify(); err != nil {
		t.Error(err)
	}
	if err := pool.Close(); err != nil {
		t.Error(err)
	}
}
