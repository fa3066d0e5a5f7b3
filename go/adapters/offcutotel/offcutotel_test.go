package offcutotel_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	otel "go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"offcut.dev/go/adapters/offcutotel"
	"offcut.dev/go/handle"
	"offcut.dev/go/memory"
)

var images = handle.NewTypeOf(func(uintptr) {}, handle.Options{Name: "image"})

func TestRegisterHandles(t *testing.T) {
	open := images.Open(1)
	defer func() { _ = open.Close() }()
	_ = images.Open(2).Close()
	reader, provider := newProvider(t)
	registration := registered(t)(offcutotel.RegisterHandles(provider))
	all := collected(t, reader)
	if len(all) != 8 {
		t.Errorf("%d metrics", len(all))
	}
	image := attribute.NewSet(attribute.String("type", "image"))
	opened := all["offcut.handle.opened"]
	if opened.Unit != "{handle}" || opened.Description != "handles opened, including opens in progress" {
		t.Errorf("%+v", opened)
	}
	metricdatatest.AssertEqual(t, metricdata.Sum[float64]{
		DataPoints:  []metricdata.DataPoint[float64]{{Attributes: image, Value: 2}},
		Temporality: metricdata.CumulativeTemporality, IsMonotonic: true,
	}, only(opened.Data.(metricdata.Sum[float64]), image), metricdatatest.IgnoreTimestamp())
	closed := only(all["offcut.handle.closed"].Data.(metricdata.Sum[float64]), image)
	if closed.DataPoints[0].Value != 1 {
		t.Errorf("%+v", closed)
	}
	for _, p := range all["offcut.handle.open"].Data.(metricdata.Gauge[float64]).DataPoints {
		if p.Attributes == image && p.Value != 1 {
			t.Errorf("%+v", p)
		}
	}
	if err := registration.Unregister(); err != nil {
		t.Error(err)
	}
	if all := collected(t, reader); len(all) != 0 {
		t.Errorf("%d metrics after the end", len(all))
	}
}

// only leaves out what other tests open.
func only(sum metricdata.Sum[float64], of attribute.Set) metricdata.Sum[float64] {
	var points []metricdata.DataPoint[float64]
	for _, p := range sum.DataPoints {
		if p.Attributes == of {
			points = append(points, p)
		}
	}
	sum.DataPoints = points
	return sum
}

func TestRegisterPool(t *testing.T) {
	one, owner := newPool(t, "one")
	two, _ := newPool(t, "two")
	chunk, err := owner.AllocateChunk(4096)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = one.FreeChunk(chunk) }()
	reader, provider := newProvider(t)
	registered(t)(offcutotel.RegisterPool(provider, one))
	second := registered(t)(offcutotel.RegisterPool(provider, two))
	all := collected(t, reader)
	if len(all) != 11 {
		t.Errorf("%d metrics", len(all))
	}
	gauge(t, all, "offcut.pool.committed", point(65536, "one"), point(0, "two"))
	gauge(t, all, "offcut.pool.limit", point(16<<20, "one"), point(16<<20, "two"))
	gauge(t, all, "offcut.owner.handed_out",
		point(0, "one", "one"), point(4096, "one", "entries"), point(0, "two", "two"), point(0, "two", "entries"))
	gauge(t, all, "offcut.owner.limit", point(1<<20, "one", "entries"), point(1<<20, "two", "entries"))
	if err := second.Unregister(); err != nil {
		t.Error(err)
	}
	gauge(t, collected(t, reader), "offcut.pool.committed", point(65536, "one"))
}

func gauge(t *testing.T, all map[string]metricdata.Metrics, name string, points ...metricdata.DataPoint[float64]) {
	t.Helper()
	metricdatatest.AssertAggregationsEqual(t,
		metricdata.Gauge[float64]{DataPoints: points}, all[name].Data, metricdatatest.IgnoreTimestamp())
	if all[name].Unit != "By" {
		t.Errorf("%s in %q", name, all[name].Unit)
	}
}

func point(value float64, pool string, owner ...string) metricdata.DataPoint[float64] {
	with := []attribute.KeyValue{attribute.String("pool", pool)}
	for _, o := range owner {
		with = append(with, attribute.String("owner", o))
	}
	return metricdata.DataPoint[float64]{Attributes: attribute.NewSet(with...), Value: value}
}

func TestRegisterPool_manyOwners_hasFewSeries(t *testing.T) {
	pool, _ := newPool(t, "many")
	for i := range 500 {
		if _, err := pool.Owner().Child(memory.OwnerConfig{Name: fmt.Sprint("session-", i)}); err != nil {
			t.Fatal(err)
		}
	}
	reader, provider := newProvider(t)
	registered(t)(offcutotel.RegisterPool(provider, pool))
	points := collected(t, reader)["offcut.owner.used"].Data.(metricdata.Gauge[float64]).DataPoints
	if len(points) != 101 {
		t.Errorf("%d series for 502 owners", len(points))
	}
}

// A program whose reader does not collect pays nothing: opening and closing allocates as much as without instruments.
func TestRegister_betweenCollections_allocatesNothing(t *testing.T) {
	pool, owner := newPool(t, "quiet")
	reader, provider := newProvider(t)
	registered(t)(offcutotel.RegisterHandles(provider))
	registered(t)(offcutotel.RegisterPool(provider, pool))
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
	collected(t, reader)
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

func registered(t *testing.T) func(otel.Registration, error) otel.Registration {
	return func(registration otel.Registration, err error) otel.Registration {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return registration
	}
}

func newProvider(t *testing.T) (*sdk.ManualReader, *sdk.MeterProvider) {
	t.Helper()
	reader := sdk.NewManualReader()
	provider := sdk.NewMeterProvider(sdk.WithReader(reader))
	t.Cleanup(func() {
		if err := provider.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return reader, provider
}

func collected(t *testing.T, reader *sdk.ManualReader) map[string]metricdata.Metrics {
	t.Helper()
	var found metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &found); err != nil {
		t.Fatal(err)
	}
	all := make(map[string]metricdata.Metrics)
	for _, scope := range found.ScopeMetrics {
		if scope.Scope.Name != offcutotel.Scope {
			t.Errorf("scope %s", scope.Scope.Name)
		}
		for _, m := range scope.Metrics {
			all[m.Name] = m
		}
	}
	return all
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
