package handle

import "sync"

// Queue holds forgotten resources until a goroutine of the program releases them. It is for libraries that must be
// called on one thread. The zero value is ready for use. Give its address to [Options.ReleaseOn] of one or several
// types.
//
//	for {
//		select {
//		case <-queue.Ready():
//			queue.Release()
//		case job := <-jobs:
//			…
//		}
//	}
//
// A resource waits for ever if no goroutine calls [Queue.Release]; a [Snapshot] counts it as backlog. Any goroutine may
// call the methods of a queue.
type Queue struct {
	mu       sync.Mutex
	promised []*backlog
	ready    chan struct{}
}

// Ready returns a channel that receives a value when resources wait for [Queue.Release]. One value may stand for many
// resources.
func (q *Queue) Ready() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.signal()
}

// Release releases the waiting resources on the calling goroutine, and returns their number. If a releaser ends the
// goroutine ([runtime.Goexit]), the remaining resources wait for the next call, from any goroutine.
func (q *Queue) Release() int {
	q.mu.Lock()
	promised := q.promised
	q.promised = nil
	q.mu.Unlock()
	defer func() {
		for _, b := range promised { // none, unless a releaser ended the goroutine
			q.promise(b)
		}
	}()
	sum := 0
	for len(promised) > 0 {
		b := promised[0]
		promised = promised[1:]
		sum += b.flush()
	}
	return sum
}

func (q *Queue) promise(b *backlog) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.promised = append(q.promised, b)
	select {
	case q.signal() <- struct{}{}:
	default: // it is signalled already
	}
}

func (q *Queue) signal() chan struct{} {
	if q.ready == nil {
		q.ready = make(chan struct{}, 1)
	}
	return q.ready
}
