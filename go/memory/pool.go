package memory

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Config describes a new pool. A zero field has its default.
type Config struct {
	// Name is the name in every report. It must not be empty.
	Name string
	// Limit is the limit of committed bytes. Zero means no limit.
	Limit int
	// Reserve is the limit of reserved address space, in bytes. Zero means no limit.
	Reserve int
	// LargestChunk (a root) and SmallestChunk (a leaf) are powers of two, in bytes. The defaults are 4 MiB and 1 KiB. A
	// granule is 64 leaves.
	LargestChunk, SmallestChunk int
	// Decay is the longest time that free memory stays resident; the shortest is half of it. The default is 10 s. With
	// a negative value, free memory goes back at once. Exception: a shared heap keeps one empty slab for each size and
	// stripe until other memory becomes free, a request meets a limit, or [Pool.Trim] is called.
	Decay time.Duration
}

const (
	defaultLargest  = 4 << 20
	defaultSmallest = 1 << 10
	// defaultDecay: shorter gives back what is asked for again soon, which costs a fault a page; longer keeps a burst.
	defaultDecay = 10 * time.Second
)

// mostRequest is more than any address space has, and little enough to be rounded up.
const mostRequest = math.MaxInt / 2

// Pool manages native memory in chunks. It splits a free chunk when a smaller one is requested, and joins freed chunks
// with their free neighbours. It returns unused memory to the system after a while.
//
// A chunk belongs to the caller that allocated it, until that caller frees it; the pool never frees a chunk by itself.
// A pool lives until [Pool.Close], which fails while memory is in use. A pool that is dropped without a Close keeps its
// address space until the program ends, because raw pointers into it may still exist.
//
// Any goroutine may use a pool. Each region has a lock; a goroutine that finds a region locked tries the next one.
type Pool struct {
	name       string
	geometry   geometry
	commitment commitment
	regions    regions
	root       *Owner
	decay      decay

	// closed is for requests that come after Close, and for error texts. What decides against a request that is under way is
	// shut, of each region and of regions, under their locks.
	closed atomic.Bool
	// forgotten counts arenas that came home by the collector; a sum.
	forgotten atomic.Int64

	// sweeping is held while memory is on its way from heaps to the free set, to whose checks it would look lost. Outermost.
	sweeping sync.Mutex
}

// NewPool makes a pool. It reserves address space when memory is first requested. It fails with [ErrName] or [ErrSize]
// if the configuration is impossible.
func NewPool(c Config) (*Pool, error) { return newPool(c, thisSystem()) }

func newPool(c Config, s system) (*Pool, error) {
	if c.Name == "" {
		return nil, fmt.Errorf("%w: a pool needs one: it stands in every report", ErrName)
	}
	c = c.withDefaults()
	g, err := newGeometry(c.LargestChunk, c.SmallestChunk)
	if err != nil {
		return nil, fmt.Errorf("pool %s: %w", c.Name, err)
	}
	if c.Limit < g.granuleBytes || c.Reserve < g.rootBytes {
		return nil, fmt.Errorf("%w: pool %s of at most %d bytes in %d bytes of address space: it needs one granule (%d) and one root (%d)",
			ErrSize, c.Name, c.Limit, c.Reserve, g.granuleBytes, g.rootBytes)
	}
	p := &Pool{name: c.Name, geometry: g}
	p.root = newOwner(p, nil, c.Name)
	p.commitment = commitment{system: s, limit: c.Limit, root: p.root, bytes: new(atomic.Int64)}
	p.regions.geometry, p.regions.commitment, p.regions.limit = &p.geometry, &p.commitment, c.Reserve
	p.regions.list.Store(&[]*region{})
	p.decay.time = c.Decay
	published.add(p)
	return p, nil
}

func (c Config) withDefaults() Config {
	if c.LargestChunk == 0 {
		c.LargestChunk = defaultLargest
	}
	if c.SmallestChunk == 0 {
		c.SmallestChunk = defaultSmallest
	}
	if c.Limit == 0 {
		c.Limit = math.MaxInt
	}
	if c.Reserve == 0 {
		c.Reserve = math.MaxInt
	}
	if c.Decay == 0 {
		c.Decay = defaultDecay
	}
	return c
}

// Name returns the name of the pool.
func (p *Pool) Name() string { return p.name }

// String returns the name of the pool.
func (p *Pool) String() string { return p.name }

// Owner returns the pool's own owner: the root of the tree of owners.
func (p *Pool) Owner() *Owner { return p.root }

