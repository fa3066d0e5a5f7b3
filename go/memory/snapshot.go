package memory

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Snapshot shows what a pool held. Each region was read at one moment; different regions at slightly different ones.
//
// For the pool and for each owner: used ≤ handed out ≤ committed ≤ limit. Committed bytes that are not handed out are
// either pinned in an owner's granules by the chunks beside them, or free and soon returned. All figures are in bytes
// unless stated otherwise.
type Snapshot struct {
	// Pool is its name.
	Pool string
	// Limit is the maximum of committed bytes, or [math.MaxInt] if there is no limit.
	Limit int
	// Reserved is the size of the address space.
	Reserved int
	// Committed is the size of the granules that have pages.
	Committed int
	// HandedOut is the size of the chunks in use.
	HandedOut int
	// Used is the size of the blocks in them. For an arena that is still being filled it is the value at its last
	// growth; for a confined heap it is the size of its slabs.
	Used int
	// ForgottenArenas is the number of arenas that a cleanup freed because nobody closed them.
	ForgottenArenas int
	// Free counts the free chunks by size, the largest first, without sizes that have none.
	Free []FreeChunks
	// Owners shows what each owner holds without its children; parents come before their children.
	Owners []OwnerShare
}

// FreeChunks counts the free chunks of one size.
type FreeChunks struct {
	// Bytes is the size of each.
	Bytes int
	// Count is how many there are.
	Count int
}

// OwnerShare shows what one owner holds, in bytes, without its children.
type OwnerShare struct {
	// Owner is its path.
	Owner string
	// Limit is its hard limit, [math.MaxInt] if it has none.
	Limit int
	// Committed is the size of its granules, HandedOut of its chunks, Used of its blocks.
	Committed, HandedOut, Used int
}

// Pinned returns the free bytes in its granules. Its chunks in the same granules keep them from being returned.
func (s OwnerShare) Pinned() int { return s.Committed - s.HandedOut }

// LargestFree returns the size of the largest free chunk in reserved address space, or 0 if there is none.
func (s Snapshot) LargestFree() int {
	if len(s.Free) == 0 {
		return 0
	}
	return s.Free[0].Bytes
}

// String returns a table for people to read.
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

// Snapshot returns which owner holds how much.
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

// Map returns a picture of the pool. For each region it has its address and size, then a line for each root with a
// character for each granule: . free, o free with pages, 1 to 9 home of small chunks, by how full, [ and = a large
// chunk.
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
