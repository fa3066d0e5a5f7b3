package handle

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Listener is told what the net does. There may be several. Its functions are called on goroutines of the net, several at once; they should be
// short, and must not panic. A nil function is not called. One that calls [runtime.Goexit], as t.FailNow does, ends its
// goroutine alone: the net goes on with another one, and does not repeat the call.
type Listener struct {
	// Forgotten tells that the net released count handles of a type; site is the stack that opened them, the opener
	// first, or nil where none was recorded. Not at level off.
	Forgotten func(name string, count int, site []string)
	// ReleaseFailed tells what a releaser panicked with, for a forgotten resource; or, if it called [runtime.Goexit], an
	// error that says so. If it ends its goroutine, listeners after it are not told of that failure.
	ReleaseFailed func(name string, failure any)
}

// listeners is replaced under listenersMu, never changed: who goes through it needs no lock.
var (
	listeners   atomic.Pointer[[]*Listener]
	listenersMu sync.Mutex
)

// AddListener adds a listener, which is told of what the net does from now on, until [RemoveListener].
func AddListener(l *Listener) {
	listenersMu.Lock()
	defer listenersMu.Unlock()
	all := append(slices.Clone(currentListeners()), l)
	listeners.Store(&all)
}

// RemoveListener takes a listener away that [AddListener] added, once if it was added several times. A call that has
// begun ends.
func RemoveListener(l *Listener) {
	listenersMu.Lock()
	defer listenersMu.Unlock()
	all := slices.Clone(currentListeners())
	if i := slices.Index(all, l); i >= 0 {
		all = slices.Delete(all, i, i+1)
	}
	listeners.Store(&all)
}

func currentListeners() []*Listener {
	if all := listeners.Load(); all != nil {
		return *all
	}
	return nil
}

// telling is one call of a listener that is due.
type telling struct {
	listener *Listener
	site     *site
	count    int
}

// tell tells the listeners what was released, by site. It goes on where a goroutine stopped that a listener ended.
func (b *backlog) tell() {
	f := &b.flight
	if f.untold == nil {
		f.untold = b.tellings()
	}
	for len(f.untold) > 0 {
		t := f.untold[0]
		f.untold = f.untold[1:]
		var frames []string
		if t.site != nil {
			frames = t.site.frames()
		}
		t.listener.Forgotten(b.resource.name, t.count, frames)
	}
}

func (b *backlog) tellings() []telling {
	all := currentListeners()
	if len(all) == 0 || CurrentDetection() == DetectOff {
		return nil
	}
	counts := make(map[*site]int)
	c := b.flight.c
	for i := range c.n {
		var s *site
		if d := c.items[i].details; d != nil {
			s = d.site
		}
		counts[s]++
	}
	due := []telling{}
	for _, l := range all {
		if l.Forgotten == nil {
			continue
		}
		for s, n := range counts {
			due = append(due, telling{l, s, n})
		}
	}
	return due
}
