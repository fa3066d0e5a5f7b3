package longmap

import "math/bits"

// Parts of a bucket's header.
const (
	slots = 7

	ones   = 0x1111111 // the lowest bit of each tag
	tops   = 8 * ones  // the highest
	oneTag = 0xf
	tags   = oneTag * ones

	locked   = uint64(1) << 28
	overflow = uint64(1) << 29
	moved    = uint64(1) << 30
	version  = uint64(1) << 31
)

// spread is what a key is multiplied with. Odd, so that no two keys have the same hash; the same as in Java, where it was
// picked as the one that spreads keys at regular distances best over tables of every size.
const spread = 0x15B5012A7F1EB6C3

// tagOf is the tag of a hash, from bits that choose no bucket of a table of any size. Never 0.
func tagOf(hash uint64) uint64 { return 1 + (hash&0xffffffff)*15>>32 }

// matches has the top bits of the tags in the header that are this one: exactly these, without a branch.
func matches(head, tag uint64) uint64 {
	other := head ^ tag*ones
	return ^((other&(7*ones) + 7*ones) | other) & tops
}

// freeSlots has the top bits of the tags of free slots.
func freeSlots(head uint64) uint64 { return matches(head, 0) }

// first is the slot of the lowest of these top bits, of which there is one.
func first(tops uint64) int { return bits.TrailingZeros64(tops) >> 2 }

// takenSlots is how many slots hold an entry.
func takenSlots(head uint64) int { return slots - bits.OnesCount64(freeSlots(head)) }
