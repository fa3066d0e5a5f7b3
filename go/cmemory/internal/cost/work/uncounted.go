//go:build linux && cgo && !offcut_cmemory

package main

func counted() (exact, estimated int) { return 0, 0 }
