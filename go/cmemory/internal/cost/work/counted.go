//go:build linux && cgo && offcut_cmemory

package main

import (
	"bytes"

	"github.com/google/pprof/profile"

	"offcut.dev/go/cmemory"
)

func counted() (exact, estimated int) {
	l, err := cmemory.Live()
	if err != nil {
		panic(err)
	}
	var b bytes.Buffer
	if err := cmemory.WriteProfile(&b); err != nil {
		panic(err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		panic(err)
	}
	for _, s := range p.Sample {
		estimated += int(s.Value[1])
	}
	return int(l.Bytes), estimated
}
