package handle

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Listener receives reports of the net. A program may have several. The net calls its functions on its own goroutines,
// several at once. They should be short, and must not panic. A nil function is not called. A function that calls
// [runtime.Goexit], as t.FailNow does, ends only its goroutine: the net continues on another one, and does not repeat
// the call.
type Listener struct {
	// Forgotten reports that the net has released count forgotten handles of a type. site is the stack of their
	// opening, the opener first; nil if it was not recorded. At [DetectOff] it is not called.
	Forgotten func(name string, count int, site []string)
	// ReleaseFailed reports that a releaser failed for a forgotten resource. failure is the value of its panic, or an
	// error that says that it called [runtime.Goexit]. If this function itself ends its goroutine, later listeners do
	// not receive this report.
	ReleaseFailed func(name string, failure any)
}

// listeners is replaced under listenersMu, never changed: who goes through it needs no lock.
var (
	listeners   atomic.Pointer[[]*Listener]
	listenersMu sync.Mutex
)

// AddListener adds a listener. It receives reports until [RemoveListener].
func AddListener(l *Listener) {
	listenersMu.Lock()
	defer listenersMu.Unlock()
	all := append(slices.Clone(currentListeners()), l)
	listeners.Store(&all)
}

// RemoveListener removes a listener that [AddListener] added. If it was added several times, one of these is removed. A
// call that is under way continues.
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
		if x := c.items[i].extra; x != nil {
			s = x.site()
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
