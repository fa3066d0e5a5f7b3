package memory

import (
	"testing"
	"unsafe"
)

func TestQuarantine(t *testing.T) {
	p := smallPool(t, 4<<20)
	h := p.Owner().OpenSharedHeap()
	q := NewQuarantine(h, 1000)
	blocks := make([]unsafe.Pointer, 12)
	for i := range blocks {
		blocks[i] = noError(h.Allocate(100, 16)) // of 112 bytes
	}
	for i, at := range blocks[:8] {
		must(t, q.Free(at))
		for _, b := range unsafe.Slice((*byte)(at), 112) {
			if b != 0xDB {
				t.Fatalf("block %d: a freed byte is %#x", i, b)
			}
		}
	}
	if q.Bytes() != 8*112 || h.UsedBytes() != 12*112 {
		t.Errorf("%d bytes in quarantine, %d used", q.Bytes(), h.UsedBytes())
	}
	wants(t, q.Free(blocks[3]), ErrDoubleFree, "in quarantine already", "112")
	wants(t, q.Free(unsafe.Add(blocks[8], 1)), ErrForeignFree)

	*(*byte)(unsafe.Add(blocks[0], 111)) = 7
	wants(t, q.Free(blocks[8]), ErrUseAfterFree, "byte 111 is 0x7", "112 bytes") // the oldest leaves
	if q.Bytes() != 8*112 || h.UsedBytes() != 11*112 {
		t.Errorf("%d bytes in quarantine, %d used", q.Bytes(), h.UsedBytes())
	}
	wants(t, q.Free(blocks[0]), ErrDoubleFree, "is free already")
	must(t, q.Free(blocks[9]))

	large := noError(h.Allocate(200<<10, 16))
	must(t, q.Free(large)) // more than there is room for: all leave
	if q.Bytes() != 0 || h.UsedBytes() != 2*112 {
		t.Errorf("%d bytes in quarantine, %d used", q.Bytes(), h.UsedBytes())
	}
	must(t, q.Free(blocks[10]))
	*(*byte)(blocks[10]) = 1
	must(t, q.Free(blocks[11]))
	wants(t, q.Flush(), ErrUseAfterFree, "byte 0 is 0x1")
	must(t, q.Flush())
	must(t, h.Close())
	must(t, p.Verify())
}
