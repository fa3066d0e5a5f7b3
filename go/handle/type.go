package handle

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// anyType is a [TypeOf] without its T: the nursery of its handles.
type anyType struct {
	*kind

	stripes []atomic.Pointer[stripe] // made when first used; a power of two of them

	promoted atomic.Int64

	mu       sync.Mutex
	rotation time.Time // the youngest handles of the oldest cohort to come were opened after it
	cohorts  []*cohort
}

// kind is what the net and members of families know of a type: not its nursery, which holds handles. The net never
// finds a handle that it holds itself.
type kind struct {
	resource
	inUse     CloseInUse
	waitLimit time.Duration
	children  CloseWithChildren
	parent    *kind
	counts    counter // of uses; a family has a member for it
	shared    *extra  // of the young handles that have none of their own
}

func newType(o *Options, release func(raw uintptr), addresses bool) *anyType {
	t := &anyType{kind: &kind{inUse: o.CloseInUse, waitLimit: o.WaitLimit, children: o.CloseWithChildren}}
	if o.Parent != nil {
		t.parent = o.Parent.untyped().kind
	}
	t.configure(o, release, addresses)
	t.shared = &extra{typ: t.kind, bytes: t.bytes}
	switch {
	case t.children != Childless || t.parent != nil:
		t.counts = byMember
	case t.inUse == Unguarded:
		t.counts = byNone
	}
	t.rotation = time.Now()
	n := 1
	for n < 2*runtime.GOMAXPROCS(0) && n < maxStripes {
		n *= 2
	}
	t.stripes = make([]atomic.Pointer[stripe], n)
	net.enter(t, nil)
	return t
}

func (t *anyType) openSized(raw uintptr, bytes int64) *anyHandle {
	t.check(raw)
	t.checkChildless()
	t.checkBytes(bytes)
	return t.openWith(raw, bytes, nil, nil)
}

func (t *anyType) openChild(parent *anyHandle, raw uintptr, bytes int64) (*anyHandle, error) {
	t.check(raw)
	t.checkBytes(bytes)
	if parent == nil {
		return nil, noHandle("OpenChild of " + t.name + " with a nil parent")
	}
	of := parent.extra()
	if of == nil {
		return nil, noHandle("OpenChild of " + t.name + " with a parent that Open did not make, or a copy")
	}
	if t.parent != of.typ {
		panic("handle: " + t.name + ": OpenChild with a parent of type " + of.typ.name +
			"; Options.Parent must be that type")
	}
	m := newMember(t.kind, raw, bytes)
	if !parent.member().adopt(m) {
		return nil, parent.closedError("OpenChild")
	}
	h := t.openWith(raw, bytes, m, parent)
	runtime.KeepAlive(parent) // from here on the child keeps it
	return h, nil
}

func (t *anyType) checkBytes(bytes int64) {
	if bytes < 0 {
		panic("handle: " + t.name + ": OpenSized with negative bytes; give the native bytes behind the resource")
	}
}

func (t *anyType) checkChildless() {
	if t.parent != nil {
		panic("handle: " + t.name + ": has the parent type " + t.parent.name + "; use OpenChild")
	}
}

func (t *anyType) open(raw uintptr) *anyHandle {
	k := t.kind
	k.check(raw)
	if k.counts == byMember || currentDetection() >= DetectSample {
		t.checkChildless()
		return t.openWith(raw, k.bytes, nil, nil)
	}
	h := newHandle(k.shared, raw)
	p := &t.stripes[stackHash()&uint64(len(t.stripes)-1)]
	s := p.Load()
	if s == nil {
		s = makeStripe(p)
	}
	s.claim(h, t)
	if k.bytes != 0 {
		nativeBytes.add(k.bytes)
	}
	return h
}

// openWith opens a handle with extras, if it needs them.
func (t *anyType) openWith(raw uintptr, bytes int64, m *member, parent *anyHandle) *anyHandle {
	if m == nil && t.counts == byMember {
		m = newMember(t.kind, raw, bytes)
	}
	s := t.stripe()
	x := t.shared
	site := t.record(s)
	if m != nil || site != nil || bytes != t.bytes {
		x = &extra{typ: t.kind, bytes: bytes}
	}
	if m != nil || site != nil {
		x.details = &details{site: site, member: m}
		x.details.parent.Store(parent)
	}
	if m != nil {
		m.site = site
	}
	h := newHandle(x, raw)
	site.opened(bytes)
	s.claim(h, t)
	if bytes != 0 {
		nativeBytes.add(bytes)
	}
	return h
}

// record is the site of this opening, if it is one that is recorded.
func (t *anyType) record(s *stripe) *site {
	switch currentDetection() {
	case DetectFull:
		return siteHere(&t.resource)
	case DetectSample:
		if s.sampled.Add(1)%sampleInterval == 1 {
			return siteHere(&t.resource)
		}
	}
	return nil
}

// accountClosed takes the native bytes of a handle that was closed from the books.
func (x *extra) accountClosed() {
	x.site().gone(x.bytes)
	if x.bytes != 0 {
		nativeBytes.add(-x.bytes)
	}
}

func (t *anyType) stripe() *stripe {
	p := &t.stripes[stackHash()&uint64(len(t.stripes)-1)]
	if s := p.Load(); s != nil {
		return s
	}
	return makeStripe(p)
}

// rotate promotes every young handle.
func (t *anyType) rotate() {
	began := time.Now()
	for i := range t.stripes {
		if s := t.stripes[i].Load(); s != nil {
			s.rotate(t)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rotation = began
	living := t.cohorts[:0]
	for _, c := range t.cohorts {
		if c.open.Load() != 0 {
			living = append(living, c)
		}
	}
	clear(t.cohorts[len(living):])
	t.cohorts = living
}

// newCohort is a cohort with one handle more than it has, so that nobody drops it while its promoter counts.
func (t *anyType) newCohort() *cohort {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := &cohort{before: t.rotation}
	c.extra = extra{typ: t.kind, cohort: c, bytes: t.bytes}
	c.open.Store(1)
	t.cohorts = append(t.cohorts, c)
	return c
}
