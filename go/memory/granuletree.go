package memory

import (
	"fmt"
	"math/bits"
)

// granuleTree is the free granules of a region, and which of them make up free chunks of a granule or more.
//
// Each root is a binary tree of chunks, numbered as a heap: node 1 is the root, the halves of n are 2n and 2n+1, its other
// half is n^1. One bit a node says that this chunk, whole, is free. Of a chunk and its parts only the largest has the bit,
// and two halves never both have it: they would be one. For each level one bit a root says that the root has a free chunk
// of that level, and one bit a level that any root has.
//
// The region's lock guards it.
type granuleTree struct {
	levels       int
	rootGranules int
	roots        int
	rootWords    int

	free        []uint64
	freeOfLevel []int32
	rootsWith   []bitset
	levelsWith  uint32
}

// newGranuleTree makes one with nothing free.
func newGranuleTree(granuleLevel, roots int) *granuleTree {
	t := &granuleTree{
		levels:       granuleLevel + 1,
		rootGranules: 1 << granuleLevel,
		roots:        roots,
		rootWords:    max(1, (2<<granuleLevel)/64),
	}
	t.free = make([]uint64, t.rootWords*roots)
	t.freeOfLevel = make([]int32, t.levels*roots)
	t.rootsWith = make([]bitset, t.levels)
	for level := range t.rootsWith {
		t.rootsWith[level] = newBitset(roots)
	}
	return t
}

// lowest is the first granule of the lowest free chunk of a level, or of the low end of the lowest larger one of the
// tightest level that has any; -1 if none.
func (t *granuleTree) lowest(level int) int {
	from := t.nearest(level)
	if from < 0 {
		return -1
	}
	root := t.rootsWith[from].lowest(0)
	return t.granule(root, t.lowestNode(root, from), from)
}

// highest is the same from above: of the highest free chunk, or of the high end of a larger one.
func (t *granuleTree) highest(level int) int {
	from := t.nearest(level)
	if from < 0 {
		return -1
	}
	root := t.rootsWith[from].highest()
	return t.granule(root, t.highestNode(root, from)+1, from) - t.rootGranules>>level
}

// take takes the chunk of a level that begins at a granule, if it is free.
func (t *granuleTree) take(granule, level int) bool {
	root := granule / t.rootGranules
	node := t.node(granule, level)
	from := t.freeAbove(root, node, level)
	if from < 0 {
		return false
	}
	t.unmark(root, node>>(level-from), from)
	for at := from + 1; at <= level; at++ {
		t.mark(root, node>>(level-at)^1, at)
	}
	return true
}

// takeRoots takes so many whole roots in a row, the lowest there are: the first granule, or -1.
func (t *granuleTree) takeRoots(count int) int {
	whole := t.rootsWith[0]
	length := 0
	for root := whole.lowest(0); root >= 0 && root < t.roots; root++ {
		if !whole.has(root) {
			length = 0
			if root = whole.lowest(root); root < 0 {
				return -1
			}
		}
		if length++; length == count {
			first := root - count + 1
			for r := first; r <= root; r++ {
				t.unmark(r, 1, 0)
			}
			return first * t.rootGranules
		}
	}
	return -1
}

// put gives granules back, in a row; they become the largest chunks they can be.
func (t *granuleTree) put(granule, count int) {
	for at, end := granule, granule+count; at < end; {
		size := t.rootGranules
		if at != 0 {
			size = min(size, at&-at)
		}
		for size > end-at {
			size >>= 1
		}
		t.putChunk(at, t.levels-1-log2(size))
		at += size
	}
}

func (t *granuleTree) putChunk(granule, level int) {
	root := granule / t.rootGranules
	node := t.node(granule, level)
	for level > 0 && t.isMarked(root, node^1) {
		t.unmark(root, node^1, level)
		node >>= 1
		level--
	}
	t.mark(root, node, level)
}

// isFree says whether a granule is free.
func (t *granuleTree) isFree(granule int) bool {
	return t.freeAbove(granule/t.rootGranules, t.node(granule, t.levels-1), t.levels-1) >= 0
}