// AllocateChunk allocates a chunk of at least the given size, with arbitrary contents. A request of up to the largest
// chunk is rounded up to a power of two, at least the smallest chunk. Such a chunk is aligned to its own size. A larger
// request is rounded up to a multiple of a granule, and the chunk is aligned to the largest chunk.
//
// The chunk belongs to the caller until [Pool.FreeChunk]. AllocateChunk fails with [ErrSize] if bytes is not positive,
// with a [*LimitError], or with [ErrClosed].
func (o *Owner) AllocateChunk(bytes int) (unsafe.Pointer, error) {
	if bytes <= 0 {
		return nil, fmt.Errorf("%w: a chunk of %d bytes for %v of pool %s: ask for 1 or more", ErrSize, bytes, o, o.pool)
	}
	c, err := o.pool.ask(o, bytes, func(r *region) (chunk, verdict) {
		if bytes > r.geometry.rootBytes {
			return r.takeRun(r.holding(o), bytes)
		}
		return r.take(r.holding(o), r.geometry.level(bytes))
	})
	if err != nil {
		return nil, err
	}
	o.callBack()
	return c.pointer(), nil
}

// FreeChunk frees a chunk. It fails with [ErrDoubleFree] if the chunk is already free. It fails with [ErrForeignFree]
// if no chunk of this pool begins there, or if the chunk belongs to an arena or a heap. It fails with [ErrClosed] if
// the pool is closed. After an error nothing has changed.
func (p *Pool) FreeChunk(at unsafe.Pointer) error {
	r, offset := p.regions.of(at)
	if r == nil {
		if p.closed.Load() {
			return fmt.Errorf("%w: pool %s; %p was not freed", ErrClosed, p, at)
		}
		return fmt.Errorf("%w: %p is not in pool %s: nothing was freed", ErrForeignFree, at, p)
	}
	r.mu.Lock()
	s, bytes := r.state(offset)
	if s == isChunk {
		poison(at, bytes)
		r.put(offset)
	}
	r.mu.Unlock()
	switch s {
	case isFree:
		return fmt.Errorf("%w: %p of pool %s is free already", ErrDoubleFree, at, p)
	case isLent:
		return fmt.Errorf("%w: %p of pool %s belongs to an arena or a heap: close the arena or the heap instead", ErrForeignFree, at, p)
	case isInterior:
		return fmt.Errorf("%w: %p begins no chunk of pool %s: give the pointer that was handed out", ErrForeignFree, at, p)
	}
	p.freed()
	return nil
}

// giveBack gives back what is a heap's, or nobody's yet.
func (p *Pool) giveBack(c chunk) {
	c.region.mu.Lock()
	c.region.put(c.offset)
	c.region.mu.Unlock()
	p.freed()
}

// takeLent takes granules that are cut to size, for a heap.
func (p *Pool) takeLent(o *Owner, bytes int) (chunk, error) {
	c, err := p.ask(o, bytes, func(r *region) (c chunk, v verdict) {
		if bytes > r.geometry.rootBytes {
			c, v = r.takeRun(r.holding(o), bytes)
		} else {
			c, v = r.takeGranules(r.holding(o), r.geometry.granules(bytes))
		}
		if v == taken {
			r.lend(c.offset)
		}
		return c, v
	})
	if err == nil {
		o.callBack()
	}
	return c, err
}

// ask asks region after region, then for a new one, then for what free chunks and empty slabs keep.
func (p *Pool) ask(o *Owner, bytes int, req request) (chunk, error) {
	if p.closed.Load() {
		return chunk{}, p.closedError(o, bytes)
	}
	if bytes > mostRequest {
		return chunk{}, p.refusal(o, bytes, none, nil)
	}
	c, v, limited := p.regions.ask(req)
	if v == none && p.regions.grow(bytes) {
		c, v, limited = p.regions.ask(req)
	}
	if v == none || v == refused {
		p.reclaim()
		c, v, limited = p.regions.ask(req)
	}
	switch {
	case v == taken:
		return c, nil
	case v == shut || p.closed.Load():
		return chunk{}, p.closedError(o, bytes)
	}
	return chunk{}, p.refusal(o, bytes, v, limited)
}

func (p *Pool) closedError(o *Owner, bytes int) error {
	return fmt.Errorf("%w: pool %s: %d bytes for %v cannot be taken from it", ErrClosed, p, bytes, o)
}

func (p *Pool) refusal(o *Owner, bytes int, v verdict, limited *Owner) error {
	e := &LimitError{LimitedBy: p.name, Requested: bytes, Limit: p.regions.limit, Snapshot: p.Snapshot()}
	what := fmt.Sprintf("%d bytes for %v of pool %s: ", bytes, o, p)
	switch {
	case v == none:
		e.what = what + "no free chunk is large enough, and the pool cannot reserve more address space"
	case limited == noMemory:
		e.what = what + "the system has no more memory for this program"
	case limited == p.root:
		e.Limit = p.commitment.limit
		e.what = fmt.Sprintf("%sthe limit of the pool, %d bytes, would be passed", what, e.Limit)
	default:
		e.LimitedBy, e.Limit = limited.Path(), int(limited.hardLimit)
		e.what = fmt.Sprintf("%sthe limit of %v, %d bytes, would be passed", what, limited, e.Limit)
	}
	return e
}

