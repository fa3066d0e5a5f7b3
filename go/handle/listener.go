package handle

import (
	"slices"
	"sync"
	"sync/atomic"
)

// listener has the functions of one call of [AddListener].
type listener struct {
	forgotten func(name string, count int, site []string)
	failed    func(name string, failure any)
}

// listeners is replaced under listenersMu, never changed: who goes through it needs no lock.
var (
	listeners   atomic.Pointer[[]*listener]
	listenersMu sync.Mutex
)

// AddListener adds two functions that receive reports of the net, until remove is called. Either may be nil. The net
// calls them on its own goroutines, several at once. They should be short, and must not panic. A function that calls
// [runtime.Goexit], as t.FailNow does, ends only its goroutine: the net continues on another one, and does not repeat
// the call.
//
// forgotten reports that the net has released count forgotten handles of a type. site is the stack of their opening, the
// opener first; nil if it was not recorded. At [DetectOff] it is not called.
//
// failed reports that a releaser failed for a forgotten resource. failure is the value of its panic, or an error that says
// that it called [runtime.Goexit]. If this function itself ends its goroutine, later listeners do not receive this report.
func AddListener(forgotten func(name string, count int, site []string), failed func(name string, failure any)) (remove func()) {
	l := &listener{forgotten, failed}
	change := func(to func(all []*listener) []*listener) {
		listenersMu.Lock()
		defer listenersMu.Unlock()
		all := to(slices.Clone(currentListeners()))
		listeners.Store(&all)
	}
	change(func(all []*listener) []*listener { return append(all, l) })
	return func() {
		change(func(all []*listener) []*listener {
			return slices.DeleteFunc(all, func(one *listener) bool { return one == l })
		})
	}
}

func currentListeners() []*listener {
	if all := listeners.Load(); all != nil {
		return *all
	}
	return nil
}

// telling is one call of a listener that is due.
type telling struct {
	listener *listener
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
		t.listener.forgotten(b.resource.name, t.count, frames)
	}
}

func (b *backlog) tellings() []telling {
	all := currentListeners()
	if len(all) == 0 || currentDetection() == DetectOff {
		return nil
	}
	counts := make(map[*site]int)
	c := b.flight.c
	for i := range c.n {
		var s *site
		if x := c.items[i].extra; x != nil {
			s = x.site()
		}
		counts[s]++
	}
	due := []telling{}
	for _, l := range all {
		if l.forgotten == nil {
			continue
		}
		for s, n := range counts {
			due = append(due, telling{l, s, n})
		}
	}
	return due
}
