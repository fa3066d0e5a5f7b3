package memory

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Snapshot is what a pool held at one moment; each region was looked at by itself.
//
// Of the pool and of each owner: used ≤ handed out ≤ committed ≤ limit. Committed bytes that are not handed out are pinned
// in an owner's home granules by the chunks beside them, or free and soon given back. Everything is in bytes unless said.
type Snapshot struct {
	// Pool is its name.
	Pool string
	// Limit is the most that may be committed, [math.MaxInt] if there is no limit.
	Limit int
	// Reserved is address space.
	Reserved int
	// Committed is granules that have pages.
	Committed int
	// HandedOut is chunks in use.
	HandedOut int
	// Used is blocks in them: of a line that an arena still fills, what it had when it last grew; of a confined heap, its
	// slabs.
	Used int
	// ForgottenArenas is how many arenas came home that nobody closed.
	ForgottenArenas int
	// Free is free chunks, the largest first; sizes without any are left out.
	Free []FreeChunks
	// Owners is what each owner has without its children; parents before their children.
	Owners []OwnerShare
}

// FreeChunks is free chunks of one size.
type FreeChunks struct {
	// Bytes is the size of each.
	Bytes int
	// Count is how many there are.
	Count int
}

// OwnerShare is what one owner has, in bytes, without its children.
type OwnerShare struct {
	// Owner is its path.
	Owner string
	// Limit is its hard limit, [math.MaxInt] if it has none.
	Limit int
	// Committed is its granules, HandedOut its chunks, Used its blocks.
	Committed, HandedOut, Used int
}

// Pinned is bytes of its granules that are free and yet its own: what its chunks keep beside them.
func (s OwnerShare) Pinned() int { return s.Committed - s.HandedOut }

// LargestFree is the size of the largest free chunk in reserved address space; 0 if there is none.
func (s Snapshot) LargestFree() int {
	if len(s.Free) == 0 {
		return 0
	}
	return s.Free[0].Bytes
}

// String is a table for people.
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

// Snapshot says who holds what.
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

// Map is a picture of the pool. For each region its address and size, then a line for each root with a character for each
// granule: . free, o free with pages, 1 to 9 home of small chunks, by how full, [ and = a large chunk.
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
