package longmap

// stride is how many units a writer moves on while the map is resized.
const stride = 16

// consider: a bucket is full, or empty. Now and then, it looks whether many are.
func (m *Map[V]) consider(t *table[V], hash, head uint64) {
	// Another one each time the same key comes here, and of keys that are alike in half their bits.
	random := ((hash>>32 ^ hash) + head>>31) * spread >> 32
	if random%considerEvery != 0 && !m.eager || t.next.Load() != nil || m.table.Load() != t {
		return
	}
	switch load := t.sample(random / considerEvery); {
	case load > growAbove && t.bits < maxBits:
		t.begin(t.bits + 1)
	case load < shrinkBelow && t.bits > m.least():
		t.begin(t.bits - 1)
	}
}

// least is the bits of the smallest table.
func (m *Map[V]) least() int {
	if m.eager {
		return m.floor
	}
	return max(m.floor, minBits)
}

// begin gives a table a successor, unless another goroutine does.
func (t *table[V]) begin(bits int) {
	load := t.load.Load() / 2
	if bits < t.bits {
		load = t.load.Load() * 2
	}
	t.next.CompareAndSwap(nil, newTable[V](bits, t.seed, load))
}

// help moves some units of a table to its successor, and retires it when that was the last.
func (m *Map[V]) help(t *table[V]) {
	next := t.next.Load()
	units := 1 << min(t.bits, next.bits)
	some := min(stride, units)
	from := int(t.claim.Add(uint32(some))-uint32(some)) & (units - 1)
	for unit := from; unit < from+some; unit++ {
		if t.move(next, unit) {
			m.table.CompareAndSwap(t, next)
		}
	}
}

// move moves a unit, unless another goroutine is at it or was. Whether that was the last of all.
func (t *table[V]) move(next *table[V], unit int) bool {
	growing := next.bits > t.bits
	source, target, count := unit, 2*unit, 1
	if !growing {
		source, target, count = 2*unit, unit, 2
	}
	from, b := t.atBucket(source)
	to := next.make(target)
	if b == nil || to == nil {
		return false
	}
	head := b.head.Load()
	if head&moved != 0 || !b.lock(head) {
		return false
	}
	second, other := uint64(0), (*bucket[V])(nil)
	if !growing {
		// Both buckets of a unit move under both locks: if the first has not, neither has the second.
		_, other = t.atBucket(source + 1)
		if second = other.head.Load(); !other.lock(second) {
			b.head.Store(head)
			return false
		}
	}
	next.receive(to, b, head)
	if other != nil {
		next.receive(to, other, second)
	}
	// Emptied too, or the old table would keep values that are removed from the new one.
	b.leave(moved)
	if other != nil {
		other.leave(moved)
	}
	return from.left.Add(-int64(count)) == 0 && t.drop(source)
}

// receive takes a copy of a locked bucket of the table before. Nobody else sees the targets yet.
func (t *table[V]) receive(to *shelf[V], from *bucket[V], head uint64) {
	for rest := ^freeSlots(head) & tops; rest != 0; rest &= rest - 1 {
		slot := first(rest)
		t.receiveEntry(to, from.keys[slot].Load(), from.values[slot].Load())
	}
	if over := from.overflow(head); over != nil {
		for i := range over.keys {
			if value := over.values[i].Load(); value != nil {
				t.receiveEntry(to, over.keys[i].Load(), value)
			}
		}
	}
}

func (t *table[V]) receiveEntry(to *shelf[V], key uint64, value *V) {
	hash := key * spread
	b := &to.buckets[t.bucketOf(hash)&(len(to.buckets)-1)]
	head := b.head.Load()
	if freeSlots(head) != 0 {
		b.head.Store(b.fill(head, hash, key, value))
		return
	}
	larger := to.enough(nil, b.overflow(head), t.seed)
	b.head.Store(b.spillOver(head, larger, key, value))
}
