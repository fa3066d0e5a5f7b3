package memory

// freeBlocks is the blocks of an arena that were freed before it is closed: stacks by size, in which the block freed last
// is taken first. Freed neighbours stay apart until joining is due.
type freeBlocks struct {
	exact  [exactSizes]([]place) // of so many times 16 bytes
	larger []place
	bytes  int
	since  int // bytes freed since neighbours were joined
}

// exactSizes: blocks below 1 KiB have a stack for their size. More is memory, less is looking.
const exactSizes = 64

// looks is how many larger blocks are tried.
const looks = 8

// place is a freed block.
type place struct {
	line  *line
	at    int
	bytes int
}

// take hands out a freed block that is large enough, and what it has too much becomes another; nil if none is found soon.
func (f *freeBlocks) take(size, alignment int) *place {
	for units := size / blockBytes; units < exactSizes; units++ {
		if p := popAligned(&f.exact[units], size, alignment, 1); p != nil {
			return f.cut(p, size)
		}
	}
	if p := popAligned(&f.larger, size, alignment, looks); p != nil {
		return f.cut(p, size)
	}
	return nil
}

// popAligned takes one of the last places of a stack that is aligned and large enough.
func popAligned(stack *[]place, size, alignment, looks int) *place {
	s := *stack
	for i := len(s) - 1; i >= max(0, len(s)-looks); i-- {
		p := s[i]
		if p.bytes >= size && (uintptr(p.line.base)+uintptr(p.at))&uintptr(alignment-1) == 0 {
			s[i] = s[len(s)-1]
			*stack = s[:len(s)-1]
			return &p
		}
	}
	return nil
}

func (f *freeBlocks) cut(p *place, size int) *place {
	f.bytes -= p.bytes
	p.line.freed.clear(p.at / blockBytes)
	if p.bytes > size {
		tail := place{p.line, p.at + size, p.bytes - size}
		tail.line.starts.set(tail.at / blockBytes)
		f.put(tail)
		p.bytes = size
	}
	return p
}

// put adds a block whose start is marked.
func (f *freeBlocks) put(p place) {
	p.line.freed.set(p.at / blockBytes)
	f.bytes += p.bytes
	if units := p.bytes / blockBytes; units < exactSizes {
		f.exact[units] = append(f.exact[units], p)
	} else {
		f.larger = append(f.larger, p)
	}
}

// joinDue says whether joining may give a block of so many bytes, and so much was freed since the last time that it costs
// little for each.
func (f *freeBlocks) joinDue(size, taken int) bool {
	return f.bytes >= size && f.since >= taken/8
}

// join makes one of freed neighbours. What is freed at the end of the line that is being filled is cut from again.
func (f *freeBlocks) join(ls *lines) {
	for i := range f.exact {
		f.exact[i] = f.exact[i][:0]
	}
	f.larger = f.larger[:0]
	f.bytes, f.since = 0, 0
	for _, l := range ls.list {
		if l.freed != nil {
			f.joinLine(l, l == ls.filling)
		}
	}
}

func (f *freeBlocks) joinLine(l *line, filling bool) {
	for unit := l.freed.lowest(0); unit >= 0; unit = l.freed.lowest(unit + 1) {
		p := place{l, unit * blockBytes, l.lengthAt(unit * blockBytes)}
		for {
			next := (p.at + p.bytes) / blockBytes
			if p.at+p.bytes >= l.pos || !l.freed.has(next) {
				break
			}
			p.bytes += l.lengthAt(next * blockBytes)
			l.starts.clear(next)
			l.freed.clear(next)
		}
		if filling && p.at+p.bytes == l.pos {
			l.starts.clear(unit)
			l.freed.clear(unit)
			l.dirtyTo = max(l.dirtyTo, l.pos)
			l.pos = p.at
			return
		}
		f.put(p)
	}
}
