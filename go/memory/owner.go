package memory

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Lifetime is how long an owner's memory is likely to live. Owners of different lifetimes fill a pool from different
// ends.
type Lifetime uint8

const (
	// Short is the default: memory that is freed soon.
	Short Lifetime = iota
	// Long is memory that is kept for long, such as caches, tables, and data that is loaded once.
	Long
)

// Defaults of [OwnerConfig].
const (
	// firstGrowth is what an arena takes first: less is taken twice by most, more is pinned by an arena of one block.
	firstGrowth = 4 << 10
	// mostGrowth is the most an arena takes at a time beyond what a block needs.
	mostGrowth = 256 << 10
)

// OwnerConfig describes a new owner. A zero field has its default.
type OwnerConfig struct {
	// Name is the name in every report. It must not be empty.
	Name string
	// Lifetime is how long the owner's memory is likely to live.
	Lifetime Lifetime
	// SoftLimit is a limit of the charged bytes that refuses nothing: OnSoftLimit is called each time they rise above
	// it. Zero means no limit.
	SoftLimit int
	// OnSoftLimit is called after the request that exceeded the soft limit, on its goroutine. No lock is held then, so
	// the function may use the pool, and the arena or the heap that made the request. It must not panic: what was
	// requested would be lost.
	OnSoftLimit func(*Owner)
	// HardLimit is a limit of the charged bytes: a request that would exceed it fails with a [*LimitError]. Zero means
	// no limit.
	HardLimit int
	// FirstGrowth and MostGrowth say how arenas grow. An arena takes FirstGrowth bytes at first. Each further step
	// doubles it, but adds at most MostGrowth bytes. Both are powers of two. The defaults are 4 KiB and 256 KiB.
	FirstGrowth, MostGrowth int
}

// Owner is an account to which bytes of a pool are charged. Owners form a tree: what an owner is charged, the owners
// above it are charged, too.
//
// An owner is charged for whole granules of 64 KiB. Two owners never share a granule. So the charge is the memory that
// would go back to the system if the owner freed everything. An owner lives as long as its pool.
//
// Any goroutine may use it.
type Owner struct {
	pool   *Pool
	parent *Owner

	name        string
	lifetime    Lifetime
	softLimit   int64
	hardLimit   int64
	onSoftLimit func(*Owner)
	firstGrowth int
	mostGrowth  int

	// charged is a sum, as commitment.bytes is: each charge sees the total it makes, so of two that pass a limit together
	// at least one is refused.
	charged atomic.Int64

	// softLimitPassed: set under a region's lock, taken by the goroutine that calls back.
	softLimitPassed atomic.Bool

	// holdings is replaced as a whole, under mu; read under the lock of the region that is looked for.
	holdings atomic.Pointer[[]*holding]

	mu       sync.Mutex // innermost: nothing else is locked while it is held
	children []*Owner
	heaps    []*Heap
}

