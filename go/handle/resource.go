package handle

import (
	"sync/atomic"
	"unsafe"
)

// resource is what [Type] and [Pool] have in common: how one is released, what was forgotten and what went wrong.
type resource struct {
	name         string
	raws         rawKind
	release      func(p unsafe.Pointer)
	releaseID    func(id uintptr)
	releaseBatch func(ps []unsafe.Pointer)
	bytes        int64

	backlog   backlog
	forgotten atomic.Int64 // released by the net
	failures  atomic.Int64 // releasers that did not return
}

func (r *resource) configure(o *Options) {
	o.check()
	r.name = o.Name
	r.release, r.releaseID, r.releaseBatch = o.Release, o.ReleaseID, o.ReleaseBatch
	if r.release == nil {
		r.raws = ids
	}
	r.bytes = o.Bytes
	r.backlog.resource = r
	r.backlog.queue = o.ReleaseOn
}

// free releases one resource, which the caller owns.
func (r *resource) free(raw uintptr) {
	if r.release == nil {
		r.releaseID(raw)
		return
	}
	r.release(pointer(raw))
}

// close is free for Close: a panic of the releaser, or its Goexit, is counted and goes on to the closer.
func (r *resource) close(raw uintptr) {
	failing := r
	defer func() {
		if failing != nil {
			failing.failures.Add(1)
		}
	}()
	if r.release != nil { // as in free, which is too long to be inlined
		r.release(pointer(raw))
	} else {
		r.releaseID(raw)
	}
	failing = nil
}

// rawKind is what the raw values of a resource are.
type rawKind uint8

const (
	addresses rawKind = iota
	ids
)

// check panics unless raw can be one of the resources.
func (r *resource) check(raw uintptr, as rawKind) {
	if as != r.raws || raw == 0 && as == addresses {
		r.refuse(raw, as)
	}
}

// refuse panics because raw was given as what the resources are not, or is nil.
func (r *resource) refuse(raw uintptr, as rawKind) {
	switch {
	case as == ids:
		panic("handle: " + r.name + ": OpenID, but it has Release, which takes an address; use Open")
	case raw == 0:
		panic("handle: " + r.name + ": Open(nil): nothing was opened; check what the native call returned")
	default:
		panic("handle: " + r.name + ": Open of an address, but it has ReleaseID; use OpenID")
	}
}

// checkUse panics if the resources are not what they are used as.
func (r *resource) checkUse(as rawKind) {
	if as == r.raws {
		return
	}
	if as == ids {
		panic("handle: " + r.name + ": its resources are addresses, not ids; use With or BeginUse")
	}
	panic("handle: " + r.name + ": its resources are ids, not addresses; use WithID or BeginUseID")
}
