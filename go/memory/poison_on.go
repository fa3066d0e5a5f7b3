//go:build offcut_poison

package memory

import "unsafe"

const poisoning = true

// poison overwrites what was given back. The caller still has it to itself.
func poison(p unsafe.Pointer, bytes int) {
	freed := unsafe.Slice((*byte)(p), bytes)
	for i := range freed {
		freed[i] = poisonByte
	}
}
