// Program is what test/go-run.sh runs under `offcut run`: it holds and forgets handles, holds memory, and ends as it is
// told: end, limit, return, exit, panic or kill.
package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"offcut.dev/go/handle"
	"offcut.dev/go/memory"
	"offcut.dev/go/report"
)

const (
	kept      = 500
	forgotten = 1000
	blocks    = 4000
	blockSize = 8 << 10
	objects   = 64 << 20
)

var (
	images    = handle.NewTypeOf(func(unsafe.Pointer) {}, handle.Options{Name: "image"})
	resources [forgotten]byte
)

//go:noinline
func load(i int) *handle.Of[unsafe.Pointer] { return images.Open(unsafe.Pointer(&resources[i])) }

// loadSlow forgets one whose release takes longer than the search for it may.
//
//go:noinline
func loadSlow() {
	slow := handle.NewTypeOf(func(unsafe.Pointer) { time.Sleep(time.Minute) }, handle.Options{Name: "slow image"})
	slow.Open(unsafe.Pointer(&resources[0]))
}

func forget() {
	for i := range forgotten {
		load(i)
	}
}

func fill(b []byte) {
	for i := range b {
		b[i] = 1
	}
}

func main() {
	pool, err := memory.NewPool(memory.Config{Name: "cache"})
	if err != nil {
		panic(err)
	}
	heap := pool.Owner().OpenHeap()
	for range blocks {
		p, err := heap.Allocate(blockSize, 16)
		if err != nil {
			panic(err)
		}
		fill(unsafe.Slice((*byte)(p), blockSize))
	}
	var open []*handle.Of[unsafe.Pointer]
	for i := range kept {
		open = append(open, load(i))
	}
	forget()
	data := make([]byte, objects)
	fill(data)
	report.Publish()
	time.Sleep(2500 * time.Millisecond) // the command looks a second after the program began
	fmt.Println("on stdout")
	switch os.Args[1] {
	case "end":
		report.End(time.Minute)
	case "limit":
		loadSlow()
		report.End(time.Second / 10)
	case "exit":
		os.Exit(3)
	case "panic":
		panic("as told")
	case "kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	runtime.KeepAlive(open)
	runtime.KeepAlive(data)
	runtime.KeepAlive(heap)
}
