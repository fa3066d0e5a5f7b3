package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"time"
)

// series names the rounds of one implementation.
type series struct{ caseName, impl string }

// Samples is every round that was measured. A round of a case is kept only if all its implementations were measured.
type Samples map[series][]float64

// measurement is the rounds of one run of the command.
type measurement struct {
	options
	errs    io.Writer
	start   func(c Case, i Impl, n int) (float64, error)
	samples Samples
	leftOut []string // sentences
	failed  bool
}

func (m *measurement) run(began time.Time) {
	most := rounds
	if m.quick {
		most = quickRounds
	}
	for round := range most {
		if round > 0 && m.limit > 0 && time.Since(began) > m.limit {
			m.leftOut = append(m.leftOut, fmt.Sprintf("%d of %d rounds, for want of time", most-round, most))
			return
		}
		for _, c := range m.chosen {
			fmt.Fprintf(m.errs, "%s, round %d of %d\n", c.Name, round+1, most)
			if err := m.round(c, round); err != nil {
				fmt.Fprintf(m.errs, "bench: %s, %v\n", c.Name, err)
				m.failed = true
				return
			}
		}
	}
}

// round runs each implementation once; none is always the first.
func (m *measurement) round(c Case, round int) error {
	n := c.N
	if m.quick {
		n = c.Quick
	}
	all := make(map[string]float64)
	for k := range c.Impls {
		i := c.Impls[(k+round)%len(c.Impls)]
		ns, err := m.start(c, i, n)
		if err != nil {
			return fmt.Errorf("%s: %w", i.Name, err)
		}
		all[i.Name] = ns
	}
	for name, ns := range all {
		m.samples[series{c.Name, name}] = append(m.samples[series{c.Name, name}], ns)
	}
	return nil
}

// Row is one line of the JSON: the median of the rounds, and half the distance between the quartiles.
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

func (s Samples) rows(chosen []Case) []Row {
	rows := []Row{}
	for _, c := range chosen {
		for _, i := range c.Impls {
			values := s[series{c.Name, i.Name}]
			if len(values) == 0 {
				continue
			}
			rows = append(rows, Row{c.Name, i.Name, cmp.Or(i.Version, runtime.Version()), runtime.Version(), 1, "Go", "cpu_ns_per_op",
				rounded(quantile(values, 0.5)), "ns/op", rounded((quantile(values, 0.75) - quantile(values, 0.25)) / 2), len(values)})
		}
	}
	return rows
}

// Judged is a bar of a run, as in spec/bench.schema.json.
type Judged struct {
	Bar      string   `json:"bar"`
	Measured *float64 `json:"measured,omitempty"`
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`
	Rounds   int      `json:"rounds"`
	Decided  bool     `json:"decided"`
	Met      bool     `json:"met"`
	Verdict  string   `json:"verdict"`
}

func judged(samples Samples, chosen []Case) []Judged {
	all := []Judged{}
	for _, c := range chosen {
		for _, b := range c.Bars {
			all = append(all, b.judge(c, samples))
		}
	}
	return all
}

// judge is by the median of the rounds' ratios. It is decided if their interval lies on one side of the limit.
func (b Bar) judge(c Case, samples Samples) Judged {
	j := Judged{Bar: fmt.Sprintf("%s: %s / %s ≤ %g", c.Name, b.Impl, b.Of, b.AtMost), Verdict: "NOT met: not measured"}
	mine, its := samples[series{c.Name, b.Impl}], samples[series{c.Name, b.Of}]
	if len(mine) == 0 || len(mine) != len(its) {
		return j
	}
	ratios := make([]float64, len(mine))
	for i := range mine {
		ratios[i] = mine[i] / its[i]
	}
	middle := quantile(ratios, 0.5)
	j.Measured, j.Rounds, j.Met = new(rounded(middle)), len(ratios), middle <= b.AtMost
	if low, high, ok := interval(ratios); ok {
		j.Low, j.High, j.Decided = new(rounded(low)), new(rounded(high)), high <= b.AtMost || low > b.AtMost
	}
	j.Verdict = map[bool]string{true: "met", false: "NOT met"}[j.Met]
	if !j.Decided {
		j.Verdict += ", not decided"
	}
	j.Verdict += " after " + strconv.Itoa(len(ratios)) + " rounds"
	return j
}

// interval has the true median in 95 of 100 runs or more, whatever the distribution: the values below it are as many as
// the heads of so many coins. Fewer than six values have none.
func interval(values []float64) (low, high float64, ok bool) {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	tail, heads := 0.0, math.Pow(0.5, float64(n)) // heads: the chance of exactly k of n
	k := 0
	for ; tail+heads <= 0.025; k++ {
		tail += heads
		heads *= float64(n-k) / float64(k+1)
	}
	if k == 0 {
		return 0, 0, false
	}
	return sorted[k-1], sorted[n-k], true
}

// quantile is between the two values beside it.
func quantile(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	x := p * float64(len(sorted)-1)
	i := int(x)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (x-float64(i))*(sorted[i+1]-sorted[i])
}

// rounded keeps three digits.
func rounded(value float64) float64 {
	if value == 0 {
		return 0 // which has no logarithm
	}
	scale := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(value))))
	return math.Round(value*scale) / scale
}
