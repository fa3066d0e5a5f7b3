package memory

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Snapshot has the memory of a pool and of its owners. Regions are read one after the other, so the figures are exact
// only if no other goroutine uses the pool.
//
// For the pool and for each owner, used ≤ handed out ≤ committed ≤ limit. Committed bytes that are not handed out are
// of two kinds. The pinned ones are in granules where the owner has chunks in use. The others are in free granules,
// which the pool soon returns to the system. All figures are in bytes unless stated otherwise.
type Snapshot struct {
	// Pool is the name of the pool.
	Pool string
	// Limit is the limit of committed bytes; [math.MaxInt] if there is none.
	Limit int
	// Reserved is the size of the reserved address space.
	Reserved int
	// Committed is the size of the granules that have memory.
	Committed int
	// HandedOut is the size of the chunks in use.
	HandedOut int
	// Used is the size of the blocks in these chunks. An arena that is being filled counts with its value at its last
	// growth; a confined heap counts with the size of its slabs.
	Used int
	// ForgottenArenas is the number of arenas that the program forgot and a cleanup freed.
	ForgottenArenas int
	// Free has the free chunks by size, the largest first. Sizes without free chunks are left out.
	Free []FreeChunks
	// Owners has the memory of each owner without its children; parents come before their children.
	Owners []OwnerShare
}

// FreeChunks is the number of free chunks of one size.
type FreeChunks struct {
	// Bytes is the size of each chunk.
	Bytes int
	// Count is how many there are.
	Count int
}

// OwnerShare has the memory of one owner, in bytes, without its children.
type OwnerShare struct {
	// Owner is the path of the owner.
	Owner string
	// Limit is its hard limit; [math.MaxInt] if there is none.
	Limit int
	// Committed is the size of its granules, HandedOut of its chunks, and Used of its blocks.
	Committed, HandedOut, Used int
}

// Pinned returns the free bytes in the owner's granules that are in use. Only [Pool.Trim] returns them to the system,
// and only whole pages.
func (s OwnerShare) Pinned() int { return s.Committed - s.HandedOut }

// LargestFree returns the size of the largest free chunk in the reserved address space; 0 if there is none.
func (s Snapshot) LargestFree() int {
	if len(s.Free) == 0 {
		return 0
	}
	return s.Free[0].Bytes
}

// String returns the figures as a table for people.
func (s Snapshot) String() string {
	var table strings.Builder
	// A strings.Builder takes everything: nothing that is written here fails.
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(owner string, used, handedOut, committed, pinned, limit int) {
		text := "none"
		if limit != math.MaxInt {
			text = strconv.Itoa(limit)
		}
		_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%s\t\n", owner, used, handedOut, committed, pinned, text)
	}
	_, _ = fmt.Fprint(w, "owner\tused\thanded out\tcommitted\tpinned\tlimit\t\n")
	pinned := 0
	for _, o := range s.Owners {
		line(o.Owner, o.Used, o.HandedOut, o.Committed, o.Pinned(), o.Limit)
		pinned += o.Pinned()
	}
	line("pool "+s.Pool, s.Used, s.HandedOut, s.Committed, pinned, s.Limit)
	_ = w.Flush()
	table.WriteString("free chunks:")
	for i, f := range s.Free {
		if i > 0 {
			table.WriteByte(',')
		}
		fmt.Fprintf(&table, " %d of %d B", f.Count, f.Bytes)
	}
	if len(s.Free) == 0 {
		table.WriteString(" none")
	}
	return table.String()
}

// Snapshot returns the memory of the pool and of each owner, and the free chunks.
func (p *Pool) Snapshot() Snapshot {
	s := Snapshot{Pool: p.name, Limit: p.commitment.limit, ForgottenArenas: int(p.forgotten.Load())}
	owners := p.root.all()
	shares := make(map[*Owner]*OwnerShare, len(owners))
	s.Owners = make([]OwnerShare, len(owners))
	for i, o := range owners {
		s.Owners[i] = OwnerShare{Owner: o.Path(), Limit: math.MaxInt}
		if o.hardLimit < math.MaxInt {
			s.Owners[i].Limit = int(o.hardLimit)
		}
		for _, h := range o.openHeaps() {
			s.Owners[i].Used += h.shownBytes()
		}
		shares[o] = &s.Owners[i]
	}
	counts := make([]int, p.geometry.leafLevel+1)
	for _, r := range p.regions.all() {
		r.count(&s, shares, counts)
	}
	for level, count := range counts {
		if count > 0 {
			s.Free = append(s.Free, FreeChunks{p.geometry.bytes(level), count})
		}
	}
	for _, o := range s.Owners {
		s.HandedOut += o.HandedOut
		s.Used += o.Used
	}
	return s
}

// count adds what is in a region. An owner made since the list was taken is left out, with what it holds.
func (r *region) count(s *Snapshot, shares map[*Owner]*OwnerShare, free []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.Reserved += r.bytes
	s.Committed += r.committedGranules * r.geometry.granuleBytes
	r.freeChunks(func(_, bytes int) { free[r.geometry.level(bytes)]++ })
	for _, h := range r.holdings {
		if share := shares[h.owner]; share != nil {
			share.Committed += h.granules * r.geometry.granuleBytes
			share.HandedOut += h.handedOutBytes
			share.Used += h.usedBytes
		}
	}
}

// Map draws the pool. Each region has a line with its address and size, and then a line for each root, with one
// character for each granule:
//
//	.  free, reserved only     1 … 9  small chunks, by how full the granule is
//	o  free, committed         [ =    the first granule of a large chunk, and its others
func (p *Pool) Map() string {
	var b strings.Builder
	for _, r := range p.regions.all() {
		fmt.Fprintf(&b, "%p, %d KiB\n", r.base, r.bytes>>10)
		r.mu.Lock()
		r.drawMap(&b)
		r.mu.Unlock()
	}
	return b.String()
}
