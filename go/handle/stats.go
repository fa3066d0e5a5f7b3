package handle

import (
	"sort"
	"time"
)

// Snapshot is the net's counts at one time. Exact while no handle is opened, closed or reclaimed; else each figure is
// right for some moment during the call of [Stats].
type Snapshot struct {
	// Level is the detection level.
	Level Detection
	// Types has an entry for each type and pool, by name.
	Types []TypeStats
	// Cycles is the GC cycles seen.
	Cycles uint64
	// Backlog is the resources that the net has taken and not yet released.
	Backlog int64
	// OldestBacklog is how long the oldest of them has waited.
	OldestBacklog time.Duration
	// NativeBytes is what is behind open handles, of types that account it.
	NativeBytes int64
	// Requests is how many GC cycles the net asked for, see [SetBudget].
	Requests int64
}

// TypeStats is the counts of one type or pool:
//
//	Opened = Closed + Forgotten + Open
type TypeStats struct {
	// Name is the name in the options.
	Name string
	// Opened is the handles opened.
	Opened int64
	// Closed is the handles closed by the program.
	Closed int64
	// Forgotten is the handles released by the net.
	Forgotten int64
	// Open is the handles that are neither.
	Open int64
	// Promoted is the handles that outlived their nursery; in a pool the slabs that were registered.
	Promoted int64
	// Pinned is the open values of slabs with more than one: at most so many forgotten ones wait for neighbours.
	Pinned int64
	// Failures is the releasers that panicked, or called [runtime.Goexit].
	Failures int64
	// Oldest is an age that no open handle exceeds.
	Oldest time.Duration
	// Sites is where forgotten handles were opened, as far as it was recorded, the most first.
	Sites []SiteStats
}

// SiteStats is one stack that opened handles.
type SiteStats struct {
	// Stack is the functions, the opener first.
	Stack []string
	// PCs is the same as program counters, as from [runtime.Callers].
	PCs []uintptr
	// Open is the recorded handles that are open, and Bytes their native memory.
	Open, Bytes int64
	// Forgotten is the recorded handles that the net released.
	Forgotten int64
}

// Stats counts. It takes time in proportion to the slots of nurseries and slabs; promotions
// wait for it.
func Stats() Snapshot {
	s := Snapshot{
		Level:       CurrentDetection(),
		Cycles:      net.cycles.Load(),
		NativeBytes: nativeBytes.outstanding(),
		Requests:    nativeBytes.asks.Load(),
	}
	bySite := make(map[*resource][]SiteStats)
	eachSite(func(at *site) {
		if f := at.forgotten.Load(); f > 0 {
			bySite[at.resource] = append(bySite[at.resource],
				SiteStats{at.frames(), at.stack(), at.open.Load(), at.bytes.Load(), f})
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

// Of is the entry with this name, added up over types of equal name; all zero if there is none.
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

// Sites is every recorded stack that has open handles, of all types: what a profile shows.
func Sites() map[string][]SiteStats {
	all := make(map[string][]SiteStats)
	eachSite(func(at *site) {
		if open := at.open.Load(); open > 0 {
			name := at.resource.name
			all[name] = append(all[name], SiteStats{at.frames(), at.stack(), open, at.bytes.Load(), at.forgotten.Load()})
		}
	})
	return all
}

func (t *Type) count(now time.Time) TypeStats {
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

func (p *Pool) count(now time.Time) TypeStats {
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
			one.Oldest = max(one.Oldest, time.Duration(now.UnixNano()-rec.taken.Load()))
		}
	}
	return one
}
