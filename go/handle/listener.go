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
// calls them on its own goroutines, several at once. They should be short, and must not panic. If a function calls
// [runtime.Goexit], as t.FailNow does, the net continues on another goroutine, and leaves out the reports of up to 256
// resources that were released together.
//
// forgotten reports that the net has released count forgotten handles of a type. site is the stack of their opening, the
// opener first; nil if it was not recorded. At [DetectOff] it is not called.
//
// failed reports that a releaser failed for a forgotten resource. failure is the value of its panic, or an error that says
// that it called [runtime.Goexit].
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

// tell tells the listeners what was released, by site. It begins once: a listener that ends the goroutine ends the telling.
func (b *backlog) tell() {
	f := &b.flight
	all := currentListeners()
	if f.told || len(all) == 0 || currentDetection() == DetectOff {
		return
	}
	f.told = true
	counts := make(map[*site]int)
	for i := range f.c.n {
		var s *site
		if x := f.c.items[i].extra; x != nil {
			s = x.site()
		}
		counts[s]++
	}
	for s, n := range counts {
		var frames []string
		if s != nil {
			frames = s.frames()
		}
		for _, l := range all {
			if l.forgotten != nil {
				l.forgotten(b.resource.name, n, frames)
			}
		}
	}
}
