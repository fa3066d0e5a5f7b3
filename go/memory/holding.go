package memory

// holding is what one owner holds of one region: its home granules, from which its small chunks come, and counts. The
// region's lock guards it.
//
// Small chunks of an owner come from granules that it has already, so that a survivor does not keep a granule that the dead
// of others left.
type holding struct {
	owner  *Owner
	region *region

	// id is its number in the region, from 1 on.
	id int32

	// granulesWith has for each size of small chunk the granules that have one of exactly this size, free.
	granulesWith [leafSizes]granuleHeap

	// granules are the owner's, those of large chunks too.
	granules int

	// chunks is how many were handed out. Without it, a chunk that falls into two by mistake would look like two.
	chunks int

	// handedOutBytes is what its chunks have.
	handedOutBytes int

	// usedBytes is what the blocks in these chunks have, as far as their arenas have said.
	usedBytes int
}
