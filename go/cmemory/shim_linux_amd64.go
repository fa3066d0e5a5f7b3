//go:build cgo && !asan && !msan

package cmemory

// #cgo LDFLAGS: -lm -ldl
// #include "shim.h"
import "C"

func live() (LiveMemory, error) {
	l := C.offcut_cmemory_live()
	return LiveMemory{uint64(l.bytes), uint64(l.blocks)}, nil
}

func setRate(bytes int) (before int) {
	before = int(C.offcut_cmemory_rate())
	C.offcut_cmemory_set_rate(C.uint64_t(bytes))
	return before
}

func samples() ([]sample, error) {
	var room []C.struct_offcut_sample
	for count := 64; count > len(room); {
		room = make([]C.struct_offcut_sample, count+count/8)
		count = int(C.offcut_cmemory_samples(&room[0], C.uint64_t(len(room))))
		if count <= len(room) {
			room = room[:count]
			break
		}
	}
	all := make([]sample, len(room))
	for i := range room {
		s := &room[i]
		all[i] = sample{bytes: uint64(s.bytes), rate: uint64(s.rate)}
		for _, pc := range s.pcs[:s.c_frames+s.go_frames] {
			all[i].pcs = append(all[i].pcs, uintptr(pc))
		}
	}
	return all, nil
}
