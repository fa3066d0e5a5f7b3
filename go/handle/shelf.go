package handle

import "sync"

// shelf is the slabs of a pool that wait for an owner: all their slots are free, and their registrations stand. Records
// do not refer to it, since their cleanups must not reach their tokens.
type shelf struct {
	mu     sync.Mutex
	ready  *token
	spare  int // how many
	unused int // the least since the last trim
}

func (s *shelf) pop() *token {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.ready
	if t != nil {
		s.ready = t.next
		t.next = nil
		s.spare--
		s.unused = min(s.unused, s.spare)
	}
	return t
}

func (s *shelf) push(t *token) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.next = s.ready
	s.ready = t
	s.spare++
}

// trim gives half of the slabs that nobody wanted since the last cycle to the collector.
func (s *shelf) trim() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := (s.unused + 1) / 2; n > 0; n-- {
		s.ready = s.ready.next
		s.spare--
	}
	s.unused = s.spare
}
