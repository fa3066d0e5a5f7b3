package memory

import (
	"fmt"
	"math/bits"
)

// granuleLeaves is the number of leaves in a granule: the bits of a word, so that one word of a map is about one granule.
const granuleLeaves = 64

// mostRootGranules bounds the tree of one root.
const mostRootGranules = 1 << 10

// geometry is the sizes of chunks: powers of two from a leaf to a root, each half of the one before.
//
//	level 0             root, 4 MiB
//	…
//	granuleLevel (6)    granule, 64 KiB: 64 leaves
//	…
//	leafLevel (12)      leaf, 1 KiB: the smallest chunk
type geometry struct {
	rootBytes    int
	leafBytes    int
	granuleBytes int
	rootGranules int
	granuleLevel int
	leafLevel    int
	leafShift    int
}

func newGeometry(rootBytes, leafBytes int) (geometry, error) {
	switch {
	case bits.OnesCount(uint(rootBytes)) != 1 || bits.OnesCount(uint(leafBytes)) != 1:
		return geometry{}, fmt.Errorf("%w: a largest chunk of %d bytes and a smallest chunk of %d bytes: both must be powers of two", ErrSize, rootBytes, leafBytes)
	case leafBytes < 256 || leafBytes > 64<<10:
		return geometry{}, fmt.Errorf("%w: a smallest chunk of %d bytes: give 256 B to 64 KiB", ErrSize, leafBytes)
	}
	rootGranules := rootBytes / granuleLeaves / leafBytes
	if rootGranules < 1 || rootGranules > mostRootGranules {
		return geometry{}, fmt.Errorf("%w: a largest chunk of %d bytes: give 64 to 65536 times the smallest chunk, which has %d bytes",
			ErrSize, rootBytes, leafBytes)
	}
	granuleLevel := log2(rootGranules)
	return geometry{
		rootBytes:    rootBytes,
		leafBytes:    leafBytes,
		granuleBytes: leafBytes * granuleLeaves,
		rootGranules: rootGranules,
		granuleLevel: granuleLevel,
		leafLevel:    granuleLevel + log2(granuleLeaves),
		leafShift:    log2(leafBytes),
	}, nil
}

// bytes is the size of a chunk at a level.
func (g *geometry) bytes(level int) int { return g.rootBytes >> level }

// level is that of the smallest chunk that holds so many bytes, at most a root.
func (g *geometry) level(bytes int) int {
	if bytes <= g.leafBytes {
		return g.leafLevel
	}
	return log2(g.rootBytes) - bits.Len(uint(bytes-1))
}

// leaves is how many of them hold so many bytes.
func (g *geometry) leaves(bytes int) int { return (bytes + g.leafBytes - 1) >> g.leafShift }

// granules is how many of them hold so many bytes.
func (g *geometry) granules(bytes int) int { return (bytes + g.granuleBytes - 1) / g.granuleBytes }

// log2 of a positive number, rounded down.
func log2(positive int) int { return bits.Len(uint(positive)) - 1 }

// ceilingPowerOfTwo is the smallest power of two that is not less than a positive number.
func ceilingPowerOfTwo(positive int) int { return 1 << bits.Len(uint(positive-1)) }

// isPowerOfTwo says so of positive numbers; zero and less are none.
func isPowerOfTwo(n int) bool { return n > 0 && n&(n-1) == 0 }
