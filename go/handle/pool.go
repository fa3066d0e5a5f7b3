package handle

import (
	"sync"
	"time"
	"unsafe"
)

// Pool hands out value handles of one kind of resource. Make one for each kind, for the life of the program. All methods
// are for any goroutine.
type Pool struct {
	resource

	owners sync.Pool // of *Owner, for openings without one

	mu      sync.Mutex
	ready   *token  // slabs to hand out; all their slots are free
	records *record // all that have a token, and those whose cleanup is about to run
	spare   int     // how many are ready
	unused  int     // the least that were ready since the last trim
	dropped int64   // openings of records that are gone
	slabs   int64   // registered so far
}

// NewPool makes a pool. It panics if the options contradict each other, or are not for pools.
func NewPool(o Options) *Pool {
	o.checkPool()
	p := &Pool{}
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

// uncharge takes a value that was closed out of the books.
func (p *Pool) uncharge(s *site) {
	s.gone(p.bytes)
	if p.bytes != 0 {
		nativeBytes.add(-p.bytes)
	}
}

// pop is a slab whose slots are all free; most often one that was registered before.
func (p *Pool) pop() *token {
	p.mu.Lock()
	t := p.ready
	if t != nil {
		p.ready = t.next
		t.next = nil
		p.spare--
		p.unused = min(p.unused, p.spare)
	}
	p.mu.Unlock()
	if t == nil {
		t = newSlab(p)
	}
	t.record.taken.Store(time.Now().UnixNano())
	t.record.state.Store(slabOwned) // nobody else looks at a pooled slab's state
	return t
}

func (p *Pool) push(t *token) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t.next = p.ready
	p.ready = t
	p.spare++
}

// trim gives half of the slabs that nobody wanted since the last cycle to the collector.
func (p *Pool) trim() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n := (p.unused + 1) / 2; n > 0; n-- {
		p.ready = p.ready.next
		p.spare--
	}
	p.unused = p.spare
}

func (p *Pool) enlist(rec *record) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slabs++
	rec.next = p.records
	if rec.next != nil {
		rec.next.prev = rec
	}
	p.records = rec
}

func (p *Pool) delist(rec *record) {
	opened, _ := rec.counts()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropped += opened
	if rec.prev != nil {
		rec.prev.next = rec.next
	} else {
		p.records = rec.next
	}
	if rec.next != nil {
		rec.next.prev = rec.prev
	}
	rec.prev, rec.next = nil, nil
}
