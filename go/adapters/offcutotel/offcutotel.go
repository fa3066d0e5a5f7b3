// Package offcutotel publishes the counts of handles and the memory of pools through OpenTelemetry.
//
//	handles, err := offcutotel.RegisterHandles(otel.GetMeterProvider())
//	cache, err := offcutotel.RegisterPool(otel.GetMeterProvider(), pool)
//
// It is a separate module because it depends on OpenTelemetry's API. The instruments are observable: the counts are read
// when a reader collects. Between two collections nothing happens.
package offcutotel

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	otel "go.opentelemetry.io/otel/metric"

	"offcut.dev/go/handle"
	"offcut.dev/go/internal/metric"
	"offcut.dev/go/memory"
)

// Scope is the name of the meter.
const Scope = "offcut.dev/go/adapters/offcutotel"

// RegisterHandles publishes the counts of all types and pools of values in the program, with the attribute type. Types
// and pools of one name are added up. A collection takes as long as [handle.Stats]. It publishes until the registration
// is unregistered. Register once for each provider.
func RegisterHandles(provider otel.MeterProvider) (otel.Registration, error) {
	meter := provider.Meter(Scope)
	all, err := instruments(meter, metric.Handles)
	if err != nil {
		return nil, err
	}
	return meter.RegisterCallback(func(_ context.Context, to otel.Observer) error {
		for _, t := range metric.Types(handle.Stats()) {
			observe(all, t, to, attribute.String(metric.Type, t.Name))
		}
		return nil
	}, observables(all)...)
}

// RegisterPool publishes the memory of a pool, with the attribute pool, and of its owners, with the attributes pool and
// owner. The figures of an owner are without its children. Owners of one path are added up.
//
// The first 100 owners that are seen have series of their own; the sum of all others is the owner "other". Pools need
// different names. Unregister the registration when the pool is closed.
func RegisterPool(provider otel.MeterProvider, pool *memory.Pool) (otel.Registration, error) {
	meter := provider.Meter(Scope)
	pools, err := instruments(meter, metric.Pools)
	if err != nil {
		return nil, err
	}
	owners, err := instruments(meter, metric.Owners)
	if err != nil {
		return nil, err
	}
	of := new(metric.OwnersOf)
	name := attribute.String(metric.Pool, pool.Name())
	return meter.RegisterCallback(func(_ context.Context, to otel.Observer) error {
		s := pool.Snapshot()
		observe(pools, s, to, name)
		for _, o := range of.Shares(s) {
			observe(owners, o, to, name, attribute.String(metric.Owner, o.Owner))
		}
		return nil
	}, append(observables(pools), observables(owners)...)...)
}

// instrument is a metric and what publishes it.
type instrument[T any] struct {
	metric.Metric[T]
	observable otel.Float64Observable
}

func instruments[T any](meter otel.Meter, metrics []metric.Metric[T]) ([]instrument[T], error) {
	all := make([]instrument[T], len(metrics))
	for i, m := range metrics {
		var made otel.Float64Observable
		var err error
		if m.Total {
			made, err = meter.Float64ObservableCounter(m.Name, otel.WithUnit(m.Unit), otel.WithDescription(m.Help))
		} else {
			made, err = meter.Float64ObservableGauge(m.Name, otel.WithUnit(m.Unit), otel.WithDescription(m.Help))
		}
		if err != nil {
			return nil, fmt.Errorf("instrument %s: %w", m.Name, err)
		}
		all[i] = instrument[T]{m, made}
	}
	return all, nil
}

func observables[T any](all []instrument[T]) []otel.Observable {
	list := make([]otel.Observable, len(all))
	for i, one := range all {
		list[i] = one.observable
	}
	return list
}

func observe[T any](all []instrument[T], from T, to otel.Observer, with ...attribute.KeyValue) {
	attributes := otel.WithAttributeSet(attribute.NewSet(with...))
	for _, one := range all {
		if value, ok := one.Of(from); ok {
			to.ObserveFloat64(one.observable, value, attributes)
		}
	}
}
