package handle

import "sync/atomic"

// Listener is told what the net does. Its functions are called on goroutines of the net, several at once; they should be
// short, and must not panic. A nil function is not called.
type Listener struct {
	// Forgotten tells that the net released count handles of a type; site is the stack that opened them, the opener
	// first, or nil where none was recorded. Not at level off.
	Forgotten func(name string, count int, site []string)
	// ReleaseFailed tells what a releaser panicked with, for a forgotten resource.
	ReleaseFailed func(name string, failure any)
}

var listener atomic.Pointer[Listener]

// SetListener sets the one listener of the program, or with nil takes it away.
func SetListener(l *Listener) { listener.Store(l) }

// report tells the listener what was released, by site.
func report(r *resource, items []forgotten) {
	l := listener.Load()
	if l == nil || l.Forgotten == nil || CurrentDetection() == DetectOff {
		return
	}
	counts := make(map[*site]int)
	for i := range items {
		var s *site
		if d := items[i].details; d != nil {
			s = d.site
		}
		counts[s]++
	}
	for s, n := range counts {
		if s == nil {
			l.Forgotten(r.name, n, nil)
		} else {
			l.Forgotten(r.name, n, s.frames())
		}
	}
}
