package handle

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

// The word of a handle counts its uses, and decides about its resource. Handles without a family need nothing else.
//
//	bit 0     tenured: a promoter registered it
//	bit 1     closing: a Close waits for the last use, and new uses are refused
//	bit 2     waited: with closing, the closer itself releases; without, the last user does
//	bit 3     closed: somebody owns the resource, and releases it. No other bit is set then
//	bits 4–31 uses
//
// Who uses, closes or promotes a handle changes the word by compare-and-set, and only from a word that allows it. So a
// use that was refused leaves no trace, and exactly one change leads to closed. All of them are sequentially
// consistent: what a user did to the resource before its use ended is visible to who releases it.
const (
	tenured uint32 = 1 << iota
	closing
	waited
	closed
	oneUse
)

// young is the zero value: a new handle needs no write.
const young uint32 = 0

// counter is where the uses of a type's handles are counted.
type counter uint8

const (
	byWord counter = iota
	byMember
	byNone
)

// mostUses is the word from which on uses would overflow.
const mostUses = ^uint32(0) - oneUse + 1

// begin begins a use.
func (h *anyHandle) begin(x *extra) error {
	if x == nil {
		return noHandle("use of a nil handle, a copy, or one that Open did not make")
	}
	if k, w := x.typ, h.word.Load(); w&(closing|closed) == 0 && w < mostUses {
		if k.counts == byWord && h.word.CompareAndSwap(w, w+oneUse) || k.counts == byNone {
			return nil
		}
	}
	return h.beginSlowly(x)
}

// beginSlowly is begin for handles that count no uses, or elsewhere, and where another goroutine was faster.
func (h *anyHandle) beginSlowly(x *extra) error {
	switch x.typ.counts {
	case byMember:
		if !x.details.member.enter() {
			return h.closedError("use")
		}
		return nil
	case byNone:
		if h.word.Load() == closed { // a use that a close overtakes is the program's to order
			return h.closedError("use")
		}
		return nil
	}
	for {
		w := h.word.Load()
		if w&(closing|closed) != 0 {
			return h.closedError("use")
		}
		if w >= mostUses {
			panic(fmt.Sprintf("handle: %s: more than %d uses of one handle; a BeginUse has no EndUse", x.typ.name, mostUses/oneUse-1))
		}
		if h.word.CompareAndSwap(w, w+oneUse) {
			return nil
		}
	}
}

// end ends a use. The last one releases if a close left that to it, or wakes the closer that waits.
func (h *anyHandle) end(x *extra) {
	if x.typ.counts == byWord {
		if w := h.word.Load(); w < oneUse || w&closing != 0 || !h.word.CompareAndSwap(w, w-oneUse) {
			h.endSlowly(x)
		}
	} else if m := x.member(); m != nil {
		h.exitMember(m)
	}
	runtime.KeepAlive(h)
}

func (h *anyHandle) endSlowly(x *extra) {
	for {
		w := h.word.Load()
		if w < oneUse {
			x.typ.refuseEnd()
		}
		now := w - oneUse
		if now < oneUse && now&(closing|waited) == closing {
			now = closed
		}
		if !h.word.CompareAndSwap(w, now) {
			continue
		}
		switch {
		case now == closed:
			h.release(w)
		case now < oneUse && now&waited != 0:
			waiters.wake(h)
		}
		return
	}
}

// closeWord closes a handle that may be in use, by the policy of its type.
func (h *anyHandle) closeWord(t *kind) error {
	for {
		w := h.word.Load()
		now := closed
		switch {
		case w&(closing|closed) != 0:
			return h.closedError("Close")
		case w < oneUse: // always, of types that count no uses
		case t.inUse == RefuseInUse:
			return t.usedBy(int(w / oneUse))
		case t.inUse == WaitInUse:
			now = w | closing | waited
		default:
			now = w | closing
		}
		if !h.word.CompareAndSwap(w, now) {
			continue
		}
		if now&waited != 0 {
			return h.await(t)
		}
		h.noteClosed()
		if now == closed {
			h.release(w)
		}
		return nil
	}
}

// await waits for the last use and releases; if time is up, the handle is open again. The handle is closing meanwhile,
// so nobody else closes it and nobody begins a use.
func (h *anyHandle) await(t *kind) error {
	// In this order: who ends the last use looks for a closer afterwards. So one of the two sees the other.
	idle := waiters.enter(h)
	if h.word.Load() >= oneUse {
		timer := time.NewTimer(t.waitLimit)
		select {
		case <-idle:
		case <-timer.C:
		}
		timer.Stop()
	}
	waiters.leave(h)
	for {
		w := h.word.Load()
		now := closed
		if w >= oneUse {
			now = w &^ (closing | waited)
		}
		if !h.word.CompareAndSwap(w, now) {
			continue // another use ended, or a promoter came
		}
		if now != closed {
			return t.stillInUse()
		}
		h.noteClosed()
		h.release(w)
		return nil
	}
}

// release releases the resource of a handle that the caller has closed, and whose word was w before.
func (h *anyHandle) release(w uint32) {
	h.deregister(w)
	x := h.extra()
	x.accountClosed()
	x.typ.close(h.raw)
}

// waiters is the closers that wait for a last use. They are few, and wait long.
var waiters waitList

type waitList struct {
	mu   sync.Mutex
	idle map[*anyHandle]chan struct{}
}

func (l *waitList) enter(h *anyHandle) chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.idle == nil {
		l.idle = make(map[*anyHandle]chan struct{})
	}
	idle := make(chan struct{})
	l.idle[h] = idle
	return idle
}

func (l *waitList) leave(h *anyHandle) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.idle, h)
}

func (l *waitList) wake(h *anyHandle) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if idle := l.idle[h]; idle != nil {
		delete(l.idle, h)
		close(idle)
	}
}

func (t *kind) refuseEnd() {
	panic("handle: " + t.name + ": EndUse without BeginUse")
}

func (t *kind) usedBy(uses int) error {
	return &fault{kind: ErrInUse, text: fmt.Sprintf("%s: Close while %d uses are under way; end them first", t.name, uses)}
}

func (t *kind) stillInUse() error {
	return &fault{kind: ErrInUse, text: fmt.Sprintf(
		"%s: still in use after %v; it is open again: end the use, and close it after", t.name, t.waitLimit)}
}
