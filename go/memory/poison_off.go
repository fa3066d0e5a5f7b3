//go:build !offcut_poison

package memory

import "unsafe"

const poisoning = false

// poison does nothing in this build; with the tag offcut_poison it overwrites what was given back.
func poison(unsafe.Pointer, int) {}
