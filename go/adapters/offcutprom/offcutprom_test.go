package offcutprom_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"

	"offcut.dev/go/adapters/offcutprom"
	"offcut.dev/go/handle"
	"offcut.dev/go/memory"
)

var images = handle.NewTypeOf(func(uintptr) {}, handle.Options{Name: "image"})

func TestHandles(t *testing.T) {
	open := images.Open(1)
	defer func() { _ = open.Close() }()
	_ = images.Open(2).Close()
	collector := offcutprom.Handles()
	expected := `
# HELP offcut_handle_closed_total handles closed by the program
# TYPE offcut_handle_closed_total counter
offcut_handle_closed_total{type="image"} 1
# HELP offcut_handle_open handles neither closed nor forgotten
# TYPE offcut_handle_open gauge
offcut_handle_open{type="image"} 1
# HELP offcut_handle_opened_total handles opened, including opens in progress
# TYPE offcut_handle_opened_total counter
offcut_handle_opened_total{type="image"} 2
`
	if err := testutil.CollectAndCompare(onlyOf(collector, "image"), strings.NewReader(expected),
		"offcut_handle_closed_total", "offcut_handle_open", "offcut_handle_opened_total"); err != nil {
		t.Error(err)
	}
	if n := testutil.CollectAndCount(onlyOf(collector, "image"), "offcut_handle_oldest_seconds"); n != 1 {
		t.Errorf("%d ages", n)
	}
	problems, err := testutil.CollectAndLint(collector)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	if n := testutil.CollectAndCount(onlyOf(collector, "image")); n != 8 {
		t.Errorf("%d series of a type", n)
	}
}

// onlyOf leaves out what other tests open.
func onlyOf(c prometheus.Collector, typ string) prometheus.Collector {
	return filter{c, typ}
}

type filter struct {
	prometheus.Collector
	typ string
}

func (f filter) Collect(to chan<- prometheus.Metric) {
	all := make(chan prometheus.Metric)
	go func() {
		f.Collector.Collect(all)
		close(all)
	}()
	for m := range all {
		var written dto.Metric
		if m.Write(&written) == nil && written.GetLabel()[0].GetValue() == f.typ {
			to <- m
		}
	}
}

func TestPool(t *testing.T) {
	pool, owner := newPool(t, "lint")
	chunk, err := owner.AllocateChunk(4096)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = pool.FreeChunk(chunk) }()
	collector := offcutprom.Pool(pool)
	expected := `
# HELP offcut_owner_handed_out_bytes chunks of the owner without its children
# TYPE offcut_owner_handed_out_bytes gauge
offcut_owner_handed_out_bytes{owner="entries",pool="lint"} 4096
offcut_owner_handed_out_bytes{owner="lint",pool="lint"} 0
# HELP offcut_owner_limit_bytes hard limit; no series if there is no limit
# TYPE offcut_owner_limit_bytes gauge
offcut_owner_limit_bytes{owner="entries",pool="lint"} 1.048576e+06
# HELP offcut_pool_committed_bytes granules that have memory
# TYPE offcut_pool_committed_bytes gauge
offcut_pool_committed_bytes{pool="lint"} 65536
# HELP offcut_pool_limit_bytes limit of the committed bytes; no series if there is no limit
# TYPE offcut_pool_limit_bytes gauge
offcut_pool_limit_bytes{pool="lint"} 1.6777216e+07
`
	if err := testutil.CollectAndCompare(collector, strings.NewReader(expected), "offcut_owner_handed_out_bytes",
		"offcut_owner_limit_bytes", "offcut_pool_committed_bytes", "offcut_pool_limit_bytes"); err != nil {
		t.Error(err)
	}
	problems, err := testutil.CollectAndLint(collector)
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
}

func TestPool_twoInOneRegistry(t *testing.T) {
	one, _ := newPool(t, "one")
	two, _ := newPool(t, "two")
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(offcutprom.Handles(), offcutprom.Pool(one), offcutprom.Pool(two))
	if err := registry.Register(offcutprom.Pool(one)); err == nil {
		t.Error("a second collector of a pool")
	}
	n, err := testutil.GatherAndCount(registry, "offcut_pool_committed_bytes", "offcut_owner_committed_bytes")
	if err != nil || n != 6 {
		t.Errorf("%d series, %v", n, err)
	}
	if !registry.Unregister(offcutprom.Pool(two)) {
		t.Error("an equal collector does not unregister")
	}
	if n, err := testutil.GatherAndCount(registry, "offcut_pool_committed_bytes"); err != nil || n != 1 {
		t.Errorf("%d series, %v", n, err)
	}
}

func TestPool_manyOwners_hasFewSeries(t *testing.T) {
	pool, _ := newPool(t, "many")
	for i := range 500 {
		if _, err := pool.Owner().Child(memory.OwnerConfig{Name: fmt.Sprint("session-", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if n := testutil.CollectAndCount(offcutprom.Pool(pool), "offcut_owner_used_bytes"); n != 101 {
		t.Errorf("%d series for 502 owners", n)
	}
}

// A program that is not scraped pays nothing: opening and closing allocates as much as without the collectors.
func TestCollectors_betweenScrapes_allocateNothing(t *testing.T) {
	pool, owner := newPool(t, "quiet")
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(offcutprom.Handles(), offcutprom.Pool(pool))
	values := handle.NewPool(func(uintptr) {}, handle.Options{Name: "value"}).NewOwner()
	defer func() { _ = values.Close() }()
	work := func() {
		_ = values.Open(1).Close()
		chunk, err := owner.AllocateChunk(4096)
		if err != nil || pool.FreeChunk(chunk) != nil {
			t.Fatal(err)
		}
	}
	work()
	if _, err := registry.Gather(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rounds := uint64(0)
	for end := time.Now().Add(50 * time.Millisecond); time.Now().Before(end); rounds++ { // also for what others would do
		work()
	}
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > 200 { // the runtime and the net allocate now and then
		t.Errorf("%d allocations in %d rounds", n, rounds)
	}
}

func newPool(t *testing.T, name string) (*memory.Pool, *memory.Owner) {
	t.Helper()
	pool, err := memory.NewPool(memory.Config{Name: name, Limit: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	owner, err := pool.Owner().Child(memory.OwnerConfig{Name: "entries", HardLimit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	})
	return pool, owner
}
