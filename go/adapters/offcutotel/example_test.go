package offcutotel_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"offcut.dev/go/adapters/offcutotel"
	"offcut.dev/go/memory"
)

func Example() {
	pool, err := memory.NewPool(memory.Config{Name: "cache", Limit: 1 << 30})
	if err != nil {
		log.Fatal(err)
	}
	reader := sdk.NewManualReader() // a program has a reader that exports
	provider := sdk.NewMeterProvider(sdk.WithReader(reader))
	registration, err := offcutotel.RegisterPool(provider, pool)
	if err != nil {
		log.Fatal(err)
	}

	var found metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &found); err != nil {
		log.Fatal(err)
	}
	limit := found.ScopeMetrics[0].Metrics[0]
	fmt.Println(limit.Name, limit.Data.(metricdata.Gauge[float64]).DataPoints[0].Value/(1<<30), "GiB in", limit.Unit)
	if err := errors.Join(registration.Unregister(), pool.Close()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// offcut.pool.limit 1 GiB in By
}
