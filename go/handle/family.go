package handle

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// member is what a handle has beside its word if its type has parents or children: who uses it, and whose parent and
// child it is. It decides about the resource; the word of the handle follows. It refers to no handle, so neither a parent's
// list nor the net keeps a forgotten handle reachable.
//
//	           Close                       uses = 0 and children = 0
//	OPEN ─────────────────▶ CLOSING ────────────────────────────────▶ CLOSED
//	  ▲    time is up          │                                        ▲
//	  └────────────────────────┘            the net ────────────────────┘
//
// A child's details keep its parent's handle reachable until the child is released. So the net, which releases what is
// unreachable, releases children first.
//
// Lock order: mu is never held while another member's is taken, nor while a releaser runs.
type member struct {
	typ   *kind
	raw   uintptr
	bytes int64
	site  *site

	mu       sync.Mutex
	phase    phase
	uses     int
	idle     chan struct{} // closed when the last use ends; nil while no closer waits
	cohort   *cohort       // nil while young, and once closed
	family   *member       // of the parent; nil for no child, and once it left
	children []*member     // open ones, the oldest first; grows by the youngest
}

type phase int

const (
	phaseOpen phase = iota
	phaseClosing
	phaseClosed
)

func newMember(t *kind, raw uintptr, bytes int64) *member {
	return &member{typ: t, raw: raw, bytes: bytes}
}

func (m *member) enter() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.phase != phaseOpen {
		return false
	}
	m.uses++
	return true
}

// exit ends a use, and releases if a close waited for this one.
func (h *anyHandle) exitMember(m *member) {
	m.mu.Lock()
	if m.uses == 0 {
		m.mu.Unlock()
		m.typ.refuseEnd()
	}
	m.uses--
	waited := m.idle != nil
	if m.uses == 0 && waited {
		close(m.idle)
		m.idle = nil
	}
	m.mu.Unlock()
	if !waited { // else the closer that waits releases
		defer h.vacateIfGone()
		m.settle()
	}
}

func (m *member) isClosing() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.phase != phaseOpen
}

// closeMember closes by the policies of the type.
func (h *anyHandle) closeMember(m *member) error {
	kids, err := m.begin(h)
	if err != nil {
		return err
	}
	h.noteClosed()
	for i := len(kids) - 1; i >= 0; i-- { // the youngest first
		if kidErr := kids[i].closeByParent(); kidErr != nil {
			err = errors.Join(err, kidErr)
		}
	}
	if m.settle() || m.typ.inUse != WaitInUse {
		return err
	}
	if !m.await() {
		return errors.Join(err, m.typ.stillInUse())
	}
	return err
}

// begin decides whether the close may begin; it returns the children to close first.
func (m *member) begin(h *anyHandle) ([]*member, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	inUse := m.uses > 0 && m.typ.inUse == RefuseInUse
	switch {
	case m.phase != phaseOpen:
		return nil, h.closedError("Close")
	case len(m.children) > 0 && m.typ.children == RefuseChildren:
		return nil, &fault{kind: ErrChildren, text: fmt.Sprintf(
			"%s: Close with %d open children of type %s; close them first", m.typ.name, len(m.children), m.children[0].typ.name)}
	case inUse:
		return nil, m.typ.usedBy(m.uses)
	}
	m.phase = phaseClosing
	if m.typ.children == CascadeChildren {
		return append([]*member(nil), m.children...), nil
	}
	return nil, nil
}

