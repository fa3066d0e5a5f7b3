// Package metric says what the exporters publish: the names of spec/names.json, and where each value comes from. The
// exporters are modules of their own, so that this module depends on no library for metrics.
package metric

import (
	"math"
	"sync"

	"offcut.dev/go/handle"
	"offcut.dev/go/memory"
)

// Metric is one metric that is read from a T.
type Metric[T any] struct {
	// Name is the name in spec/names.json.
	Name string
	// Unit is the unit as UCUM writes it: By for bytes, s for seconds, {handle} for a number of handles.
	Unit string
	// Help is one sentence for people, without a full stop.
	Help string
	// Total is true for a sum that only grows, and false for a level.
	Total bool
	// Of returns the value. ok is false if there is none, such as a limit that was not set.
	Of func(T) (value float64, ok bool)
}

// The units.
const (
	Bytes    = "By"
	Seconds  = "s"
	handles  = "{handle}"
	failures = "{failure}"
)

// The tags of the series.
const (
	// Type is the name of a handle's type, or of a pool of values.
	Type = "type"
	// Pool is the name of a pool of memory.
	Pool = "pool"
	// Owner is the path of an owner in its pool.
	Owner = "owner"
)

// Handles has the metrics of a type of handles, tagged with [Type].
var Handles = []Metric[handle.TypeStats]{
	total("offcut.handle.opened", handles, "handles opened, including opens in progress",
		func(t handle.TypeStats) int64 { return t.Opened }),
	total("offcut.handle.closed", handles, "handles closed by the program",
		func(t handle.TypeStats) int64 { return t.Closed }),
	total("offcut.handle.forgotten", handles, "handles released by the net",
		func(t handle.TypeStats) int64 { return t.Forgotten }),
	level("offcut.handle.open", handles, "handles neither closed nor forgotten",
		func(t handle.TypeStats) int64 { return t.Open }),
	total("offcut.handle.promoted", handles, "handles that outlived their nursery",
		func(t handle.TypeStats) int64 { return t.Promoted }),
	level("offcut.handle.pinned", handles, "open handles that, if forgotten, wait for others of their table or slab",
		func(t handle.TypeStats) int64 { return t.Pinned }),
	total("offcut.handle.failures", failures, "releasers that panicked",
		func(t handle.TypeStats) int64 { return t.Failures }),
	{"offcut.handle.oldest", Seconds, "upper bound on the age of the oldest open handle", false,
		func(t handle.TypeStats) (float64, bool) { return t.Oldest.Seconds(), true }},
}

// Pools has the metrics of a pool of memory, tagged with [Pool].
var Pools = []Metric[memory.Snapshot]{
	limit("offcut.pool.limit", "limit of the committed bytes; no series if there is no limit",
		func(s memory.Snapshot) int { return s.Limit }),
	level("offcut.pool.reserved", Bytes, "reserved address space",
		func(s memory.Snapshot) int64 { return int64(s.Reserved) }),
	level("offcut.pool.committed", Bytes, "granules that have memory",
		func(s memory.Snapshot) int64 { return int64(s.Committed) }),
	level("offcut.pool.handed_out", Bytes, "chunks in use",
		func(s memory.Snapshot) int64 { return int64(s.HandedOut) }),
	level("offcut.pool.used", Bytes, "blocks in the chunks",
		func(s memory.Snapshot) int64 { return int64(s.Used) }),
	level("offcut.pool.largest_free", Bytes, "largest free chunk in the reserved address space",
		func(s memory.Snapshot) int64 { return int64(s.LargestFree()) }),
}

// Owners has the metrics of an owner without its children, tagged with [Pool] and [Owner].
var Owners = []Metric[memory.OwnerShare]{
	limit("offcut.owner.limit", "hard limit; no series if there is no limit",
		func(o memory.OwnerShare) int { return o.Limit }),
	level("offcut.owner.committed", Bytes, "granules of the owner without its children",
		func(o memory.OwnerShare) int64 { return int64(o.Committed) }),
	level("offcut.owner.handed_out", Bytes, "chunks of the owner without its children",
		func(o memory.OwnerShare) int64 { return int64(o.HandedOut) }),
	level("offcut.owner.used", Bytes, "blocks of the owner without its children",
		func(o memory.OwnerShare) int64 { return int64(o.Used) }),
	level("offcut.owner.pinned", Bytes, "free bytes in granules of the owner that are in use",
		func(o memory.OwnerShare) int64 { return int64(o.Pinned()) }),
}

func total[T any](name, unit, help string, of func(T) int64) Metric[T] {
	return Metric[T]{name, unit, help, true, func(from T) (float64, bool) { return float64(of(from)), true }}
}

func level[T any](name, unit, help string, of func(T) int64) Metric[T] {
	return Metric[T]{name, unit, help, false, func(from T) (float64, bool) { return float64(of(from)), true }}
}

func limit[T any](name, help string, of func(T) int) Metric[T] {
	return Metric[T]{name, Bytes, help, false, func(from T) (float64, bool) {
		bytes := of(from)
		return float64(bytes), bytes != math.MaxInt
	}}
}

// Types returns the counts of all types and pools of values, each name once.
func Types(s handle.Snapshot) []handle.TypeStats {
	var all []handle.TypeStats
	for _, t := range s.Types { // sorted by name
		if len(all) == 0 || all[len(all)-1].Name != t.Name {
			all = append(all, s.Of(t.Name))
		}
	}
	return all
}

// MostOwners is how many owners of a pool have series of their own.
const MostOwners = 100

// Other is the owner tag of the series with the sum of all other owners; one of this name is among them.
const Other = "other"

// OwnersOf chooses which owners of one pool have series of their own: the first [MostOwners] that it sees. They keep
// their series as long as the pool lives. The zero value is ready to use, by any goroutine.
type OwnersOf struct {
	mu    sync.Mutex
	named map[string]bool
}

// Shares returns the owners of a snapshot, each path once, and after them the sum of all others as [Other].
func (o *OwnersOf) Shares(s memory.Snapshot) []memory.OwnerShare {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.named == nil {
		o.named = make(map[string]bool)
	}
	var shares []memory.OwnerShare
	var other memory.OwnerShare
	at := make(map[string]int)
	for _, one := range s.Owners {
		if one.Owner == Other || !o.named[one.Owner] && len(o.named) == MostOwners {
			add(&other, one)
			continue
		}
		o.named[one.Owner] = true
		if i, ok := at[one.Owner]; ok {
			add(&shares[i], one)
			continue
		}
		at[one.Owner] = len(shares)
		shares = append(shares, one)
	}
	if other.Owner != "" {
		other.Owner, other.Limit = Other, math.MaxInt // limits of owners that come and go add up to nothing useful
		shares = append(shares, other)
	}
	return shares
}

func add(to *memory.OwnerShare, one memory.OwnerShare) {
	to.Owner = one.Owner
	if one.Limit > math.MaxInt-to.Limit {
		to.Limit = math.MaxInt
	} else {
		to.Limit += one.Limit
	}
	to.Committed += one.Committed
	to.HandedOut += one.HandedOut
	to.Used += one.Used
}