// reclaim gives everything that is free back to the system, at once.
func (p *Pool) reclaim() {
	p.sweeping.Lock()
	defer p.sweeping.Unlock()
	p.ageHeaps(true)
	for _, r := range p.regions.all() {
		r.locked(r.age)
		for r.locked(r.discardAged) { // a little at a time, so that others get the lock in between
		}
	}
}

// ageHeaps makes free chunks of slabs without blocks, at once or of those that had none at the last call already. It says
// whether some are left for the next.
func (p *Pool) ageHeaps(atOnce bool) (more bool) {
	for _, o := range p.root.all() {
		for _, h := range o.openHeaps() {
			more = h.age(atOnce) || more
		}
	}
	return more
}

func (r *region) locked(what func() bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return what()
}

// Trim returns all unused memory to the system now: free chunks, and free pages within used granules. The call takes
// about a microsecond per page.
func (p *Pool) Trim() {
	p.reclaim()
	for _, r := range p.regions.all() {
		for next := 0; next >= 0; {
			r.mu.Lock()
			next = r.trim(next)
			r.mu.Unlock()
		}
	}
}

// ResidentBytes returns how many bytes of the pool are resident. It asks the system.
func (p *Pool) ResidentBytes() (int, error) {
	sum := 0
	for _, r := range p.regions.all() {
		resident, err := p.commitment.system.resident(r.base, r.bytes)
		if err != nil {
			return 0, fmt.Errorf("pool %s: %w", p, err)
		}
		sum += resident
	}
	return sum, nil
}

// Verify checks all internal maps and sums. Call it only while no other goroutine uses the pool. It checks that the
// maps agree, and that free chunks are joined as far as possible. It also checks that used ≤ handed out ≤ committed ≤
// limit, and that each owner is charged for what it holds. The error says which check failed.
func (p *Pool) Verify() error {
	p.sweeping.Lock()
	defer p.sweeping.Unlock()
	for _, r := range p.regions.all() {
		r.mu.Lock()
		err := r.verify()
		r.mu.Unlock()
		if err != nil {
			return fmt.Errorf("pool %s: %w", p, err)
		}
	}
	for _, o := range p.root.all() {
		for _, h := range o.openHeaps() {
			if err := h.verify(); err != nil {
				return fmt.Errorf("pool %s: %v: %w", p, h, err)
			}
		}
	}
	return p.verifySums(p.Snapshot())
}

func (p *Pool) verifySums(s Snapshot) error {
	held := 0
	for _, o := range s.Owners {
		if o.Used > o.HandedOut || o.HandedOut > o.Committed {
			return fmt.Errorf("pool %s: %s uses %d of %d of %d bytes", p, o.Owner, o.Used, o.HandedOut, o.Committed)
		}
		held += o.Committed
	}
	switch {
	case s.HandedOut > s.Committed || s.Committed > s.Limit:
		return fmt.Errorf("pool %s: %d bytes handed out of %d committed of %d allowed", p, s.HandedOut, s.Committed, s.Limit)
	case int64(s.Committed) != p.commitment.bytes.Load():
		return fmt.Errorf("pool %s: %d bytes committed, counted %d", p, s.Committed, p.commitment.bytes.Load())
	case held != p.root.ChargedBytes():
		return fmt.Errorf("pool %s: %d bytes held, %d charged", p, held, p.root.ChargedBytes())
	}
	return nil
}

// Close closes the pool and returns its address space to the system. While memory is in use, it fails with [ErrInUse]
// and the pool stays open. A second call fails with [ErrClosed].
//
// Other goroutines may use the pool during the call. A request ends with memory that stays valid, or with [ErrClosed], even
// if Close then fails.
func (p *Pool) Close() error {
	p.sweeping.Lock()
	defer p.sweeping.Unlock()
	if p.closed.Load() {
		return fmt.Errorf("%w: pool %s", ErrClosed, p)
	}
	p.ageHeaps(true)
	if p.root.ChargedBytes() != 0 || !p.regions.close() {
		return fmt.Errorf("%w: pool %s has granules of %d bytes out; close arenas and heaps and free chunks first\n%v",
			ErrInUse, p, p.root.ChargedBytes(), p.Snapshot())
	}
	p.closed.Store(true)
	p.decay.stop()
	published.remove(p)
	return nil
}
