// Command cstrings is the smallest program on handles. Its strings are allocated by malloc, and freed once: by the
// program, or by the safety net.
//
//	go run ./examples/cstrings
package main

import (
	"errors"
	"fmt"
	"os"
	"time"
	"unsafe"

	"offcut.dev/go/handle"
)

/*
#include <stdlib.h>
#include <string.h>
*/
import "C"

var strings = handle.NewTypeOf(func(s *C.char) { C.free(unsafe.Pointer(s)) }, handle.Options{Name: "cstring", Bytes: 64})

// String is a copy of a Go string in C's memory.
type String struct{ handle *handle.Of[*C.char] }

// Allocate copies s into C's memory.
func Allocate(s string) String {
	return String{strings.Open(C.CString(s))}
}

// Free frees the memory. A second call returns [handle.ErrClosed].
func (s String) Free() error { return s.handle.Close() }

// Len returns the length of the string, in bytes; it calls C's strlen.
func (s String) Len() (n int, err error) {
	err = s.handle.With(func(s *C.char) { n = int(C.strlen(s)) })
	return n, err
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	s := Allocate("hello")
	n, err := s.Len()
	if err != nil {
		return err
	}
	fmt.Println("strlen:", n)
	if err := s.Free(); err != nil {
		return err
	}
	if err := s.Free(); !errors.Is(err, handle.ErrClosed) {
		return fmt.Errorf("the second Free: %w", err)
	}
	if _, err := s.Len(); !errors.Is(err, handle.ErrClosed) {
		return fmt.Errorf("the use after Free: %w", err)
	}
	fmt.Println("freed twice and used after: refused")

	const forgotten = 1000
	for range forgotten {
		Allocate("nobody frees this")
	}
	if !handle.Drain(time.Minute) {
		return errors.New("the net was not at rest within a minute")
	}
	stats := handle.Stats().Of(strings.Name())
	fmt.Printf("opened %d, closed %d, forgotten and freed by the net %d\n", stats.Opened, stats.Closed, stats.Forgotten)
	if stats.Forgotten < forgotten-1 { // the last may still stand in a register
		return fmt.Errorf("only %d of %d were found", stats.Forgotten, forgotten)
	}
	fmt.Print(handle.Stats().LeakReport())
	return nil
}
