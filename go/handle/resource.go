package handle

import "sync/atomic"

// resource is what types and pools have in common: how one is released, what was forgotten and what went wrong.
type resource struct {
	name      string
	addresses bool // 0 is none of them; else 0 is an id like any other
	release   func(raw uintptr)
	bytes     int64

	backlog   backlog
	forgotten atomic.Int64 // released by the net
	failures  atomic.Int64 // releasers that did not return
}

func (r *resource) configure(o *Options, release func(raw uintptr), addresses bool) {
	o.check()
	r.name, r.release, r.addresses, r.bytes = o.Name, release, addresses, o.Bytes
	r.backlog.resource = r
	r.backlog.queue = o.ReleaseOn
}

// close is release for Close: a panic of the releaser, or its Goexit, is counted and goes on to the closer.
func (r *resource) close(raw uintptr) {
	failing := r
	defer func() {
		if failing != nil {
			failing.failures.Add(1)
		}
	}()
	r.release(raw)
	failing = nil
}

// check panics unless raw can be one of the resources.
func (r *resource) check(raw uintptr) {
	if raw == 0 && r.addresses {
		panic("handle: " + r.name + ": Open(nil): nothing was opened; check what the native call returned")
	}
}
