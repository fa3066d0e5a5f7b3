package handle

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Type describes one kind of pointer handles: its name, its releaser and its policies. Make one for each kind of
// resource, for the life of the program: a type is never collected. Any goroutine may call its methods.
type Type struct {
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

// NewType makes a type. It panics if the options contradict each other; the message says how to correct them.
func NewType(o Options) *Type {
	t := &Type{kind: &kind{inUse: o.CloseInUse, waitLimit: o.WaitLimit, children: o.CloseWithChildren}}
	if o.Parent != nil {
		t.parent = o.Parent.kind
	}
	t.configure(&o)
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

// Name returns the name in the options.
func (t *Type) Name() string { return t.name }

// Open takes ownership of the resource at p, which the native open has just returned. It panics if p is nil, if the
// resources of the type are ids, or if the type has a parent.
func (t *Type) Open(p unsafe.Pointer) *Handle {
	return t.open(address(p), addresses)
}

// OpenID is [Type.Open] for resources that are ids or descriptors. It panics if they are addresses, or if the type has
// a parent.
func (t *Type) OpenID(id uintptr) *Handle {
	return t.open(id, ids)
}

// OpenSized is [Type.Open] for a resource with its own size of native memory, in place of [Options.Bytes]. It also
// panics if bytes is negative.
func (t *Type) OpenSized(p unsafe.Pointer, bytes int64) *Handle {
	return t.openSized(address(p), addresses, bytes)
}

// OpenSizedID is [Type.OpenSized] for resources that are ids or descriptors.
func (t *Type) OpenSizedID(id uintptr, bytes int64) *Handle {
	return t.openSized(id, ids, bytes)
}

// OpenChild is [Type.Open] for a type that has [Options.Parent]. The child keeps its parent reachable, and the parent
// is released after it. If the parent is closed or closing, OpenChild returns [ErrClosed], and the resource still
// belongs to the caller. It panics if parent is not of the parent type.
func (t *Type) OpenChild(parent *Handle, p unsafe.Pointer) (*Handle, error) {
	return t.openChild(parent, address(p), addresses, t.bytes)
}

// OpenChildID is [Type.OpenChild] for resources that are ids or descriptors.
func (t *Type) OpenChildID(parent *Handle, id uintptr) (*Handle, error) {
	return t.openChild(parent, id, ids, t.bytes)
}

// OpenChildSized is [Type.OpenChild] for a resource with its own size of native memory, as [Type.OpenSized].
func (t *Type) OpenChildSized(parent *Handle, p unsafe.Pointer, bytes int64) (*Handle, error) {
	return t.openChild(parent, address(p), addresses, bytes)
}

// OpenChildSizedID is [Type.OpenChildSized] for resources that are ids or descriptors.
func (t *Type) OpenChildSizedID(parent *Handle, id uintptr, bytes int64) (*Handle, error) {
	return t.openChild(parent, id, ids, bytes)
}

func (t *Type) openSized(raw uintptr, as rawKind, bytes int64) *Handle {
	t.check(raw, as)
	t.checkChildless()
	t.checkBytes(bytes)
	return t.openWith(raw, bytes, nil, nil)
}

func (t *Type) openChild(parent *Handle, raw uintptr, as rawKind, bytes int64) (*Handle, error) {
	t.check(raw, as)
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

func (t *Type) checkBytes(bytes int64) {
	if bytes < 0 {
		panic("handle: " + t.name + ": OpenSized with negative bytes; give the native bytes behind the resource")
	}
}

func (t *Type) checkChildless() {
	if t.parent != nil {
		panic("handle: " + t.name + ": has the parent type " + t.parent.name + "; use OpenChild")
	}
}

func (t *Type) open(raw uintptr, as rawKind) *Handle {
	k := t.kind
	k.check(raw, as)
	if k.counts == byMember || CurrentDetection() >= DetectSample {
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
func (t *Type) openWith(raw uintptr, bytes int64, m *member, parent *Handle) *Handle {
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
func (t *Type) record(s *stripe) *site {
	switch CurrentDetection() {
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

func (t *Type) stripe() *stripe {
	p := &t.stripes[stackHash()&uint64(len(t.stripes)-1)]
	if s := p.Load(); s != nil {
		return s
	}
	return makeStripe(p)
}

// rotate promotes every young handle.
func (t *Type) rotate() {
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
func (t *Type) newCohort() *cohort {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := &cohort{before: t.rotation}
	c.extra = extra{typ: t.kind, cohort: c, bytes: t.bytes}
	c.open.Store(1)
	t.cohorts = append(t.cohorts, c)
	return c
}
