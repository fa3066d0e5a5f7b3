package memory

import "math/bits"

// blockBytes: every block is a multiple of so many bytes, and aligned to it. Smaller needs more bits, larger wastes more.
const blockBytes = 16

// sizeClasses is the sizes of small blocks of a heap: multiples of 16 bytes, four to each doubling, and as large as the
// number of them in a slab allows. A slab is one granule; a block of more than half of it is a chunk of its own.
//
//	class  0   1   2   3   4   5   6    7    8    9   10   11   12  …  35     36      37
//	bytes 16  32  48  64  80  96 112  128  160  192  224  256  320  …  16 KiB 21,840  32 KiB
//
// What may be left over: up to 15 bytes below 128, a fifth of a block up to 2 KiB, a quarter up to 20 KiB, half above.
type sizeClasses struct {
	slabBytes int
	most      int // bytes of the largest small block
	count     int
}

func newSizeClasses(slabBytes int) sizeClasses {
	const merged = 2 // of the last doubling's four, three are half a slab
	return sizeClasses{slabBytes, slabBytes / 2, regularClass(slabBytes/2) - merged + 1}
}

// of is the class of the smallest blocks that hold so many bytes, 1 to most.
func (c *sizeClasses) of(bytes int) int { return min(regularClass(bytes), c.count-1) }

// bytes is what the blocks of a class have.
func (c *sizeClasses) bytes(class int) int {
	least := (class + 1) * blockBytes
	if class >= 4 {
		least = (class&3 + 5) << (class>>2 + 3)
	}
	return c.slabBytes / (c.slabBytes / least) &^ (blockBytes - 1)
}

// regularClass reads a table where that is exact: the instruction that finds the highest bit takes longer than the rest.
func regularClass(bytes int) int {
	top := uint(bytes - 1)
	switch {
	case top>>4 < uint(len(classBy16)):
		return int(classBy16[top>>4])
	case top>>8 < uint(len(classBy256)):
		return int(classBy256[top>>8])
	}
	return classOf(top)
}

// The classes up to 1 KiB begin at multiples of 16 bytes, those up to 32 KiB at multiples of 256.
var (
	classBy16  = classTable([64]uint8{}, 4)
	classBy256 = classTable([128]uint8{}, 8)
)

func classTable[A [64]uint8 | [128]uint8](table A, shift int) A {
	for i := range len(table) {
		table[i] = uint8(classOf(uint(i) << shift))
	}
	return table
}

// classOf is the class of the blocks of one byte more.
func classOf(top uint) int {
	if top < 64 {
		return int(top >> 4)
	}
	doublings := bits.Len(top) - 1
	return (doublings-6)*4 + int(top>>(doublings-2))
}
