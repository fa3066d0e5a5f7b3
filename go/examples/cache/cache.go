package main

import (
	"errors"

	"offcut.dev/go/memory"
)

// cache is bytes by key, in memory of an owner's. One goroutine uses it.
type cache struct {
	owner      *memory.Owner
	most       int // bytes of a generation
	young, old *generation
	turned     int // generations that were freed
}

// generation is an arena, and where in it the entries are. The index holds slices of native memory, which the collector
// passes over; they are used only as long as the arena is open.
type generation struct {
	arena *memory.Arena
	index map[uint64][]byte
	bytes int
}

func newCache(owner *memory.Owner, most int) *cache {
	return &cache{owner: owner, most: most, young: newGeneration(owner)}
}

func newGeneration(owner *memory.Owner) *generation {
	return &generation{arena: owner.OpenArena(), index: make(map[uint64][]byte)}
}

// put keeps a copy of a value.
func (c *cache) put(key uint64, value []byte) error {
	if c.young.bytes+len(value) > c.most {
		if err := c.turn(); err != nil {
			return err
		}
	}
	stored, err := memory.MakeSlice[byte](c.young.arena, len(value), len(value))
	if err != nil {
		return err
	}
	copy(stored, value)
	c.young.index[key] = stored
	c.young.bytes += len(value)
	return nil
}

// get is the value of a key, to be used until the next call.
func (c *cache) get(key uint64) (value []byte, ok bool, err error) {
	if value, ok = c.young.index[key]; ok || c.old == nil {
		return value, ok, nil
	}
	if value, ok = c.old.index[key]; !ok {
		return nil, false, nil
	}
	// Used, hence young again. The old generation may go meanwhile: what is in it is copied first.
	kept := append([]byte(nil), value...)
	if err := c.put(key, kept); err != nil {
		return nil, false, err
	}
	return c.young.index[key], true, nil
}

// turn frees the old generation, and begins a young one.
func (c *cache) turn() error {
	if c.old != nil {
		if err := c.old.arena.Close(); err != nil {
			return err
		}
		c.turned++
	}
	c.old, c.young = c.young, newGeneration(c.owner)
	return nil
}

func (c *cache) close() error {
	err := c.young.arena.Close()
	if c.old != nil {
		err = errors.Join(err, c.old.arena.Close())
	}
	return err
}
