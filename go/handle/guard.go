package handle

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// guard is what a handle of a guarded type has beside its link: who uses it, and whose parent and child it is. It
// decides about the resource; the state of the handle follows. It refers to no handle, so neither a parent's list nor
// a cleanup keeps a forgotten handle reachable.
//
//	           Close                       uses = 0 and children = 0
//	OPEN ─────────────────▶ CLOSING ────────────────────────────────▶ CLOSED
//	  ▲    time is up          │                                        ▲
//	  └────────────────────────┘            the net ────────────────────┘
//
// A child's details, which its cleanup has too, keep its parent's handle reachable until it is released. So the net, which
// releases what is unreachable, releases children first.
//
// Lock order: mu is never held while another guard's is taken, nor while a releaser runs.
type guard struct {
	typ   *kind
	raw   uintptr
	bytes int64
	site  *site

	mu       sync.Mutex
	phase    phase
	uses     int
	idle     chan struct{} // closed when the last use ends; nil while no closer waits
	cohort   *cohort       // nil while young, and once closed
	family   *guard        // of the parent; nil for no child, and once it left
	children []*guard      // open ones, the oldest first; grows by the youngest
}

type phase int

const (
	phaseOpen phase = iota
	phaseClosing
	phaseClosed
)

func newGuard(t *kind, raw uintptr, bytes int64) *guard {
	return &guard{typ: t, raw: raw, bytes: bytes}
}

func (g *guard) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.phase != phaseOpen {
		return false
	}
	g.uses++
	return true
}

// exit ends a use, and releases if a close waited for this one.
func (h *Handle) exit(g *guard) {
	g.mu.Lock()
	if g.uses == 0 {
		g.mu.Unlock()
		panic("handle: " + g.typ.name + ": EndUse without BeginUse")
	}
	g.uses--
	waited := g.idle != nil
	if g.uses == 0 && waited {
		close(g.idle)
		g.idle = nil
	}
	g.mu.Unlock()
	if !waited { // else the closer that waits releases
		defer h.vacateIfGone()
		g.settle()
	}
}

func (g *guard) isClosing() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.phase != phaseOpen
}

// closeGuarded closes by the policies of the type.
func (h *Handle) closeGuarded(g *guard) error {
	kids, err := g.begin(h)
	if err != nil {
		return err
	}
	h.noteClosed()
	for i := len(kids) - 1; i >= 0; i-- { // the youngest first
		if kidErr := kids[i].closeByParent(); kidErr != nil {
			err = errors.Join(err, kidErr)
		}
	}
	if g.settle() || g.typ.inUse != WaitInUse {
		return err
	}
	if !g.await() {
		return errors.Join(err, &fault{kind: ErrInUse, text: fmt.Sprintf(
			"%s: still in use after %v; it is open again: end the use, and close it after", g.typ.name, g.typ.waitLimit)})
	}
	return err
}

// begin decides whether the close may begin; it returns the children to close first.
func (g *guard) begin(h *Handle) ([]*guard, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	inUse := g.uses > 0 && (g.typ.inUse == RefuseInUse || g.typ.inUse == Unguarded)
	switch {
	case g.phase != phaseOpen:
		return nil, h.closedError("Close")
	case len(g.children) > 0 && g.typ.children == RefuseChildren:
		return nil, &fault{kind: ErrChildren, text: fmt.Sprintf(
			"%s: Close with %d open children of type %s; close them first", g.typ.name, len(g.children), g.children[0].typ.name)}
	case inUse:
		return nil, &fault{kind: ErrInUse, text: fmt.Sprintf(
			"%s: Close while %d uses are under way; end them first", g.typ.name, g.uses)}
	}
	g.phase = phaseClosing
	if g.typ.children == CascadeChildren {
		return append([]*guard(nil), g.children...), nil
	}
	return nil, nil
}

// closeByParent closes a child whose handle nobody needs to have.
func (g *guard) closeByParent() error {
	g.mu.Lock()
	switch {
	case g.phase != phaseOpen: // closed meanwhile, or about to be
		g.mu.Unlock()
		return nil
	case len(g.children) > 0 && g.typ.children == RefuseChildren:
		g.mu.Unlock()
		return &fault{kind: ErrChildren, text: g.typ.name + ": closed by its parent with open children; close them first"}
	case g.uses > 0 && g.typ.inUse != DeferInUse:
		g.mu.Unlock()
		return &fault{kind: ErrInUse, text: g.typ.name + ": closed by its parent while in use; end the use, and close it"}
	}
	g.phase = phaseClosing
	var kids []*guard
	if g.typ.children == CascadeChildren {
		kids = append(kids, g.children...)
	}
	g.mu.Unlock()
	var err error
	for i := len(kids) - 1; i >= 0; i-- {
		err = errors.Join(err, kids[i].closeByParent())
	}
	g.settle()
	return err
}

// await waits for the last use and releases; if time is up, the handle is open again.
func (g *guard) await() bool {
	g.mu.Lock()
	if g.uses == 0 {
		g.mu.Unlock()
		g.settle() // unless children hold it
		return true
	}
	idle := make(chan struct{})
	g.idle = idle
	g.mu.Unlock()
	timer := time.NewTimer(g.typ.waitLimit)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	}
	g.mu.Lock()
	g.idle = nil
	late := g.phase == phaseClosing && g.uses > 0
	if late {
		g.phase = phaseOpen
	}
	g.mu.Unlock()
	if !late {
		g.settle()
	}
	return !late
}

// settle releases the resource if the close has begun and nothing holds it any more. Closers, the last user and the last
// child call it; the phase lets one of them.
func (g *guard) settle() bool {
	g.mu.Lock()
	if g.phase != phaseClosing || g.uses > 0 || len(g.children) > 0 {
		done := g.phase == phaseClosed
		g.mu.Unlock()
		return done
	}
	g.gone()
	g.mu.Unlock()
	g.site.gone(g.bytes)
	if g.bytes != 0 {
		nativeBytes.add(-g.bytes)
	}
	defer g.leave()
	g.typ.resource.close(g.raw)
	return true
}

// forget is the net's close: its handle is unreachable, and so is everyone who could use it.
func (g *guard) forget() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.phase == phaseClosed {
		return false
	}
	g.gone()
	return true
}

// gone ends the guard's life; the caller has the lock.
func (g *guard) gone() {
	g.phase = phaseClosed
	if g.cohort != nil {
		g.cohort.open.Add(-1)
		g.cohort = nil
	}
}

// join counts the handle into a cohort, unless it is closed.
func (g *guard) join(c *cohort) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.phase == phaseClosed {
		return false
	}
	if g.cohort == nil {
		g.cohort = c
		c.open.Add(1)
	}
	return true
}

func (g *guard) leaveCohort(c *cohort) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cohort == c {
		g.cohort = nil
		c.open.Add(-1)
	}
}

// vacateIfGone closes the state of a handle whose guard is closed, and says whether it did. The guard has counted it out
// of its cohort.
func (h *Handle) vacateIfGone() bool {
	return h.isGone() && h.leave()
}

// isGone says whether the resource of a handle that is still in its place was closed without it.
func (h *Handle) isGone() bool {
	g := h.guard()
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.phase == phaseClosed
}