// freeAt is how many granules the free chunk has that begins at one; 0 if none does.
func (t *granuleTree) freeAt(granule int) int {
	root := granule / t.rootGranules
	for level := range t.levels {
		count := t.rootGranules >> level
		if granule%count == 0 && t.isMarked(root, t.node(granule, level)) {
			return count
		}
	}
	return 0
}

// verify says what is wrong: two free halves, a free part of something free, or a wrong count.
func (t *granuleTree) verify() error {
	counts := make([]int32, len(t.freeOfLevel))
	for root := range t.roots {
		for node := 1; node < 2*t.rootGranules; node++ {
			if !t.isMarked(root, node) {
				continue
			}
			level := log2(node)
			counts[root*t.levels+level]++
			switch {
			case level > 0 && t.isMarked(root, node^1):
				return fmt.Errorf("root %d, node %d: its other half is free, too", root, node)
			case level > 0 && t.freeAbove(root, node>>1, level-1) >= 0:
				return fmt.Errorf("root %d, node %d: what it is a part of is free, too", root, node)
			}
		}
	}
	return t.verifySummaries(counts)
}

func (t *granuleTree) verifySummaries(counts []int32) error {
	for level := range t.levels {
		for root := range t.roots {
			count := counts[root*t.levels+level]
			if count != t.freeOfLevel[root*t.levels+level] {
				return fmt.Errorf("root %d has %d free chunks of level %d, counted %d",
					root, count, level, t.freeOfLevel[root*t.levels+level])
			}
			if t.rootsWith[level].has(root) != (count != 0) {
				return fmt.Errorf("root %d: the summary of level %d is wrong", root, level)
			}
		}
		if (t.rootsWith[level].lowest(0) >= 0) != (t.levelsWith&(1<<level) != 0) {
			return fmt.Errorf("the summary of levels is wrong about level %d", level)
		}
	}
	return nil
}

// nearest is the deepest level up to this one with something free, or -1: the tightest fit.
func (t *granuleTree) nearest(level int) int {
	return bits.Len32(t.levelsWith&(2<<level-1)) - 1
}

// freeAbove is the level of the free chunk that is a node or holds it, or -1.
func (t *granuleTree) freeAbove(root, node, level int) int {
	for ; level >= 0; level-- {
		if t.isMarked(root, node) {
			return level
		}
		node >>= 1
	}
	return -1
}

// lowestNode is the first marked node of a level; the summary says that there is one.
func (t *granuleTree) lowestNode(root, level int) int {
	for node := 1 << level; ; node++ {
		word := t.free[root*t.rootWords+node/64] >> (node % 64)
		if word == 0 {
			node |= 63
			continue
		}
		return node + bits.TrailingZeros64(word)
	}
}

// highestNode is the last marked node of a level; the summary says that there is one.
func (t *granuleTree) highestNode(root, level int) int {
	for node := 2<<level - 1; ; node-- {
		word := t.free[root*t.rootWords+node/64] << (63 - node%64)
		if word == 0 {
			node &^= 63
			continue
		}
		return node - bits.LeadingZeros64(word)
	}
}

func (t *granuleTree) node(granule, level int) int {
	return (t.rootGranules + granule%t.rootGranules) >> (t.levels - 1 - level)
}

func (t *granuleTree) granule(root, node, level int) int {
	return root*t.rootGranules + node<<(t.levels-1-level) - t.rootGranules
}

func (t *granuleTree) isMarked(root, node int) bool {
	return t.free[root*t.rootWords+node/64]&(1<<(node%64)) != 0
}

func (t *granuleTree) mark(root, node, level int) {
	t.free[root*t.rootWords+node/64] |= 1 << (node % 64)
	count := &t.freeOfLevel[root*t.levels+level]
	if *count++; *count == 1 {
		t.rootsWith[level].set(root)
		t.levelsWith |= 1 << level
	}
}

func (t *granuleTree) unmark(root, node, level int) {
	t.free[root*t.rootWords+node/64] &^= 1 << (node % 64)
	count := &t.freeOfLevel[root*t.levels+level]
	if *count--; *count == 0 {
		t.rootsWith[level].clear(root)
		if t.rootsWith[level].lowest(0) < 0 {
			t.levelsWith &^= 1 << level
		}
	}
}
