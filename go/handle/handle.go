package handle

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// anyHandle is an [Of] without its T, and the same object.
type anyHandle struct {
	about atomic.Pointer[extra] // read by extra; first the type's shared one, see newHandle, then perhaps its own
	raw   uintptr               // never changes
	word  atomic.Uint32         // decides; see guard.go
	turn  uint16                // which opening of its slot it was, from 1; written before it is in the slot
	self  uint16                // where Open made it: a copy is elsewhere
}

// extra is what is known of a handle beside its resource and its word. The young handles of a type share one,
// kind.shared, and so do those of a cohort. A handle has its own if it was opened with its own size, or if it has
// details.
type extra struct {
	typ     *kind
	cohort  *cohort // of a tenured handle without a member; written before the word says so
	bytes   int64
	details *details // nil of most
}

// details are what handles of types with families have, and those whose site was recorded.
type details struct {
	site   *site
	closed atomic.Pointer[site] // at level full
	member *member
	parent atomic.Pointer[anyHandle] // kept reachable while this one is open
}

func (x *extra) isShared() bool { return x == x.typ.shared || x.cohort != nil && x == &x.cohort.extra }

func (x *extra) member() *member {
	if x.details == nil {
		return nil
	}
	return x.details.member
}

func (x *extra) site() *site {
	if x.details == nil {
		return nil
	}
	return x.details.site
}

// extra is nil of a handle that Open did not make.
func (h *anyHandle) extra() *extra {
	if h == nil || h.self != h.here() {
		return nil
	}
	return h.about.Load()
}

// here is most of the address in 16 bits. Objects do not move, so it stays the same; for one copy in 65,536 it is the
// same by chance.
func (h *anyHandle) here() uint16 {
	at := uintptr(unsafe.Pointer(h))
	return uint16(at>>3 ^ at>>19)
}

// newHandle makes a handle that nobody else knows yet. Its first extra is a plain write: an atomic one is a locked
// instruction, a tenth of open and close, and the handle is published by the swap of its slot. An atomic pointer is a
// pointer, and no more.
func newHandle(x *extra, raw uintptr) *anyHandle {
	h := &anyHandle{raw: raw}
	h.self = h.here()
	*(**extra)(unsafe.Pointer(&h.about)) = x
	return h
}

func (h *anyHandle) close() error {
	x := h.extra()
	if x == nil {
		return noHandle("Close of a nil handle, a copy, or one that Open did not make")
	}
	// Nobody else owns the resource after the swap: promoters look at the state again after they registered. The load
	// makes the handle's own extra visible, which is made before the handle is published, or by its promoter.
	k := x.typ
	if x != k.shared || !h.word.CompareAndSwap(young, closed) {
		return h.closeSlowly()
	}
	if k.bytes != 0 {
		nativeBytes.add(-k.bytes)
	}
	k.close(h.raw)
	return nil
}

// closeSlowly closes what has extras, what was promoted, and what is in use.
func (h *anyHandle) closeSlowly() error {
	x := h.extra()
	m := x.member()
	if m == nil {
		return h.closeWord(x.typ)
	}
	err := h.closeMember(m)
	if h.vacateIfGone() {
		x.details.parent.Store(nil)
	}
	return err
}

// leave closes the word of a member, and takes a tenured one out of the net. It says whether this call did.
func (h *anyHandle) leave() bool {
	was := h.word.Swap(closed) // one caller gets another word than closed, and owns what it stands for
	h.deregister(was)
	return was != closed
}

// deregister takes a handle out of the net whose word was w when the caller closed it. If a promoter is at it, the
// promoter does.
func (h *anyHandle) deregister(w uint32) {
	if w&tenured == 0 {
		return
	}
	runtime.SetFinalizer(h, nil)
	if c := h.extra().cohort; c != nil {
		c.open.Add(-1)
	}
	runtime.KeepAlive(h) // to here: the finalizer of what is reachable was not queued
}

func (h *anyHandle) endUse() {
	if x := h.extra(); x != nil {
		h.end(x)
	}
}

func (h *anyHandle) isClosed() bool {
	if h.extra() == nil {
		return true
	}
	if m := h.member(); m != nil {
		return m.isClosing()
	}
	return h.word.Load()&(closing|closed) != 0
}

func (h *anyHandle) text() string {
	x := h.extra()
	switch {
	case x == nil:
		return "handle(nil)"
	case h.isClosed():
		return x.typ.name + "(closed)"
	}
	return x.typ.name + "(open)"
}

func (h *anyHandle) member() *member {
	if x := h.extra(); x != nil {
		return x.member()
	}
	return nil
}

// promote is the promoter's half of the protocol: it registers the handle, then says so, and takes the registration
// back if a closer was faster. It says whether the handle is tenured now. The caller has the lock of the stripe that
// holds the handle, so nobody else promotes it. A handle that is closing is promoted, too: its last user may have
// forgotten it.
func (h *anyHandle) promote(c *cohort) bool {
	if h.word.Load()&(tenured|closed) != 0 {
		return false
	}
	x := h.extra()
	m := x.member()
	if m != nil {
		if !m.join(c) {
			h.vacateIfGone() // its parent closed it
			return false
		}
	} else {
		c.open.Add(1) // before the word: a closer counts it out
		if x.isShared() {
			h.about.Store(&c.extra)
		} else {
			x.cohort = c
		}
	}
	runtime.SetFinalizer(h, (*anyHandle).forgotten)
	for {
		w := h.word.Load()
		if w == closed {
			runtime.SetFinalizer(h, nil)
			if m != nil {
				m.leaveCohort(c)
			} else {
				c.open.Add(-1)
			}
			return false
		}
		if h.word.CompareAndSwap(w, w|tenured) { // publishes the cohort to closers
			return true
		}
	}
}

// forgotten runs when a tenured handle became unreachable without a Close, as its finalizer. Nobody else can come any
// more: its word is changed for those only who look through a handle that somebody else's finalizer made reachable
// again.
func (h *anyHandle) forgotten() {
	x := h.extra()
	was := h.word.Swap(closed)
	f := forgotten{raw: h.raw}
	if !x.isShared() {
		f.extra = x
	}
	m := x.member()
	switch {
	case m != nil:
		if m.forget() {
			x.typ.backlog.add(f)
		}
	case was != closed:
		x.typ.backlog.add(f)
		x.cohort.open.Add(-1) // after the backlog counts it, so that no snapshot takes it for closed
	}
}

func (h *anyHandle) noteClosed() {
	if x := h.extra(); x.details != nil && currentDetection() == DetectFull {
		x.details.closed.CompareAndSwap(nil, siteHere(&x.typ.resource))
	}
}

func (h *anyHandle) closedError(what string) error {
	x := h.extra()
	f := &fault{kind: ErrClosed, text: fmt.Sprintf("%s: %s of a closed handle", x.typ.name, what)}
	if x.details != nil {
		f.opened, f.closed = x.details.site, x.details.closed.Load()
	}
	if f.opened == nil && f.closed == nil {
		f.text += "; to learn where it was opened and closed, set " + detectionVariable + "=full"
	}
	return f
}