// Child adds an owner below this one. It fails with [ErrName] if the name is empty, and with [ErrSize] if a limit is
// negative or a growth is no power of two.
func (o *Owner) Child(c OwnerConfig) (*Owner, error) {
	first, most := c.FirstGrowth, c.MostGrowth
	if first == 0 {
		first = firstGrowth
	}
	if most == 0 {
		most = max(first, mostGrowth)
	}
	switch {
	case c.Name == "":
		return nil, fmt.Errorf("%w: an owner below %v of pool %s needs one: it stands in every report", ErrName, o, o.pool)
	case c.SoftLimit < 0 || c.HardLimit < 0:
		return nil, fmt.Errorf("%w: owner %s with limits of %d and %d bytes: give positive ones, or zero for none",
			ErrSize, c.Name, c.SoftLimit, c.HardLimit)
	case !isPowerOfTwo(first) || !isPowerOfTwo(most) || first > most:
		return nil, fmt.Errorf("%w: owner %s with arenas that grow by %d to %d bytes: give powers of two",
			ErrSize, c.Name, first, most)
	}
	child := newOwner(o.pool, o, c.Name)
	child.lifetime, child.onSoftLimit, child.firstGrowth, child.mostGrowth = c.Lifetime, c.OnSoftLimit, first, most
	if c.SoftLimit > 0 {
		child.softLimit = int64(c.SoftLimit)
	}
	if c.HardLimit > 0 {
		child.hardLimit = int64(c.HardLimit)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.children = append(o.children, child)
	return child, nil
}

// newOwner makes one without limits.
func newOwner(p *Pool, parent *Owner, name string) *Owner {
	o := &Owner{
		pool: p, parent: parent, name: name,
		softLimit: math.MaxInt64, hardLimit: math.MaxInt64, firstGrowth: firstGrowth, mostGrowth: mostGrowth,
	}
	o.holdings.Store(&[]*holding{})
	return o
}

// Name returns the name of the owner.
func (o *Owner) Name() string { return o.name }

// Path returns the path of the owner in reports: the names of the owners above it, without the pool's own owner, and
// then its own name, joined by slashes.
func (o *Owner) Path() string {
	if o.parent == nil || o.parent.parent == nil {
		return o.name
	}
	return o.parent.Path() + "/" + o.name
}

// String returns the path.
func (o *Owner) String() string { return o.Path() }

// Pool returns the pool that the owner belongs to.
func (o *Owner) Pool() *Pool { return o.pool }

// ChargedBytes returns the bytes that are charged to the owner: all granules of the owner and of the owners below it.
func (o *Owner) ChargedBytes() int { return int(o.charged.Load()) }

// charge counts bytes for it and its parents: the one whose limit they would pass, or nil.
func (o *Owner) charge(bytes int) (limited *Owner) {
	for at := o; at != nil; at = at.parent {
		now := at.charged.Add(int64(bytes))
		if now > at.hardLimit {
			for below := o; below != at.parent; below = below.parent {
				below.charged.Add(-int64(bytes))
			}
			return at
		}
		if now > at.softLimit && now-int64(bytes) <= at.softLimit {
			at.softLimitPassed.Store(true)
		}
	}
	return nil
}

func (o *Owner) discharge(bytes int) {
	for at := o; at != nil; at = at.parent {
		at.charged.Add(-int64(bytes))
	}
}

// callBack calls for the soft limits that were passed. The caller has no lock, and has put what it took where it is found.
func (o *Owner) callBack() {
	for at := o; at != nil; at = at.parent {
		// A look before the exchange: mostly there is nothing to take. Who passed the limit stored it before, on this
		// goroutine.
		if at.softLimitPassed.Load() && at.softLimitPassed.Swap(false) && at.onSoftLimit != nil {
			at.onSoftLimit(at)
		}
	}
}

// holding is what it holds of a region, or nil. The caller has the region's lock.
func (o *Owner) holding(r *region) *holding {
	for _, h := range *o.holdings.Load() {
		if h.region == r {
			return h
		}
	}
	return nil
}

func (o *Owner) addHolding(h *holding) {
	o.mu.Lock()
	defer o.mu.Unlock()
	more := append(slices.Clip(*o.holdings.Load()), h)
	o.holdings.Store(&more)
}

func (o *Owner) addHeap(h *Heap) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.heaps = append(o.heaps, h)
}

func (o *Owner) removeHeap(h *Heap) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.heaps = slices.DeleteFunc(o.heaps, func(other *Heap) bool { return other == h })
}

// openHeaps is a copy of the list.
func (o *Owner) openHeaps() []*Heap {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.heaps)
}

// all is it and the owners below it, parents first.
func (o *Owner) all() []*Owner {
	o.mu.Lock()
	children := slices.Clone(o.children)
	o.mu.Unlock()
	owners := []*Owner{o}
	for _, child := range children {
		owners = append(owners, child.all()...)
	}
	return owners
}
