package handle

import (
	"sync"
	"time"
	"unsafe"
)

// Pool hands out value handles of one kind of resource. Make one for each kind, for the life of the program. All methods
// are for any goroutine.
type Pool struct {
	*slabs
	shelf  shelf
	owners sync.Pool // of *Owner, for openings without one
}

// NewPool makes a pool. It panics if the options contradict each other, or are not for pools.
func NewPool(o Options) *Pool {
	o.checkPool()
	p := &Pool{slabs: &slabs{}}
	p.configure(&o)
	p.owners.New = func() any { return p.NewOwner() }
	net.enter(nil, p)
	return p
}

// Name is the name given in the options.
func (p *Pool) Name() string { return p.name }

// Open takes ownership of the resource at address, which the native open has just returned. It uses an owner that nobody
// else uses now; a goroutine that opens many is faster with an [Owner] of its own. It panics if address is nil, or the
// pool is of ids.
func (p *Pool) Open(address unsafe.Pointer) Value {
	o := p.owners.Get().(*Owner)
	v := o.Open(address)
	p.owners.Put(o)
	return v
}

// OpenID is [Pool.Open] for resources that are ids or descriptors.
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
	t.record.taken.Store(time.Now().UnixNano())
	t.record.state.Store(slabOwned) // nobody else looks at a pooled slab's state
	return t
}
