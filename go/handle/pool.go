package handle

import (
	"sync"
	"time"
)

// anyPool is a [Pool] without its T.
type anyPool struct {
	*slabs
	shelf  shelf
	owners sync.Pool // of *anyOwner, for openings without one
}

func newPool(o *Options, release func(raw uintptr), addresses bool) *anyPool {
	o.checkPool()
	p := &anyPool{slabs: &slabs{}}
	p.configure(o, release, addresses)
	p.owners.New = func() any { return newOwner(p) }
	net.enter(nil, p)
	return p
}

// open borrows an owner for the call.
func (p *anyPool) open(raw uintptr) anyValue {
	o := p.owners.Get().(*anyOwner)
	v := o.open(raw)
	p.owners.Put(o)
	return v
}

// pop is a slab whose slots are all free; most often one that was registered before.
func (p *anyPool) pop() *token {
	t := p.shelf.pop()
	if t == nil {
		t = newSlab(p)
	}
	t.record.taken.Store(int64(time.Since(began)))
	t.record.state.Store(slabOwned) // nobody else looks at a pooled slab's state
	return t
}
