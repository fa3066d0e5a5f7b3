package memory

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"weak"

	"offcut.dev/go/internal/tables"
)

// The tables of spec/tables.md that this package writes in a program that `offcut run` started.
const (
	poolSchema = "offcut.PoolStatistics\ncopy long\npool text\nlimit long\nreserved long\ncommitted long\nhandedOut long\n" +
		"used long\nkept long\nlargestFree long\nexternal long\nforgottenArenas long"

	lostSchema = "offcut.LostPool\npool text\ncommitted long"

	ownerSchema = "offcut.OwnerStatistics\ncopy long\npool text\nowner text\nlimit long\ncommitted long\nhandedOut long\n" +
		"used long\npinned long\nexternal long"
)

// published is the pools that a reader is told of. It does not keep them reachable.
var published publishedPools

var _ = published.start()

type publishedPools struct {
	isRead bool // set before the first pool is made

	mu    sync.Mutex
	pools []*publishedPool
}

// publishedPool is a pool that was not closed. What it has committed can be read after it was collected, too.
type publishedPool struct {
	pool      weak.Pointer[Pool]
	name      string
	committed *atomic.Int64
}

func (all *publishedPools) start() bool {
	all.isRead = tables.Register("memory", all.look)
	return all.isRead
}

func (all *publishedPools) add(p *Pool) {
	if all.isRead {
		all.mu.Lock()
		defer all.mu.Unlock()
		all.pools = append(all.pools, &publishedPool{weak.Make(p), p.name, p.commitment.bytes})
	}
}

func (all *publishedPools) remove(p *Pool) {
	if all.isRead {
		all.mu.Lock()
		defer all.mu.Unlock()
		all.pools = slices.DeleteFunc(all.pools, func(one *publishedPool) bool { return one.pool.Value() == p })
	}
}

// look tells all pools that are open, and their owners; and those that are lost, because the program dropped them without
// closing them: then nobody can give their memory back.
func (all *publishedPools) look(l *tables.Look) {
	all.mu.Lock()
	pools := slices.Clone(all.pools)
	all.mu.Unlock()
	for i, one := range pools {
		p := one.pool.Value()
		if p == nil {
			if committed := one.committed.Load(); committed > 0 { // else it never took memory, or gave all of it back
				l.Rows = append(l.Rows, tables.Row{Schema: lostSchema, Key: strconv.Itoa(i), Values: []any{one.name, committed}})
			}
			continue
		}
		s := p.Snapshot()
		key := fmt.Sprintf("%p", p)
		l.Rows = append(l.Rows, tables.Row{Schema: poolSchema, Key: key, Values: []any{i, s.Pool, s.Limit,
			s.Reserved, s.Committed, s.HandedOut, s.Used, 0, s.LargestFree(), 0, s.ForgottenArenas}})
		for _, o := range byPath(s.Owners) {
			l.Rows = append(l.Rows, tables.Row{Schema: ownerSchema, Key: key + " " + o.Owner, Values: []any{i, s.Pool,
				o.Owner, o.Limit, o.Committed, o.HandedOut, o.Used, o.Pinned(), 0}})
		}
	}
}

// byPath adds up owners of the same path: a program may give one name to several, and they have one row.
func byPath(owners []OwnerShare) []OwnerShare {
	var all []OwnerShare
	at := make(map[string]int, len(owners))
	for _, o := range owners {
		i, isThere := at[o.Owner]
		if !isThere {
			at[o.Owner] = len(all)
			all = append(all, o)
			continue
		}
		sum := &all[i]
		if sum.Limit == math.MaxInt || o.Limit > math.MaxInt-sum.Limit {
			sum.Limit = math.MaxInt
		} else {
			sum.Limit += o.Limit
		}
		sum.Committed += o.Committed
		sum.HandedOut += o.HandedOut
		sum.Used += o.Used
	}
	return all
}
