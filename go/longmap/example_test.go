package longmap_test

import (
	"fmt"

	"offcut.dev/go/longmap"
)

type site struct {
	name  string
	bytes int
}

func Example() {
	var allocations longmap.Map[site] // by address
	allocations.Put(0x7f12_3456_7890, &site{"cache", 64})
	if s := allocations.Get(0x7f12_3456_7890); s != nil {
		fmt.Println(s.name, s.bytes)
	}
	allocations.Remove(0x7f12_3456_7890)
	fmt.Println(allocations.Size())
	// Output:
	// cache 64
	// 0
}

func ExampleMap_Merge() {
	var counts longmap.Map[int]
	one := 1
	for _, id := range []uint64{7, 7, 9} {
		counts.Merge(id, &one, func(present, value *int) *int {
			sum := *present + *value // a new value: others may read the present one
			return &sum
		})
	}
	fmt.Println(*counts.Get(7), *counts.Get(9))
	// Output: 2 1
}

func ExampleMap_All() {
	var m longmap.Map[string]
	name := "only"
	m.Put(42, &name)
	for key, value := range m.All() {
		fmt.Println(key, *value)
	}
	// Output: 42 only
}
