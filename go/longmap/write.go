package longmap

// assign stores the value if the present one is as wanted: the value before.
func (m *Map[V]) assign(key uint64, value *V, want wanted, expected *V) *V {
	if value == nil {
		panic("longmap: a value must not be nil; to remove a key, call Remove")
	}
	hash := key * spread
	t := m.start()
	if t.next.Load() != nil {
		m.help(t)
	}
	var made *spill[V]
	for waits := 0; ; waits++ {
		s, b, head, in := seek(t, hash)
		t = in
		e := b.find(head, hash, key)
		before := e.load()
		if !fits(want, before, expected) {
			if b.head.Load() == head && head&locked == 0 {
				return before
			}
			pause(waits)
			continue
		}
		if e.value == nil && freeSlots(head) == 0 {
			made = s.enough(made, e.spill, t.seed) // nothing is allocated under a lock
		}
		if !b.lock(head) {
			pause(waits)
			continue
		}
		// Nobody wrote since the header was read: what was found is true, and stays until unlock.
		switch {
		case e.value != nil:
			e.value.Store(value)
			b.head.Store(head + version)
		case freeSlots(head) != 0:
			b.head.Store(b.fill(head, hash, key, value))
		default:
			used := e.spill == nil || e.spill.isFull()
			b.head.Store(b.spillOver(head, made, key, value))
			if used {
				made = nil
			}
			m.consider(t, hash, head)
		}
		if made != nil { // for a bucket that had room when it was locked at last
			s.spares.give(made, s.mostSpares())
		}
		return before
	}
}

func fits[V any](want wanted, present, expected *V) bool {
	switch want {
	case nothing:
		return present == nil
	case something:
		return present != nil
	case exactly:
		return present == expected
	}
	return true
}

// enough is an overflow to put one more entry into than a bucket has now, if it needs another.
func (s *shelf[V]) enough(made, over *spill[V], seed uint64) *spill[V] {
	least := leastSpill
	if over != nil {
		if !over.isFull() {
			return made
		}
		least = 2 * len(over.keys)
	}
	if made != nil && len(made.keys) >= least {
		return made
	}
	return s.makeSpill(least, seed)
}

// take removes the key if its value is as wanted, anything or exactly: the value it had.
func (m *Map[V]) take(key uint64, want wanted, expected *V) *V {
	t := m.table.Load()
	if t == nil {
		return nil
	}
	hash := key * spread
	if t.next.Load() != nil {
		m.help(t)
	}
	for waits := 0; ; waits++ {
		s, b, head, in := seek(t, hash)
		t = in
		e := b.find(head, hash, key)
		before := e.load()
		if before == nil || !fits(want, before, expected) {
			if b.head.Load() == head && head&locked == 0 {
				return before
			}
			pause(waits)
			continue
		}
		if !b.lock(head) {
			pause(waits)
			continue
		}
		// Nobody wrote since the header was read: what was found is true, and stays until unlock.
		head = b.vacate(s, e, head)
		if head&(tags|overflow) == 0 {
			m.consider(t, hash, head)
		}
		return before
	}
}

// vacate frees the place of an entry of a locked bucket, and unlocks it: the header it has now.
func (b *bucket[V]) vacate(s *shelf[V], e entry[V], head uint64) uint64 {
	head += version
	var spare *spill[V]
	if e.spill == nil {
		e.value.Store(nil)
		head &^= oneTag << (4 * e.slot)
	} else if e.spill.remove(e.slot); e.spill.count.Load() == 0 {
		b.spill.Store(nil)
		head &^= overflow
		spare = e.spill
	}
	b.head.Store(head)
	if spare != nil {
		s.spares.give(spare, s.mostSpares())
	}
	return head
}
