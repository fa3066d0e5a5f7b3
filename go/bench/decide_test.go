package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// The intervals of all looks contain the truth, 19 times in 20.
func TestInterval_covers(t *testing.T) {
	missed, seeds := 0, 4000
	for seed := range seeds {
		random := rand.New(rand.NewPCG(uint64(seed), 7))
		var values []float64
		out := false
		for len(values) < lastLook {
			values = append(values, 5+random.NormFloat64())
			if low, high, ok := interval(values); ok && isLook(len(values)) {
				out = out || low > 5 || high < 5
			}
		}
		if out {
			missed++
		}
	}
	if share := float64(missed) / float64(seeds); share > 0.05 || share < 0.01 {
		t.Errorf("%.3f of the seeds miss the truth", share)
	}
}

var half = Bar{Metric: cpuPerOp, Impl: "ours", Of: "peer", AtMost: 0.5}

// decidedAs is how a run with this true ratio ends: decided to be met or not, or open at the last look.
func decidedAs(ratio float64, seed int) (decided, met bool, rounds int) {
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	c := Case{Name: "x", Impls: []Impl{{Name: "ours"}, {Name: "peer"}}, Bars: []Bar{half}}
	samples := make(Samples)
	for round := range lastLook {
		machine := 30 * (1 + random.Float64()) // fast and slow minutes
		disturbed := func() float64 {
			if random.IntN(10) == 0 {
				return 1.3
			}
			return math.Exp(0.03 * random.NormFloat64())
		}
		samples.add(c, c.Impls[0], "", round, map[string]float64{cpuPerOp: ratio * machine * disturbed()})
		samples.add(c, c.Impls[1], "", round, map[string]float64{cpuPerOp: machine * disturbed()})
		if isLook(round + 1) {
			if decided, met, _, _, _, _ := half.decide(samples, c); decided {
				return true, met, round + 1
			}
		}
	}
	return false, false, lastLook
}

func TestDecide_isRarelyWrong(t *testing.T) {
	const seeds = 2000
	for _, of := range []struct {
		ratio     float64
		met       bool // what would be wrong, or right
		low, high float64
	}{{0.5001, true, 0, 0.05}, {0.4999, false, 0, 0.05}, {0.35, true, 0.95, 1}, {0.7, false, 0.95, 1}} {
		count := 0
		for seed := range seeds {
			if decided, met, _ := decidedAs(of.ratio, seed); decided && met == of.met {
				count++
			}
		}
		if share := float64(count) / seeds; share < of.low || share > of.high {
			t.Errorf("ratio %v: %.3f are decided to be met: %v", of.ratio, share, of.met)
		}
	}
}

// Rounds that open bars are about go on; those of the others do not.
func TestMeasurement_roundsOfBars(t *testing.T) {
	for _, of := range []struct {
		ours  float64
		limit time.Duration
		want  string
		left  int
	}{
		{4, 0, "map[other:3 ours:3 peer:3]", 0},
		{10, 0, "map[other:3 ours:21 peer:21]", 0},
		{4, time.Nanosecond, "map[other:1 ours:1 peer:1]", 1}, // the first round is whole
	} {
		ran := make(map[string]int)
		start := func(_ Case, i Impl, _ int, _ time.Duration, _ string) (map[string]float64, error) {
			ran[i.Name]++
			value := map[string]float64{"ours": of.ours * (1 + 0.1*float64(ran["ours"]%2)), "peer": 21, "other": 1}[i.Name]
			return map[string]float64{cpuPerOp: value}, nil
		}
		c := Case{Name: "x", N: 1, Bars: []Bar{half, {Metric: cpuPerOp, Impl: "none", AtMost: 1}},
			Impls: []Impl{{Name: "ours"}, {Name: "peer"}, {Name: "other"}}}
		m := newMeasurement(io.Discard, options{chosen: []Case{c}, limit: of.limit}, start)
		m.run()
		if got := fmt.Sprint(ran); got != of.want || len(m.leftOut) != of.left {
			t.Error(got, m.leftOut)
		}
	}
}

