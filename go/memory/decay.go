package memory

import (
	"sync"
	"sync/atomic"
	"time"
	"weak"
)

// decay gives free memory of a pool back to the system: what is free at two turns goes. A turn takes half the time that the
// pool gives, so free memory is kept for half of it at least and all of it at most. There is a timer while something is
// free and has pages, or a shared heap has slabs, and none otherwise.
type decay struct {
	time time.Duration

	// armed: a timer is set. Whoever makes it true sets one; the timer makes it false before it looks, so what is freed
	// after that look arms it again.
	armed atomic.Bool

	mu    sync.Mutex // innermost
	timer *time.Timer
	done  bool
}

// freed is called, with nothing locked, when memory became free.
func (p *Pool) freed() {
	if p.decay.time < 0 {
		p.reclaim()
		return
	}
	p.decay.arm(p)
}

func (d *decay) arm(p *Pool) {
	// A look before the exchange: mostly it is armed.
	if d.armed.Load() || !d.armed.CompareAndSwap(false, true) {
		return
	}
	watched := weak.Make(p) // so that a pool nobody closed can be collected
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done {
		return
	}
	d.timer = time.AfterFunc(max(d.time/2, time.Millisecond), func() {
		if pool := watched.Value(); pool != nil {
			pool.turn()
		}
	})
}

func (p *Pool) turn() {
	p.decay.armed.Store(false)
	if p.sweep() {
		p.decay.arm(p)
	}
}

// sweep gives back what was free for a whole turn; what is free now goes at the next one. It says whether there is any.
func (p *Pool) sweep() (more bool) {
	p.sweeping.Lock()
	defer p.sweeping.Unlock()
	more = p.ageHeaps(false)
	for _, r := range p.regions.all() {
		for r.locked(r.discardAged) { // a little at a time, so that others get the lock in between
		}
		r.locked(r.age)
		more = r.locked(r.hasIdle) || more
	}
	return more
}

func (d *decay) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done = true
	if d.timer != nil {
		d.timer.Stop()
	}
}
