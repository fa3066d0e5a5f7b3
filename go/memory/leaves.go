package memory

import "math/bits"

// leaves is one granule's leaves as the bits of a word, set where a leaf is in use. A chunk of 2^j leaves, j from 0 to 5,
// begins at a multiple of 2^j. Nothing says which chunks are free: they are the largest that fit between the set bits, so
// freed neighbours are one by themselves.
type leaves uint64

// leafSizes is the number of sizes of chunks within a granule: 1, 2, 4, 8, 16, 32 leaves.
const leafSizes = 6

// alignedLeaves has bits at the multiples of 2^j.
var alignedLeaves = [leafSizes]leaves{
	0xffff_ffff_ffff_ffff,
	0x5555_5555_5555_5555,
	0x1111_1111_1111_1111,
	0x0101_0101_0101_0101,
	0x0001_0001_0001_0001,
	0x0000_0001_0000_0001,
}

// run is the bits of so many leaves, 1 to 64, from one on.
func run(at, count int) leaves { return (^leaves(0) >> (64 - count)) << at }

// sizesFree has bit j set if a chunk of exactly 2^j leaves is free, its other half not.
func (use leaves) sizesFree() uint8 {
	sizes := uint8(0)
	fits := ^use
	for j := range leafSizes {
		larger := fits.fitsNext(j)
		if fits.exact(larger, j) != 0 {
			sizes |= 1 << j
		}
		fits = larger
	}
	return sizes
}

// lowest is the lowest free chunk of exactly 2^j leaves, or -1.
func (use leaves) lowest(j int) int {
	fits := ^use
	for i := range j {
		fits = fits.fitsNext(i)
	}
	exact := fits.exact(fits.fitsNext(j), j)
	if exact == 0 {
		return -1
	}
	return bits.TrailingZeros64(uint64(exact))
}

// freeFrom is how many leaves are free from one on.
func (use leaves) freeFrom(at int) int {
	return min(64-at, bits.TrailingZeros64(uint64(use>>at)))
}

// freeBefore is how many leaves are free before one.
func (use leaves) freeBefore(at int) int {
	if at == 0 {
		return 0
	}
	return min(at, bits.LeadingZeros64(uint64(use<<(64-at))))
}

// length is how many leaves the chunk has that begins at one: up to the next chunk, or to a free leaf.
func (use leaves) length(start leaves, at int) int {
	used := min(64-at, bits.TrailingZeros64(uint64(^(use >> at))))
	return min(used, bits.TrailingZeros64(uint64(start>>at&^1)))
}

// fitsNext has the places where 2^(j+1) leaves fit, given those for 2^j; none if that is a whole granule.
func (fits leaves) fitsNext(j int) leaves {
	if j+1 == leafSizes {
		return 0
	}
	return fits & (fits >> (1 << j)) & alignedLeaves[j+1]
}

// exact has those places that are no half of a larger one.
func (fits leaves) exact(larger leaves, j int) leaves {
	return fits &^ (larger | larger<<(1<<j))
}
