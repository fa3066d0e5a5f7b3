package handle

import (
	"errors"
	"log"
	"sync"
	"time"
)

// forgotten is a resource that the net owns: whoever made it won the word that decides.
type forgotten struct {
	raw   uintptr
	extra *extra // the handle's own, nil of most; a member's parent waits for it, and is kept by it
}

// backlog is what was forgotten of one resource and is not yet released. Finalizers and cleanups only add to it, since
// the runtime has few goroutines for those of the whole program. What is here is released by a goroutine that lives
// while there is something, or by the one that serves the queue.
//
//	added = resource.forgotten + size
//
// What was forgotten of a type stands in chunks. Of a pool it stays in its records, which nobody else writes then.
type backlog struct {
	resource *resource
	queue    *Queue

	mu    sync.Mutex
	first *chunk // to be released next; nil if nothing waits
	last  *chunk // where items are added; its successor and its items are the adders'
	slabs recordQueue
	size  int // added and not yet released
	since time.Time
	busy  bool // a flush is promised, or under way

	flight flight // of the flush under way, and without the lock: busy lets one goroutine in
}

// flight is how far a flush has come with one chunk. A function of the program may end its goroutine; another one then
// goes on from here, and repeats nothing.
type flight struct {
	c         *chunk // nil: the next one is to be taken
	freed     int    // items whose releaser was called
	accounted bool
	left      int  // items whose family was told
	told      bool // the listeners
}

// errGoexit is the failure of a releaser that called runtime.Goexit.
var errGoexit = errors.New("it called runtime.Goexit, as t.FailNow and t.SkipNow do; use t.Error in a releaser")

// chunks are those that are empty, of all backlogs.
var chunks = sync.Pool{New: func() any { return new(chunk) }}

// chunk is items that are counted and told together.
type chunk struct {
	next   *chunk
	n      int
	refers bool // to extras
	items  [batchSize]forgotten
}

func (b *backlog) add(f forgotten) {
	b.mu.Lock()
	b.put(f)
	b.size++
	b.startLocked()
}

// addRecord adds a slab of which n slots are open.
func (b *backlog) addRecord(rec *record, n int) {
	b.mu.Lock()
	b.slabs.push(rec)
	b.size += n
	b.startLocked()
}

// startLocked unlocks, and sees to it that what was added is released.
func (b *backlog) startLocked() {
	start := !b.busy
	if start {
		b.busy = true
		b.since = time.Now()
	}
	b.mu.Unlock()
	if start {
		b.promise()
	}
}

// promise sees to it that somebody flushes.
func (b *backlog) promise() {
	if b.queue != nil {
		b.queue.promise(b)
		return
	}
	go b.flush()
}

// putRecord puts what reclaim has found.
func (b *backlog) putRecord(rec *record) {
	sites := rec.sites.Load()
	for i := range rec.generations {
		if rec.generations[i].Load()&1 == 0 {
			continue
		}
		f := forgotten{raw: rec.raws[i].Load()}
		if sites != nil && sites[i] != nil {
			f.extra = &extra{bytes: rec.pool.bytes, details: &details{site: sites[i]}}
		}
		b.put(f)
	}
}

func (b *backlog) put(f forgotten) {
	if b.last == nil || b.last.n == batchSize {
		c := chunks.Get().(*chunk)
		if b.last == nil {
			b.first = c
		} else {
			b.last.next = c
		}
		b.last = c
	}
	c := b.last
	c.items[c.n] = f
	c.n++
	c.refers = c.refers || f.extra != nil
}

// take is the next chunk, of which nobody else knows then; nil if nothing waits, and then no flush is under way.
func (b *backlog) take(done *chunk) *chunk {
	b.mu.Lock()
	defer b.mu.Unlock()
	if done != nil {
		b.size -= done.n
		if done.refers {
			clear(done.items[:done.n])
		}
		done.n, done.next, done.refers = 0, nil, false
		chunks.Put(done)
	}
	if b.slabs.first != nil {
		for range batchSize / slabSlots {
			if rec := b.slabs.pop(); rec != nil {
				b.putRecord(rec)
			}
		}
	}
	c := b.first
	if c == nil {
		b.busy = false
		return nil
	}
	if b.first = c.next; b.first == nil {
		b.last = nil
	}
	b.since = time.Now()
	return c
}

// flush releases until nothing waits, and returns how many. A releaser or a listener that ends the goroutine, or a
// listener that panics, ends this call: what is left is promised again.
func (b *backlog) flush() (sum int) {
	done := false
	defer func() {
		if !done {
			b.promise()
		}
	}()
	f := &b.flight
	c := f.c
	if c == nil {
		c = b.take(nil)
	}
	for c != nil {
		f.c = c
		b.free()
		b.account()
		b.tell()
		sum += c.n
		*f = flight{} // before take, which may let the next flush in
		c = b.take(c)
	}
	done = true
	return sum
}

// free calls the releaser for what it was not called for yet.
func (b *backlog) free() {
	f := &b.flight
	items := f.c.items[:f.c.n]
	for f.freed < len(items) { // once, and once more for each panic
		b.guarded(func() {
			for f.freed < len(items) {
				f.freed++
				b.resource.release(items[f.freed-1].raw)
			}
		})
	}
}

// account counts what was released, and lets parents go that waited for it.
func (b *backlog) account() {
	f := &b.flight
	items := f.c.items[:f.c.n]
	if !f.accounted {
		f.accounted = true
		b.resource.forgotten.Add(int64(len(items)))
		bytes := int64(0)
		for i := range items {
			x := items[i].extra
			if x == nil {
				bytes += b.resource.bytes
				continue
			}
			bytes += x.bytes
			if s := x.site(); s != nil {
				s.gone(x.bytes)
				s.forgotten.Add(1)
			}
		}
		if bytes != 0 {
			nativeBytes.forgotten(bytes)
		}
	}
	if !f.c.refers {
		return
	}
	for f.left < len(items) {
		x := items[f.left].extra
		f.left++
		if x != nil && x.member() != nil {
			b.guarded(x.member().leave) // a parent that waited for it is released here
		}
	}
}

// guarded runs a releaser; what it panics with, or that it ends the goroutine, is counted and told, and the net goes
// on.
func (b *backlog) guarded(release func()) {
	returned := false
	defer func() {
		failure := recover()
		if returned {
			return
		}
		if failure == nil {
			failure = errGoexit
		}
		b.resource.failures.Add(1)
		told := false
		for _, l := range currentListeners() {
			if l.failed != nil {
				told = true
				l.failed(b.resource.name, failure)
			}
		}
		if told {
			return
		}
		if failure == errGoexit {
			log.Printf("offcut: the releaser of %s ended the goroutine that released a forgotten resource: %v", b.resource.name, failure)
			return
		}
		log.Printf("offcut: the releaser of %s panicked for a forgotten resource: %v", b.resource.name, failure)
	}()
	release()
	returned = true
}

// waiting is how many are not released yet, and since when the oldest waits.
func (b *backlog) waiting() (n int, since time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.size, b.since
}
