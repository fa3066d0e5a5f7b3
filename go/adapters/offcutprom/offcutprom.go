// Package offcutprom publishes the counts of handles and the memory of pools to Prometheus.
//
//	registry.MustRegister(offcutprom.Handles(), offcutprom.Pool(pool))
//
// It is a separate module because it depends on client_golang. The collectors read the counts when Prometheus asks for
// them. Between two scrapes they do nothing and keep nothing but the names of owners.
package offcutprom

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"offcut.dev/go/handle"
	"offcut.dev/go/internal/metric"
	"offcut.dev/go/memory"
)

// Handles returns a collector of the counts of all types and pools of values in the program, labeled with their type.
// Types and pools of one name are added up. A scrape takes as long as [handle.Stats].
func Handles() prometheus.Collector {
	return handles(describe(metric.Handles, nil, metric.Type))
}

// Pool returns a collector of the memory of a pool, labeled with its name, and of its owners, labeled with their path.
// The series of an owner are without its children. Owners of one path are added up.
//
// The first 100 owners that the collector sees have series of their own; the sum of all others is the owner "other".
// A registry takes one collector for each name of a pool. Unregister the collector when the pool is closed.
func Pool(pool *memory.Pool) prometheus.Collector {
	labels := prometheus.Labels{metric.Pool: pool.Name()}
	return &poolCollector{
		pool:   pool,
		pools:  describe(metric.Pools, labels),
		owners: describe(metric.Owners, labels, metric.Owner),
	}
}

// series is a metric and its description.
type series[T any] struct {
	metric.Metric[T]
	desc *prometheus.Desc
}

func describe[T any](metrics []metric.Metric[T], constant prometheus.Labels, labels ...string) []series[T] {
	all := make([]series[T], len(metrics))
	for i, m := range metrics {
		name := strings.ReplaceAll(m.Name, ".", "_")
		switch m.Unit {
		case metric.Bytes:
			name += "_bytes"
		case metric.Seconds:
			name += "_seconds"
		}
		if m.Total {
			name += "_total"
		}
		all[i] = series[T]{m, prometheus.NewDesc(name, m.Help, labels, constant)}
	}
	return all
}

func describeAll[T any](all []series[T], to chan<- *prometheus.Desc) {
	for _, s := range all {
		to <- s.desc
	}
}

func collect[T any](all []series[T], from T, to chan<- prometheus.Metric, labels ...string) {
	for _, s := range all {
		kind := prometheus.GaugeValue
		if s.Total {
			kind = prometheus.CounterValue
		}
		if value, ok := s.Of(from); ok {
			to <- prometheus.MustNewConstMetric(s.desc, kind, value, labels...)
		}
	}
}

type handles []series[handle.TypeStats]

// Describe implements [prometheus.Collector].
func (h handles) Describe(to chan<- *prometheus.Desc) { describeAll(h, to) }

// Collect implements [prometheus.Collector].
func (h handles) Collect(to chan<- prometheus.Metric) {
	for _, t := range metric.Types(handle.Stats()) {
		collect(h, t, to, t.Name)
	}
}

type poolCollector struct {
	pool   *memory.Pool
	pools  []series[memory.Snapshot]
	owners []series[memory.OwnerShare]
	of     metric.OwnersOf
}

// Describe implements [prometheus.Collector].
func (c *poolCollector) Describe(to chan<- *prometheus.Desc) {
	describeAll(c.pools, to)
	describeAll(c.owners, to)
}

// Collect implements [prometheus.Collector].
func (c *poolCollector) Collect(to chan<- prometheus.Metric) {
	s := c.pool.Snapshot()
	collect(c.pools, s, to)
	for _, o := range c.of.Shares(s) {
		collect(c.owners, o, to, o.Owner)
	}
}