// closeByParent closes a child whose handle nobody needs to have.
func (m *member) closeByParent() error {
	m.mu.Lock()
	switch {
	case m.phase != phaseOpen: // closed meanwhile, or about to be
		m.mu.Unlock()
		return nil
	case len(m.children) > 0 && m.typ.children == RefuseChildren:
		m.mu.Unlock()
		return &fault{kind: ErrChildren, text: m.typ.name + ": closed by its parent with open children; close them first"}
	case m.uses > 0 && m.typ.inUse != DeferInUse:
		m.mu.Unlock()
		return &fault{kind: ErrInUse, text: m.typ.name + ": closed by its parent while in use; end the use, and close it"}
	}
	m.phase = phaseClosing
	var kids []*member
	if m.typ.children == CascadeChildren {
		kids = append(kids, m.children...)
	}
	m.mu.Unlock()
	var err error
	for i := len(kids) - 1; i >= 0; i-- {
		err = errors.Join(err, kids[i].closeByParent())
	}
	m.settle()
	return err
}

// await waits for the last use and releases; if time is up, the handle is open again.
func (m *member) await() bool {
	m.mu.Lock()
	if m.uses == 0 {
		m.mu.Unlock()
		m.settle() // unless children hold it
		return true
	}
	idle := make(chan struct{})
	m.idle = idle
	m.mu.Unlock()
	timer := time.NewTimer(m.typ.waitLimit)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	}
	m.mu.Lock()
	m.idle = nil
	late := m.phase == phaseClosing && m.uses > 0
	if late {
		m.phase = phaseOpen
	}
	m.mu.Unlock()
	if !late {
		m.settle()
	}
	return !late
}

// settle releases the resource if the close has begun and nothing holds it any more. Closers, the last user and the last
// child call it; the phase lets one of them.
func (m *member) settle() bool {
	m.mu.Lock()
	if m.phase != phaseClosing || m.uses > 0 || len(m.children) > 0 {
		done := m.phase == phaseClosed
		m.mu.Unlock()
		return done
	}
	m.gone()
	m.mu.Unlock()
	m.site.gone(m.bytes)
	if m.bytes != 0 {
		nativeBytes.add(-m.bytes)
	}
	defer m.leave()
	m.typ.resource.close(m.raw)
	return true
}

// forget is the net's close: its handle is unreachable, and so is everyone who could use it.
func (m *member) forget() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.phase == phaseClosed {
		return false
	}
	m.gone()
	return true
}

// gone ends the member's life; the caller has the lock.
func (m *member) gone() {
	m.phase = phaseClosed
	if m.cohort != nil {
		m.cohort.open.Add(-1)
		m.cohort = nil
	}
}

// join counts the handle into a cohort, unless it is closed.
func (m *member) join(c *cohort) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.phase == phaseClosed {
		return false
	}
	if m.cohort == nil {
		m.cohort = c
		c.open.Add(1)
	}
	return true
}

func (m *member) leaveCohort(c *cohort) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cohort == c {
		m.cohort = nil
		c.open.Add(-1)
	}
}

// vacateIfGone closes the word of a handle whose member is closed, and says whether it did. The member has counted it out
// of its cohort.
func (h *anyHandle) vacateIfGone() bool {
	return h.isGone() && h.leave()
}

// isGone says whether the resource of a handle that is still in its place was closed without it.
func (h *anyHandle) isGone() bool {
	m := h.member()
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.phase == phaseClosed
}

// adopt makes child one of the parent's children, unless the parent is closing.
func (m *member) adopt(child *member) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.phase != phaseOpen {
		return false
	}
	child.family = m
	m.children = append(m.children, child)
	return true
}

// leave takes a released child out of its family, and releases the parent if that waited for it. Called once.
func (m *member) leave() {
	family := m.family // written before the child was known to others, and here: no lock needed
	if family == nil {
		return
	}
	m.family = nil
	family.remove(m)
	family.settle() // the state of the parent's handle follows when somebody looks at it
}

func (m *member) remove(child *member) {
	m.mu.Lock()
	defer m.mu.Unlock()
	// The order of the others stays, since a cascade closes the youngest first. Children mostly go youngest first, too.
	for i := len(m.children) - 1; i >= 0; i-- {
		if m.children[i] == child {
			copy(m.children[i:], m.children[i+1:])
			m.children[len(m.children)-1] = nil
			m.children = m.children[:len(m.children)-1]
			return
		}
	}
}
