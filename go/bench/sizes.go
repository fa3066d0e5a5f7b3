package main

import (
	"fmt"
	"runtime"
	"unsafe"

	"offcut.dev/go/handle"
)

// The article's table: objects of several sizes with one pointer inside, each with a net, all forgotten.

var _ = addSizes[[1]unsafe.Pointer]()
var _ = addSizes[[2]unsafe.Pointer]()
var _ = addSizes[sized32]()
var _ = addSizes[sized64]()
var _ = addSizes[sized128]()
var _ = addSizes[sized256]()
var _ = addSizes[sized512]()
var _ = addSizes[sized1024]()
var _ = addSizes[sized2048]()
var _ = addSizes[sized4096]()

type (
	sized32 struct {
		_ *byte
		_ [32 - 8]byte
	}
	sized64 struct {
		_ *byte
		_ [64 - 8]byte
	}
	sized128 struct {
		_ *byte
		_ [128 - 8]byte
	}
	sized256 struct {
		_ *byte
		_ [256 - 8]byte
	}
	sized512 struct {
		_ *byte
		_ [512 - 8]byte
	}
	sized1024 struct {
		_ *byte
		_ [1024 - 8]byte
	}
	sized2048 struct {
		_ *byte
		_ [2048 - 8]byte
	}
	sized4096 struct {
		_ *byte
		_ [4096 - 8]byte
	}
)

// Keep makes an object of any type escape. Nothing reads it; it is exported, so no check calls it unused.
var Keep any

func addSizes[T any]() struct{} {
	size := int(unsafe.Sizeof(*new(T)))
	n := 200_000
	if size >= 1024 {
		n = 100_000
	}
	return add(Case{
		Name:    fmt.Sprintf("per_size_%d", size),
		Summary: fmt.Sprintf("an object of %d bytes with a net, forgotten, until the net has found all; alloc has none", size),
		Order:   5, N: n, Quick: n / 4,
		Impls: []Impl{
			{Name: "alloc", Run: func(b *B) error {
				b.Time(func() {
					for range b.N {
						Keep = new(T)
					}
				})
				return nil
			}},
			{Name: "setfinalizer", Run: func(b *B) error {
				return forgotten(b, func() {
					for range b.N {
						runtime.SetFinalizer(new(T), func(*T) { freed.Add(1) })
					}
				})
			}},
			{Name: "addcleanup", Run: func(b *B) error {
				return forgotten(b, func() {
					for range b.N {
						runtime.AddCleanup(new(T), countOnly, address())
					}
				})
			}},
			{Name: "offcut-handle", Version: offcutVersion, Run: func(b *B) error {
				typ := handle.NewType(handle.Options{Name: "sized", Release: countOnly})
				return forgotten(b, func() {
					for range b.N {
						Keep = new(T)
						typ.Open(address())
					}
				})
			}},
			{Name: "offcut-pool", Version: offcutVersion, Run: func(b *B) error {
				pool := handle.NewPool(handle.Options{Name: "sized", Release: countOnly})
				return forgotten(b, func() {
					owner := pool.NewOwner()
					for range b.N {
						Keep = new(T)
						owner.Open(address())
					}
					_ = owner.Close()
				})
			}},
		},
	})
}
