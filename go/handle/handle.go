package handle

import (
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"unsafe"
)

var _ io.Closer = (*Handle)(nil)

// Handle owns one native resource and releases it exactly once. [Type.Open] and its variants make handles.
//
//	var imageType = handle.NewType(handle.Options{Name: "image", Release: freeImage})
//
//	type Image struct{ h *handle.Handle }
//
//	func NewImage(w, h int) *Image { return &Image{imageType.Open(newImage(w, h))} }
//	func (i *Image) Close() error  { return i.h.Close() }
//	func (i *Image) Width() (w int, err error) {
//		err = i.h.With(func(p unsafe.Pointer) { w = widthOf(p) })
//		return
//	}
//
// Ownership: [Handle.Close] releases the resource. A handle that became unreachable without a Close is forgotten: the
// net releases its resource some time later, and counts it.
//
// Goroutines: any goroutine may use and close a handle, and several may do so at once: one of them releases the resource,
// and not during a use. [Options.CloseInUse] says what happens to a Close during a use. Only if that is [Unguarded], the
// program must order its uses and its Close.
//
// A Handle must not be copied. Open never returns nil. Methods on a nil Handle return [ErrNoHandle].
type Handle struct {
	about atomic.Pointer[extra] // read by extra; first the type's shared one, see newHandle, then perhaps its own
	raw   uintptr               // never changes
	word  atomic.Uint32         // decides; see guard.go
	turn  uint32                // which opening of its slot it was, from 1; written before it is in the slot
}

// extra is what is known of a handle beside its resource. Most young handles of a type share one, kind.shared; a handle
// gets its own when it is opened with details, or promoted. The cleanup of a tenured handle gets it: it has all that a
// cleanup needs, but not the handle. A flood of forgotten handles makes one for each, so what is rare is in details.
type extra struct {
	typ     *kind
	raw     uintptr
	details *details // nil of most
	// Of a tenured handle; written before its state says so.
	cleanup runtime.Cleanup
	cohort  *cohort // of one without a member
}

// details are what handles of some types have, and those whose site was recorded.
type details struct {
	bytes  int64
	site   *site
	closed atomic.Pointer[site] // at level full
	member *member
	parent atomic.Pointer[Handle] // kept reachable while this one is open
}

// extras are made several at once, for handles without details, which refer to what lives as long as the program: so it is
// memory alone that one of them keeps for its neighbours.
type extras struct{ rest []extra }

func (e *extras) next() *extra {
	if len(e.rest) == 0 {
		e.rest = make([]extra, extrasAtOnce)
	}
	x := &e.rest[0]
	e.rest = e.rest[1:]
	return x
}

// extra is nil of a handle that Open did not make.
func (h *Handle) extra() *extra {
	if h == nil {
		return nil
	}
	return h.about.Load()
}

// newHandle makes a handle that nobody else knows yet. Its first extra is a plain write: an atomic one is a locked
// instruction, a tenth of open and close, and the handle is published by the swap of its slot. An atomic pointer is a
// pointer, and no more.
func newHandle(x *extra, raw uintptr) *Handle {
	h := &Handle{raw: raw}
	*(**extra)(unsafe.Pointer(&h.about)) = x
	return h
}

func (x *extra) isShared() bool { return x == x.typ.shared }

func (x *extra) member() *member {
	if x.details == nil {
		return nil
	}
	return x.details.member
}

