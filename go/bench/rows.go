package main

import (
	"maps"
	"math"
	"runtime"
	"slices"
	"sort"
	"strings"
)

// Row is one line of the JSON: the median of the rounds.
type Row struct {
	Case    string  `json:"case"`
	Impl    string  `json:"impl"`
	Version string  `json:"version"`
	Runtime string  `json:"runtime"`
	Threads int     `json:"threads"`
	GC      string  `json:"gc"`
	Metric  string  `json:"metric"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	Spread  float64 `json:"spread"`
	Rounds  int     `json:"rounds"`
}

// series names the rounds of one metric. The toolchain is empty for the one that built this program.
type series struct{ caseName, impl, toolchain, metric string }

// values are by their rounds, since a round may be missing.
type values map[int]float64

func (v values) rounds() []int { return slices.Sorted(maps.Keys(v)) }

func (v values) values() []float64 {
	all := make([]float64, 0, len(v))
	for _, round := range v.rounds() {
		all = append(all, v[round])
	}
	return all
}

// Samples is every round that was measured.
type Samples map[series]values

func (s Samples) add(c Case, i Impl, toolchain string, round int, metrics map[string]float64) {
	for metric, value := range metrics {
		key := series{c.Name, i.Name, toolchain, metric}
		if s[key] == nil {
			s[key] = make(values)
		}
		s[key][round] = value
	}
}

// toolchains are those that have samples; the one of this program, which is empty, is the first.
func (s Samples) toolchains() []string {
	all := []string{""}
	for key := range s {
		if !slices.Contains(all, key.toolchain) {
			all = append(all, key.toolchain)
		}
	}
	slices.Sort(all)
	return all
}

// rows are in the order of cases, metrics, implementations and toolchains.
func (s Samples) rows(chosen []Case, runtimeName string) []Row {
	var rows []Row
	toolchains := s.toolchains()
	for _, c := range chosen {
		for _, metric := range s.metrics(c) {
			for _, i := range c.Impls {
				for _, t := range toolchains {
					measured := s[series{c.Name, i.Name, t, metric}].values()
					if len(measured) == 0 {
						continue
					}
					of := t
					if of == "" {
						of = runtimeName
					}
					version := i.Version
					if version == "" {
						version = of
					}
					value, spread := median(measured)
					rows = append(rows, Row{c.Name, i.Name, version, of, 1, "Go", metric,
						rounded(value), unit(metric), rounded(spread), len(measured)})
				}
			}
		}
	}
	return rows
}

func (s Samples) metrics(c Case) []string {
	var names []string
	for key := range s {
		if key.caseName == c.Name && !contains(names, key.metric) {
			names = append(names, key.metric)
		}
	}
	sort.Slice(names, func(i, j int) bool { return rank(names[i])+names[i] < rank(names[j])+names[j] })
	return names
}

// rank puts the time first.
func rank(metric string) string {
	switch metric {
	case cpuPerOp:
		return "0"
	case allocsPerOp, bytesPerOp:
		return "2"
	}
	return "1"
}

func unit(metric string) string {
	if u := units[metric]; u != "" {
		return u
	}
	return "1"
}

// median is that of the values, and half the distance between the quartiles.
func median(values []float64) (value, spread float64) {
	sorted := append([]float64(nil), values...)
	sort.Float64s(sorted)
	at := func(p float64) float64 {
		x := p * float64(len(sorted)-1)
		i := int(x)
		if i+1 == len(sorted) {
			return sorted[i]
		}
		return sorted[i] + (x-float64(i))*(sorted[i+1]-sorted[i])
	}
	return at(0.5), (at(0.75) - at(0.25)) / 2
}

// rounded keeps six digits.
func rounded(value float64) float64 {
	if value == 0 || math.IsInf(value, 0) || math.IsNaN(value) {
		return 0
	}
	scale := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(value))))
	return math.Round(value*scale) / scale
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// value is that of the row of this program's own toolchain.
func value(rows []Row, caseName, impl, metric string) (float64, bool) {
	for _, r := range rows {
		if r.Case == caseName && r.Impl == impl && r.Metric == metric && isOwn(r) {
			return r.Value, true
		}
	}
	return 0, false
}

// isOwn is whether a row is of the toolchain that built this program. In tests there is no other.
func isOwn(r Row) bool {
	return r.Runtime == runtime.Version() || !strings.HasPrefix(r.Runtime, "go1.")
}
