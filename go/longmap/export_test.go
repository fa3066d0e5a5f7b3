package longmap

// NewEager makes a map that starts with one bucket and heeds every cause to resize.
func NewEager[V any]() *Map[V] { return &Map[V]{eager: true} }

// Spread is what a key is multiplied with.
const Spread = spread

// Buckets is how many the table has.
func (m *Map[V]) Buckets() int {
	t := m.table.Load()
	if t == nil {
		return 0
	}
	return 1 << t.bits
}

// Check says what does not hold while nobody writes.
func (m *Map[V]) Check() string {
	t := m.table.Load()
	if t == nil {
		return ""
	}
	for c := m.cursor(); c.next(); {
		for i, key := range c.keys {
			if c.values[i] == nil {
				return "an entry without a value"
			}
			if m.Get(key) != c.values[i] {
				return "an entry that is not found"
			}
		}
	}
	for ; t != nil; t = t.next.Load() {
		for i := range t.shelves {
			s := t.shelves[i].Load()
			if s == nil {
				continue
			}
			for j := range s.buckets {
				if what := s.buckets[j].check(); what != "" {
					return what
				}
			}
		}
	}
	return ""
}

func (b *bucket[V]) check() string {
	head := b.head.Load()
	over := b.spill.Load()
	if head&locked != 0 {
		return "a bucket that is locked"
	}
	if (over != nil) != (head&overflow != 0) {
		return "an overflow that nobody finds, or none"
	}
	for slot := range b.values {
		free := head>>(4*slot)&oneTag == 0
		if free != (b.values[slot].Load() == nil) {
			return "a value in a free slot, or none in a taken one"
		}
	}
	if over != nil && over.count.Load() == 0 {
		return "an empty overflow"
	}
	return ""
}
