package memory

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"offcut.dev/go/internal/tables"
)

func told(all *publishedPools) string {
	var l tables.Look
	all.look(&l)
	var text strings.Builder
	for _, row := range l.Rows {
		name, _, _ := strings.Cut(row.Schema, "\n")
		fmt.Fprintln(&text, name, row.Values)
		if strings.Count(row.Schema, "\n") != len(row.Values) {
			fmt.Fprintln(&text, "not as in", row.Schema)
		}
	}
	return text.String()
}

func TestPublished_pools_untilTheyAreClosed(t *testing.T) {
	all := &publishedPools{isRead: true}
	p := noError(NewPool(Config{Name: "told", Limit: 1 << 20}))
	all.add(p)
	heap := p.Owner().OpenHeap()
	at := noError(heap.Allocate(1000, 16))
	text := told(all)
	for _, expected := range []string{"offcut.PoolStatistics [0 told 1048576 67108864 ", "offcut.OwnerStatistics [0 told told "} {
		if !strings.Contains(text, expected) {
			t.Errorf("no %q in %s", expected, text)
		}
	}
	must(t, heap.Free(at))
	must(t, heap.Close())
	must(t, p.Close())
	all.remove(p)
	if text := told(all); text != "" {
		t.Error(text)
	}
}

// TestPublished_poolThatIsDropped_isLost: nobody can close it any more, so its memory stays. What it took after the last
// look counts, too.
func TestPublished_poolThatIsDropped_isLost(t *testing.T) {
	all := &publishedPools{isRead: true}
	drop := func() {
		p := noError(NewPool(Config{Name: "dropped", LargestChunk: 64 << 10}))
		all.add(p)
		if text := told(all); !strings.Contains(text, "PoolStatistics [0 dropped ") {
			t.Error(text)
		}
		noError(p.Owner().AllocateChunk(64 << 10))
	}
	drop()
	deadline := time.Now().Add(time.Minute)
	for !strings.Contains(told(all), "offcut.LostPool [dropped 65536]") {
		if time.Now().After(deadline) {
			t.Fatal(told(all))
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

func TestPublished_poolWithoutMemory_isNotLost(t *testing.T) {
	all := &publishedPools{isRead: true}
	drop := func() { all.add(noError(NewPool(Config{Name: "unused"}))) }
	drop()
	for deadline := time.Now().Add(time.Minute); told(all) != ""; runtime.GC() {
		if time.Now().After(deadline) {
			t.Fatal(told(all))
		}
	}
}

func TestPublished_ownersOfOneName_haveOneRow(t *testing.T) {
	all := &publishedPools{isRead: true}
	p := noError(NewPool(Config{Name: "told", LargestChunk: 64 << 10}))
	all.add(p)
	first := noError(p.Owner().Child(OwnerConfig{Name: "request", HardLimit: 1 << 20}))
	noError(p.Owner().Child(OwnerConfig{Name: "request", HardLimit: 2 << 20}))
	chunk := noError(first.AllocateChunk(64 << 10))
	text := told(all)
	if strings.Count(text, "told request") != 1 || !strings.Contains(text, "told request 3145728 65536 65536 ") {
		t.Error(text)
	}
	must(t, p.FreeChunk(chunk))
	noError(p.Owner().Child(OwnerConfig{Name: "request"})) // without a limit
	if text := told(all); !strings.Contains(text, fmt.Sprint("told request ", math.MaxInt, " 0 0 ")) {
		t.Error(text)
	}
	must(t, p.Close())
}

func TestPublished_withoutAReader_keepsNothing(t *testing.T) {
	var all publishedPools
	p := noError(NewPool(Config{Name: "untold"}))
	all.add(p)
	all.remove(p)
	if len(all.pools) != 0 || published.isRead {
		t.Errorf("%d pools", len(all.pools))
	}
	must(t, p.Close())
}
