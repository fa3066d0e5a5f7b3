package handle

import "sync"

// Queue holds back forgotten resources until a goroutine of the program releases them: for libraries that must be called
// on one thread. The zero value is ready; give its address to [Options.ReleaseOn] of one type or several.
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
// A resource that the queue's goroutine does not release waits for ever: [Snapshot] shows it as backlog. Any goroutine
// may call all methods.
type Queue struct {
	mu       sync.Mutex
	promised []*backlog
	ready    chan struct{}
}

// Ready is a channel that receives when something waits for [Queue.Release]. One receive may stand for many resources.
func (q *Queue) Ready() <-chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.signal()
}

// Release releases what waits, on the calling goroutine, and returns how many resources that were. If a releaser ends the
// goroutine ([runtime.Goexit]), what is left waits for the next call, on whatever goroutine.
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
