package memory

import "math/bits"

// bitset is a bit for each granule, or root.
type bitset []uint64

func newBitset(size int) bitset { return make(bitset, (size+63)/64) }

func (b bitset) has(at int) bool { return b[at/64]&(1<<(at%64)) != 0 }
func (b bitset) set(at int)      { b[at/64] |= 1 << (at % 64) }
func (b bitset) clear(at int)    { b[at/64] &^= 1 << (at % 64) }

// lowest is the lowest bit set from one on, or -1.
func (b bitset) lowest(from int) int {
	for word := from / 64; word < len(b); word++ {
		set := b[word]
		if word == from/64 {
			set &= ^uint64(0) << (from % 64)
		}
		if set != 0 {
			return word*64 + bits.TrailingZeros64(set)
		}
	}
	return -1
}

// highest is the highest bit set, or -1.
func (b bitset) highest() int {
	for word := len(b) - 1; word >= 0; word-- {
		if b[word] != 0 {
			return word*64 + bits.Len64(b[word]) - 1
		}
	}
	return -1
}
