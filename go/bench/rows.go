package main

import (
	"math"
	"sort"
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
}

// series names the rounds of one metric.
type series struct{ caseName, impl, metric string }

// Samples is every round that was measured.
type Samples map[series][]float64

func (s Samples) add(c Case, i Impl, metrics map[string]float64) {
	for metric, value := range metrics {
		key := series{c.Name, i.Name, metric}
		s[key] = append(s[key], value)
	}
}

// rows are in the order of cases, metrics and implementations.
func (s Samples) rows(chosen []Case, runtimeName string) []Row {
	var rows []Row
	for _, c := range chosen {
		for _, metric := range s.metrics(c) {
			for _, i := range c.Impls {
				values := s[series{c.Name, i.Name, metric}]
				if len(values) == 0 {
					continue
				}
				version := i.Version
				if version == "" {
					version = runtimeName
				}
				value, spread := median(values)
				rows = append(rows, Row{c.Name, i.Name, version, runtimeName, 1, "Go", metric,
					rounded(value), unit(metric), rounded(spread)})
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

// find is the row's value.
func value(rows []Row, caseName, impl, metric string) (float64, bool) {
	for _, r := range rows {
		if r.Case == caseName && r.Impl == impl && r.Metric == metric {
			return r.Value, true
		}
	}
	return 0, false
}
