package handle

import (
	"sort"
	"time"
)

// Snapshot has the counts of the net. They are exact if no handle is opened, closed or released during the call of
// [Stats]. Otherwise each figure was right at some moment during that call.
type Snapshot struct {
	// Level is the detection level.
	Level Detection
	// Types has one entry for each type and pool, sorted by name.
	Types []TypeStats
	// Cycles is the number of GC cycles that the net has noticed.
	Cycles uint64
	// Backlog is the number of forgotten resources that the net has found and not released yet.
	Backlog int64
	// OldestBacklog is how long the oldest of these resources has waited.
	OldestBacklog time.Duration
	// NativeBytes is the size of the native memory behind open handles, as far as they declare it.
	NativeBytes int64
	// Requests is the number of GC cycles that the net started, see [SetBudget].
	Requests int64
}

// TypeStats has the counts of one type or pool:
//
//	Opened = Closed + Forgotten + Open
type TypeStats struct {
	// Name is the name in the options.
	Name string
	// Opened is the number of handles that were opened.
	Opened int64
	// Closed is the number of handles that the program closed.
	Closed int64
	// Forgotten is the number of handles that the net released.
	Forgotten int64
	// Open is the number of handles that are neither closed nor forgotten.
	Open int64
	// Promoted is the number of handles that outlived their nursery; for a pool, the number of slabs that were
	// registered.
	Promoted int64
	// Pinned is the number of open values whose slab has other open values. This is the upper bound of the forgotten
	// values that wait for other values of their slab.
	Pinned int64
	// Failures is the number of releasers that panicked or called [runtime.Goexit].
	Failures int64
	// Oldest is an upper bound of the age of the oldest open handle.
	Oldest time.Duration
	// Sites has the recorded stacks that have open or forgotten handles, those that forgot most first.
	Sites []SiteStats
}

// SiteStats has the counts of one stack that opened handles. Only openings whose stack was recorded count.
type SiteStats struct {
	// Stack is the functions of the stack, the opener first.
	Stack []string
	// PCs is the same stack as program counters, as [runtime.Callers] returns them.
	PCs []uintptr
	// Open is the number of open handles, and Bytes the size of their native memory.
	Open, Bytes int64
	// Forgotten is the number of handles that the net released.
	Forgotten int64
}

// Stats returns the counts at this moment. The call takes time in proportion to the slots of nurseries and slabs, and
// promotions wait for it.
func Stats() Snapshot {
	s := Snapshot{
		Level:       currentDetection(),
		Cycles:      net.cycles.Load(),
		NativeBytes: nativeBytes.outstanding(),
		Requests:    nativeBytes.asks.Load(),
	}
	bySite := make(map[*resource][]SiteStats)
	eachSite(func(at *site) {
		if open, forgotten := at.open.Load(), at.forgotten.Load(); open > 0 || forgotten > 0 {
			bySite[at.resource] = append(bySite[at.resource], SiteStats{at.frames(), at.stack(), open, at.bytes.Load(), forgotten})
		}
	})
	now := time.Now()
	add := func(r *resource, one TypeStats) {
		waiting, since := r.backlog.waiting()
		s.Backlog += int64(waiting)
		if waiting > 0 {
			s.OldestBacklog = max(s.OldestBacklog, now.Sub(since))
			one.Oldest = max(one.Oldest, now.Sub(since))
		}
		one.Open += int64(waiting)
		one.Name = r.name
		one.Forgotten = r.forgotten.Load()
		one.Failures = r.failures.Load()
		one.Closed = max(one.Opened-one.Forgotten-one.Open, 0)
		one.Sites = bySite[r]
		sort.SliceStable(one.Sites, func(i, j int) bool { return one.Sites[i].Forgotten > one.Sites[j].Forgotten })
		s.Types = append(s.Types, one)
	}
	for _, t := range net.allTypes() {
		add(&t.resource, t.count(now))
	}
	for _, p := range net.allPools() {
		add(&p.resource, p.count(now))
	}
	sort.SliceStable(s.Types, func(i, j int) bool { return s.Types[i].Name < s.Types[j].Name })
	return s
}

// Of returns the counts of the type or pool with this name, or the sum if several have it. All counts are zero if none
// has it.
func (s Snapshot) Of(name string) TypeStats {
	sum := TypeStats{Name: name}
	for _, t := range s.Types {
		if t.Name != name {
			continue
		}
		sum.Opened += t.Opened
		sum.Closed += t.Closed
		sum.Forgotten += t.Forgotten
		sum.Open += t.Open
		sum.Promoted += t.Promoted
		sum.Pinned += t.Pinned
		sum.Failures += t.Failures
		sum.Oldest = max(sum.Oldest, t.Oldest)
		sum.Sites = append(sum.Sites, t.Sites...)
	}
	return sum
}

func (t *anyType) count(now time.Time) TypeStats {
	var stripes []*stripe
	for i := range t.stripes {
		if s := t.stripes[i].Load(); s != nil {
			s.mu.Lock() // no promotion is half done while we count
			defer s.mu.Unlock()
			stripes = append(stripes, s)
		}
	}
	t.mu.Lock()
	rotation, cohorts := t.rotation, append([]*cohort(nil), t.cohorts...)
	t.mu.Unlock()
	one := TypeStats{Promoted: t.promoted.Load()}
	for _, s := range stripes {
		opened, open := s.counts()
		one.Opened += opened
		if open > 0 {
			one.Open += open
			one.Oldest = max(one.Oldest, now.Sub(rotation))
		}
	}
	for _, c := range cohorts {
		if n := c.open.Load(); n > 0 {
			one.Open += n
			one.Oldest = max(one.Oldest, now.Sub(c.before))
		}
	}
	return one
}

func (p *anyPool) count(now time.Time) TypeStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := TypeStats{Promoted: p.registered, Opened: p.dropped}
	for rec := p.records; rec != nil; rec = rec.next {
		opened, open := rec.counts()
		one.Opened += opened
		one.Open += open
		if open > 1 {
			one.Pinned += open
		}
		if open > 0 {
			one.Oldest = max(one.Oldest, now.Sub(began)-time.Duration(rec.taken.Load()))
		}
	}
	return one
}
