package handle

import (
	"log"
	"sync"
	"time"
	"unsafe"
)

// forgotten is a resource that the net owns: whoever made it won the word that decides.
type forgotten struct {
	raw   uintptr
	bytes int64
	site  *site
	child *guard // whose parent waits for it
}

// backlog is what was forgotten of one resource and is not yet released. A cleanup only adds to it, since the runtime has
// few goroutines for all cleanups of the program. What is here is released by a goroutine that lives while there is
// something, or by the one that serves the queue.
//
//	added = resource.forgotten + waiting + taken
type backlog struct {
	resource *resource
	queue    *Queue

	mu      sync.Mutex
	waiting []forgotten
	spare   []forgotten // the other half of the pair of buffers
	taken   int         // of a flush under way
	since   time.Time   // of the oldest waiting or taken
	busy    bool        // a flush is promised, or under way
}

func (b *backlog) add(items ...forgotten) {
	b.mu.Lock()
	b.waiting = append(b.waiting, items...)
	start := !b.busy
	if start {
		b.busy = true
		b.since = time.Now()
	}
	b.mu.Unlock()
	if !start {
		return
	}
	if b.queue != nil {
		b.queue.promise(b)
		return
	}
	go b.flush()
}

// flush releases until nothing waits, and returns how many.
func (b *backlog) flush() int {
	sum := 0
	for {
		b.mu.Lock()
		items := b.waiting
		b.waiting, b.spare = b.spare[:0], nil
		b.taken = len(items)
		b.busy = len(items) > 0
		b.since = time.Now()
		b.mu.Unlock()
		if len(items) == 0 {
			return sum
		}
		b.releaseAll(items)
		sum += len(items)
		clear(items)
		b.mu.Lock()
		b.taken = 0
		b.spare = items[:0]
		b.mu.Unlock()
	}
}

func (b *backlog) releaseAll(items []forgotten) {
	r := b.resource
	if r.releaseBatch == nil {
		for i := range items {
			b.guarded(func() { r.free(items[i].raw) })
			b.released(&items[i])
		}
	} else {
		var batch [batchSize]unsafe.Pointer
		for rest := items; len(rest) > 0; {
			n := min(len(rest), batchSize)
			for i := range n {
				batch[i] = pointer(rest[i].raw)
			}
			b.guarded(func() { r.releaseBatch(batch[:n:n]) })
			for i := range n {
				b.released(&rest[i])
			}
			rest = rest[n:]
		}
	}
	nativeBytes.lower()
	report(r, items)
}

func (b *backlog) released(f *forgotten) {
	b.resource.forgotten.Add(1)
	if f.bytes != 0 {
		nativeBytes.add(-f.bytes)
	}
	if f.site != nil {
		f.site.gone(f.bytes)
		f.site.forgotten.Add(1)
	}
	if f.child != nil {
		b.guarded(f.child.leave) // a parent that waited for it is released here
	}
	b.mu.Lock()
	b.taken--
	b.mu.Unlock()
}

// guarded runs a releaser; what it panics with is counted and told, and the net goes on.
func (b *backlog) guarded(release func()) {
	defer func() {
		if failure := recover(); failure != nil {
			b.resource.failures.Add(1)
			if l := listener.Load(); l != nil && l.ReleaseFailed != nil {
				l.ReleaseFailed(b.resource.name, failure)
				return
			}
			log.Printf("offcut: the releaser of %s panicked for a forgotten resource: %v", b.resource.name, failure)
		}
	}()
	release()
}

// size is how many wait, and since when the oldest does.
func (b *backlog) size() (n int, since time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting) + b.taken, b.since
}
