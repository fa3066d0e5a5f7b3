package memory

// granuleHeap is granule numbers, the lowest first; one may be in it twice. The region's lock guards it.
type granuleHeap []int32

func (h granuleHeap) lowest() (granule int, ok bool) {
	if len(h) == 0 {
		return 0, false
	}
	return int(h[0]), true
}

func (h *granuleHeap) add(granule int) {
	*h = append(*h, 0)
	heap := *h
	at := len(heap) - 1
	for at > 0 && heap[(at-1)/2] > int32(granule) {
		heap[at] = heap[(at-1)/2]
		at = (at - 1) / 2
	}
	heap[at] = int32(granule)
}

func (h *granuleHeap) removeLowest() {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	heap := *h
	if len(heap) == 0 {
		return
	}
	at := 0
	for {
		child := 2*at + 1
		if child+1 < len(heap) && heap[child+1] < heap[child] {
			child++
		}
		if child >= len(heap) || heap[child] >= last {
			break
		}
		heap[at] = heap[child]
		at = child
	}
	heap[at] = last
}
