package handle

import "sync/atomic"

// Listener is told what the net does. Its functions are called on goroutines of the net, several at once; they should be
// short, and must not panic. A nil function is not called. One that calls [runtime.Goexit], as t.FailNow does, ends its
// goroutine alone: the net goes on with another one, and does not repeat the call.
type Listener struct {
	// Forgotten tells that the net released count handles of a type; site is the stack that opened them, the opener
	// first, or nil where none was recorded. Not at level off.
	Forgotten func(name string, count int, site []string)
	// ReleaseFailed tells what a releaser panicked with, for a forgotten resource; or, if it called [runtime.Goexit], an
	// error that says so.
	ReleaseFailed func(name string, failure any)
}

var listener atomic.Pointer[Listener]

// SetListener sets the one listener of the program, or with nil takes it away.
func SetListener(l *Listener) { listener.Store(l) }

// tell tells the listener what was released, by site.
func (b *backlog) tell() {
	f := &b.flight
	l := listener.Load()
	if l == nil || l.Forgotten == nil || CurrentDetection() == DetectOff {
		return
	}
	if f.untold == nil {
		f.untold = make(map[*site]int)
		for i := range f.c.n {
			var s *site
			if d := f.c.items[i].details; d != nil {
				s = d.site
			}
			f.untold[s]++
		}
	}
	for s, n := range f.untold {
		delete(f.untold, s)
		var frames []string
		if s != nil {
			frames = s.frames()
		}
		l.Forgotten(b.resource.name, n, frames)
	}
}
