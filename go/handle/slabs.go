package handle

import "sync"

// slabs is what records know of their pool: how a value is released, and the list of all records. It refers to no token.
type slabs struct {
	resource

	mu         sync.Mutex
	records    *record // all that have a token, and those whose cleanup is about to run
	dropped    int64   // openings of records that are gone
	registered int64   // slabs so far
}

// uncharge takes a value that was closed out of the books.
func (p *slabs) uncharge(s *site) {
	s.gone(p.bytes)
	if p.bytes != 0 {
		nativeBytes.add(-p.bytes)
	}
}

func (p *slabs) enlist(rec *record) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.registered++
	rec.next = p.records
	if rec.next != nil {
		rec.next.prev = rec
	}
	p.records = rec
}

func (p *slabs) delist(rec *record, opened int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropped += opened
	if rec.prev != nil {
		rec.prev.next = rec.next
	} else {
		p.records = rec.next
	}
	if rec.next != nil {
		rec.next.prev = rec.prev
	}
	rec.prev, rec.next = nil, nil
}
