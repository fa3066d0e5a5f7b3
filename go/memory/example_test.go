package memory_test

import (
	"errors"
	"fmt"
	"log"

	"offcut.dev/go/memory"
)

func Example() {
	pool, err := memory.NewPool(memory.Config{Name: "example", Limit: 1 << 20})
	if err != nil {
		log.Fatal(err)
	}
	arena := pool.Owner().OpenArena()
	numbers, err := memory.MakeSlice[int64](arena, 3, 3)
	if err != nil {
		log.Fatal(err)
	}
	numbers[1] = 42
	fmt.Println(numbers)
	fmt.Println(arena.Close(), pool.Close())
	// Output:
	// [0 42 0]
	// <nil> <nil>
}

func ExampleNew() {
	pool, err := memory.NewPool(memory.Config{Name: "example"})
	if err != nil {
		log.Fatal(err)
	}
	arena := pool.Owner().OpenArena()
	type entry struct {
		key   uint64
		value [8]byte
	}
	e, err := memory.New[entry](arena)
	fmt.Println(e.key, e.value[0], err)
	_, err = memory.New[struct{ name string }](arena)
	fmt.Println(err)
	fmt.Println(arena.Close(), pool.Close())
	// Output:
	// 0 0 <nil>
	// type holds Go pointers: struct { name string }.name is of type string, which the collector would not see in native memory
	// <nil> <nil>
}

func ExampleHeap_AllocateBlock() {
	pool, err := memory.NewPool(memory.Config{Name: "example"})
	if err != nil {
		log.Fatal(err)
	}
	heap := pool.Owner().OpenHeap()
	block, err := heap.AllocateBlock(64)
	if err != nil {
		log.Fatal(err)
	}
	view, err := block.Bytes()
	fmt.Println(len(view), err)
	fmt.Println(block.Free())
	_, err = block.Bytes()
	fmt.Println(errors.Is(err, memory.ErrUseAfterFree), errors.Is(block.Free(), memory.ErrDoubleFree))
	fmt.Println(heap.Close(), pool.Close())
	// Output:
	// 64 <nil>
	// <nil>
	// true true
	// <nil> <nil>
}

func ExampleOwner_Child() {
	pool, err := memory.NewPool(memory.Config{Name: "example"})
	if err != nil {
		log.Fatal(err)
	}
	cache, err := pool.Owner().Child(memory.OwnerConfig{Name: "cache", HardLimit: 64 << 10})
	if err != nil {
		log.Fatal(err)
	}
	chunk, err := cache.AllocateChunk(64 << 10)
	if err != nil {
		log.Fatal(err)
	}
	_, err = cache.AllocateChunk(1)
	var limit *memory.LimitError
	if errors.As(err, &limit) {
		fmt.Println(limit.LimitedBy, limit.Limit)
	}
	fmt.Println(pool.FreeChunk(chunk), pool.Close())
	// Output:
	// cache 65536
	// <nil> <nil>
}

func ExampleSnapshot() {
	pool, err := memory.NewPool(memory.Config{Name: "example", LargestChunk: 64 << 10, Reserve: 128 << 10})
	if err != nil {
		log.Fatal(err)
	}
	chunk, err := pool.Owner().AllocateChunk(60_000)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pool.Snapshot())
	fmt.Println(pool.FreeChunk(chunk), pool.Close())
	// Output:
	//        owner  used  handed out  committed  pinned  limit
	//        example     0       65536      65536       0   none
	//   pool example     0       65536      65536       0   none
	// free chunks: 1 of 65536 B
	// <nil> <nil>
}
