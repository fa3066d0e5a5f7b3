package handle

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// net is the registry: every type and pool, and the GC cycles seen. Types are for ever: a type holds its young handles,
// and must be held itself.
var net registry

type registry struct {
	mu    sync.Mutex
	types []*anyType
	pools []*anyPool
	armed bool

	cycles  atomic.Uint64
	pending atomic.Int64 // cycles seen since the rotation under way began
}

// sentinel is an object that nobody holds. Its pointer keeps it out of the blocks of tiny objects, whose neighbours could
// hold it.
type sentinel struct{ _ *sentinel }

func (n *registry) enter(t *anyType, p *anyPool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if t != nil {
		n.types = append(n.types, t)
	}
	if p != nil {
		n.pools = append(n.pools, p)
	}
	if !n.armed {
		n.armed = true
		n.arm()
	}
}

// arm leaves an object for the next GC cycle to find.
func (n *registry) arm() {
	runtime.AddCleanup(&sentinel{}, func(n *registry) { n.seen() }, n)
}

// seen runs once a GC cycle, as the cleanup of a sentinel. It must be short: promotions have their own goroutine, which
// lives as long as they take.
func (n *registry) seen() {
	n.cycles.Add(1)
	nativeBytes.seen()
	n.arm()
	if n.pending.Add(1) == 1 { // the first to come rotates for all that come meanwhile
		go n.rotate()
	}
}

func (n *registry) rotate() {
	for seen := n.pending.Load(); seen > 0; seen = n.pending.Add(-seen) {
		n.promoteAll()
	}
}

func (n *registry) promoteAll() {
	for _, t := range n.allTypes() {
		t.rotate()
	}
	for _, p := range n.allPools() {
		p.shelf.trim()
	}
}

func (n *registry) allTypes() []*anyType {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.types[:len(n.types):len(n.types)]
}

func (n *registry) allPools() []*anyPool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.pools[:len(n.pools):len(n.pools)]
}
