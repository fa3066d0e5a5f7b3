//go:build linux && cgo

// Command show allocates a block of C memory and writes the profile to the file that it is told. Tests run it, because go
// test builds without the names of C functions.
package main

import (
	"errors"
	"log"
	"os"

	"offcut.dev/go/cmemory"
	"offcut.dev/go/cmemory/internal/load"
)

func main() {
	blocks := outer()
	file, err := os.Create(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(cmemory.WriteProfile(file), file.Close()); err != nil {
		log.Fatal(err)
	}
	blocks.Free()
}

//go:noinline
func outer() load.Blocks { return inlined() }

func inlined() load.Blocks {
	return load.Fill(1, 64<<20)
}
