package handle

import (
	"sync"
	"time"
	"unsafe"
)

// Pool opens value handles of one kind of resource. Make one for each kind, for the life of the program. Any goroutine
// may call its methods.
type Pool struct {
	*slabs
	shelf  shelf
	owners sync.Pool // of *Owner, for openings without one
}

// NewPool makes a pool. It panics if the options contradict each other, or have a policy, which pools do not allow.
func NewPool(o Options) *Pool {
	o.checkPool()
	p := &Pool{slabs: &slabs{}}
	p.configure(&o)
	p.owners.New = func() any { return p.NewOwner() }
	net.enter(nil, p)
	return p
}

// Name returns the name in the options.
func (p *Pool) Name() string { return p.name }

// Open takes ownership of the resource at address, which the native open has just returned. It borrows an owner for the
// call; a goroutine that opens many values is faster with an [Owner] of its own. Open panics if address is nil, or if
// the resources of the pool are ids.
func (p *Pool) Open(address unsafe.Pointer) Value {
	o := p.owners.Get().(*Owner)
	v := o.Open(address)
	p.owners.Put(o)
	return v
}

// OpenID is [Pool.Open] for resources that are ids or descriptors. It panics if they are addresses.
func (p *Pool) OpenID(id uintptr) Value {
	o := p.owners.Get().(*Owner)
	v := o.OpenID(id)
	p.owners.Put(o)
	return v
}

// pop is a slab whose slots are all free; most often one that was registered before.
func (p *Pool) pop() *token {
	t := p.shelf.pop()
	if t == nil {
		t = newSlab(p)
	}
	t.record.taken.Store(int64(time.Since(began)))
	t.record.state.Store(slabOwned) // nobody else looks at a pooled slab's state
	return t
}