// Close releases the resource on this goroutine. The first call releases it and returns nil; later calls return
// [ErrClosed]. If the type has policies, Close may return [ErrInUse] or [ErrChildren], see [Options]. If the releaser
// panics, the caller gets the panic, and the handle is closed all the same.
func (h *Handle) Close() error {
	x := h.extra()
	if x == nil {
		return noHandle("Close of a nil handle, or one that Open did not make")
	}
	// Nobody else owns the resource after the swap: promoters look at the state again after they registered. The load makes
	// the handle's own extra visible, which is made before the handle is published, or by its promoter.
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
func (h *Handle) closeSlowly() error {
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
func (h *Handle) leave() bool {
	was := h.word.Swap(closed) // one caller gets another word than closed, and owns what it stands for
	h.deregister(was)
	return was != closed
}

// deregister takes a handle out of the net whose word was w when the caller closed it. If a promoter is at it, the promoter
// does.
func (h *Handle) deregister(w uint32) {
	if w&tenured == 0 {
		return
	}
	x := h.extra()
	x.cleanup.Stop()
	if x.cohort != nil {
		x.cohort.open.Add(-1)
	}
	runtime.KeepAlive(h) // to here: a cleanup that is stopped while its object is reachable was not queued
}

// With calls use with the address, and keeps the handle reachable until use returns. So the net cannot release the
// resource during the use, and neither can a Close, unless the type is [Unguarded]. The address must not be kept after the
// call. If the handle is closed or closing, With returns [ErrClosed] and does not call use. It panics if the resources of
// the type are ids.
func (h *Handle) With(use func(p unsafe.Pointer)) error {
	x := h.extra()
	if err := h.begin(x, addresses); err != nil {
		return err
	}
	defer h.end(x)
	use(pointer(h.raw))
	return nil
}

// WithID is [Handle.With] for resources that are ids or descriptors. It panics if they are addresses.
func (h *Handle) WithID(use func(id uintptr)) error {
	x := h.extra()
	if err := h.begin(x, ids); err != nil {
		return err
	}
	defer h.end(x)
	use(h.raw)
	return nil
}

// BeginUse begins a use and returns the address. The address is valid until [Handle.EndUse], which must follow each
// successful call; usually it is deferred. BeginUse returns [ErrClosed] if the handle is closed or closing. It panics
// if the resources of the type are ids.
func (h *Handle) BeginUse() (unsafe.Pointer, error) {
	if err := h.begin(h.extra(), addresses); err != nil {
		return nil, err
	}
	return pointer(h.raw), nil
}

// BeginUseID is [Handle.BeginUse] for resources that are ids or descriptors. It panics if they are addresses.
func (h *Handle) BeginUseID() (uintptr, error) {
	if err := h.begin(h.extra(), ids); err != nil {
		return 0, err
	}
	return h.raw, nil
}

// EndUse ends a use that [Handle.BeginUse] or [Handle.BeginUseID] began. If a deferred Close was waiting for this use,
// EndUse releases the resource. It panics if the type counts uses and the handle is not in use.
func (h *Handle) EndUse() {
	if x := h.extra(); x != nil {
		h.end(x)
	}
}

// IsClosed returns whether the handle is closed or closing. The answer may be out of date at once, because another
// goroutine may close the handle.
func (h *Handle) IsClosed() bool {
	if h.extra() == nil {
		return true
	}
	if m := h.member(); m != nil {
		return m.isClosing()
	}
	return h.word.Load()&(closing|closed) != 0
}

// String returns the type and the state. The text never has the raw value, so that nobody keeps it.
func (h *Handle) String() string {
	x := h.extra()
	switch {
	case x == nil:
		return "handle(nil)"
	case h.IsClosed():
		return x.typ.name + "(closed)"
	}
	return x.typ.name + "(open)"
}

func (h *Handle) member() *member {
	if x := h.extra(); x != nil {
		return x.member()
	}
	return nil
}

// promote is the promoter's half of the protocol: it registers the handle, then says so, and takes the registration back
// if a closer was faster. The caller has the lock of the stripe that holds the handle, so nobody else promotes it. A handle
// that is closing is promoted, too: its last user may have forgotten it.
func (h *Handle) promote(t *Type, c *cohort, extras *extras) {
	if h.word.Load()&(tenured|closed) != 0 {
		return
	}
	x := h.extra()
	if x.isShared() {
		x = extras.next()
		x.typ, x.raw = t.kind, h.raw
	}
	if m := x.member(); m == nil {
		x.cohort = c
		c.open.Add(1) // before the swap: a closer counts it out
	} else if !m.join(c) {
		h.vacateIfGone() // its parent closed it
		return
	}
	x.cleanup = runtime.AddCleanup(h, (*extra).reclaim, x)
	h.about.Store(x) // before the word, which lets closers read what is in it
	for {
		w := h.word.Load()
		if w == closed {
			x.cleanup.Stop()
			c.without(x)
			break
		}
		if h.word.CompareAndSwap(w, w|tenured) {
			t.promoted.Add(1)
			break
		}
	}
	runtime.KeepAlive(h) // to here, as in deregister
}

// without counts a handle out that was closed while it was promoted.
func (c *cohort) without(x *extra) {
	if m := x.member(); m == nil {
		c.open.Add(-1)
	} else {
		m.leaveCohort(c)
	}
}

// reclaim runs when a tenured handle became unreachable without a Close.
func (x *extra) reclaim() {
	f := forgotten{raw: x.raw, details: x.details}
	if m := x.member(); m == nil {
		x.typ.backlog.add(f)
		x.cohort.open.Add(-1) // after the backlog counts it, so that no snapshot takes it for closed
	} else if m.forget() {
		x.typ.backlog.add(f)
	}
}

func (h *Handle) noteClosed() {
	if x := h.extra(); x.details != nil && CurrentDetection() == DetectFull {
		x.details.closed.CompareAndSwap(nil, siteHere(&x.typ.resource))
	}
}

func (h *Handle) closedError(what string) error {
	x := h.extra()
	f := &fault{kind: ErrClosed, text: fmt.Sprintf("%s: %s of a closed handle", x.typ.name, what)}
	if x.details != nil {
		f.opened, f.closed = x.details.site, x.details.closed.Load()
	}
	if f.opened == nil && f.closed == nil {
		f.text += "; to learn where it was opened and closed, set " + DetectionVariable + "=full"
	}
	return f
}
