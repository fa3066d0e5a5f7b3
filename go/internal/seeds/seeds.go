// Package seeds makes the inputs of fuzz targets for test runs without fuzzing: programs of random bytes, the same in
// each run.
package seeds

import (
	"math/rand/v2"
	"testing"
)

// Add adds n programs of up to most bytes to the seed corpus of f. If a program fails, its number is that of its
// subtest, less the number of seeds that were added before.
func Add(f *testing.F, n, most int) {
	f.Helper()
	for i := range n {
		bytes := rand.NewChaCha8([32]byte{byte(i), byte(i >> 8)})
		program := make([]byte, 1+i*most/n)
		_, _ = bytes.Read(program)
		f.Add(program)
	}
}