// The headline implementations run in the same rounds with the other toolchains.
func TestMeasurement_headlines(t *testing.T) {
	ran := make(map[string]int)
	start := func(_ Case, i Impl, _ int, _ time.Duration, program string) (map[string]float64, error) {
		ran[i.Name+program]++
		return map[string]float64{cpuPerOp: 1}, nil
	}
	c := Case{Name: "x", N: 1, Headline: []string{"ours"}, Impls: []Impl{{Name: "ours"}, {Name: "other"}}}
	m := newMeasurement(io.Discard, options{chosen: []Case{c}}, start)
	m.toolchains = []toolchain{{"go1.99", "@next"}}
	for round := range 2 {
		m.round(c, c.Impls, round, "x")
	}
	if got := fmt.Sprint(ran); got != "map[other:2 ours:2 ours@next:2]" {
		t.Error(got)
	}
}

func TestStat(t *testing.T) {
	s := statOf("cpu  10 20 30 400 50 6 7 80 9 1\ncpu0 1 1 1 1 1 1 1 1 1 1\nprocs_running 4\nprocs_blocked 0\n", true)
	if s != (stat{4, 80, 603, true}) {
		t.Errorf("%+v", s)
	}
	o := othersLoad{first: stat{1, 0, 1000, true}, last: stat{2, 50, 1200, true}, sum: 3, count: 3}
	if load, ok := o.mean(); !ok || math.Abs(load-(1+50.0/200*float64(runtime.NumCPU()))) > 0.01 {
		t.Error(load, ok)
	}
	if _, ok := (&othersLoad{}).mean(); ok {
		t.Error("known without samples")
	}
}

// Headline cases with another toolchain become rows of their own; the bars are about this one alone.
func TestRows_ofOtherToolchains(t *testing.T) {
	c := Case{Name: "x", Impls: []Impl{{Name: "ours", Version: "1"}, {Name: "peer"}}}
	samples := make(Samples)
	samples.add(c, c.Impls[0], "", 0, map[string]float64{cpuPerOp: 4})
	samples.add(c, c.Impls[0], "go1.99.0", 0, map[string]float64{cpuPerOp: 6})
	samples.add(c, c.Impls[1], "go1.99.0", 0, map[string]float64{cpuPerOp: 8})
	rows := samples.rows([]Case{c}, runtime.Version())
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprint(r.Impl, " ", r.Version, " ", r.Runtime == runtime.Version(), " ", r.Value))
	}
	if want := []string{"ours 1 true 4", "ours 1 false 6", "peer go1.99.0 false 8"}; !slices.Equal(got, want) {
		t.Error(got)
	}
	if v, ok := value(rows, "x", "ours", cpuPerOp); !ok || v != 4 {
		t.Error(v, ok)
	}
	if _, ok := value(rows, "x", "peer", cpuPerOp); ok {
		t.Error("the row of another toolchain is taken for this one's")
	}
}

func TestSuite_headlinesAreImplementations(t *testing.T) {
	count := 0
	for _, c := range all() {
		for _, name := range c.Headline {
			count++
			if !slices.ContainsFunc(c.Impls, func(i Impl) bool { return i.Name == name }) {
				t.Errorf("%s has no %s", c.Name, name)
			}
		}
	}
	if count == 0 {
		t.Error("no headline")
	}
}

func TestBuild_toolchainThatIsNotThere_isLeftOut(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	m := &measurement{options: options{toolchains: []toolchain{{name: "go1.99.99"}}}, errs: io.Discard}
	m.build()
	m.remove()
	if len(m.toolchains) != 0 || len(m.leftOut) != 1 || !strings.HasPrefix(m.leftOut[0], "go1.99.99: ") {
		t.Error(m.toolchains, m.leftOut)
	}
}
