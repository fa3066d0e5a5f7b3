package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Each implementation does its work, on few operations, and frees what it should. Bars are of what is measured.
func TestCases_work(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range cases {
		if seen[c.Name] || c.N < 1 || c.Quick < 1 || len(c.Bars) == 0 || c.Summary == "" {
			t.Errorf("case %q", c.Name)
		}
		seen[c.Name] = true
		impls := make(map[string]bool)
		for _, i := range c.Impls {
			impls[i.Name] = true
			t.Run(c.Name+"/"+i.Name, func(t *testing.T) {
				if b := (&B{N: 2000}); i.Run(b) != nil || b.spent <= 0 {
					t.Error(i.Run(b), b.spent)
				}
			})
		}
		for _, bar := range c.Bars {
			if !impls[bar.Impl] || !impls[bar.Of] || bar.AtMost <= 0 {
				t.Errorf("%s: a bar of what is not measured: %+v", c.Name, bar)
			}
		}
	}
}

// The interval has the true median, 19 times in 20 or more.
func TestInterval_covers(t *testing.T) {
	const seeds = 4000
	for _, n := range []int{6, rounds, 20} {
		missed := 0
		for seed := range uint64(seeds) {
			random := rand.New(rand.NewPCG(seed, 7))
			values := make([]float64, n)
			for i := range values {
				values[i] = math.Exp(random.NormFloat64())
			}
			if low, high, ok := interval(values); !ok || low > 1 || high < 1 {
				missed++
			}
		}
		if share := float64(missed) / seeds; share > 0.05 || share == 0 {
			t.Errorf("%d values: %.3f of the intervals miss the truth", n, share)
		}
	}
	if _, _, ok := interval([]float64{1, 2, 3, 4, 5}); ok {
		t.Error("five values have an interval")
	}
}

var two = Case{Name: "x", Summary: "s", N: 1, Quick: 1, Impls: []Impl{{Name: "ours"}, {Name: "peer"}}, Bars: []Bar{{"ours", "peer", 0.5}}}

// ratioOf has rounds on a machine whose speed changes.
func ratioOf(ratio float64, spread float64, n int) Samples {
	samples := make(Samples)
	for round := range n {
		peer := 30 * float64(1+round%3)
		mine := peer * ratio * (1 + spread*float64(round%2))
		samples[series{"x", "ours"}] = append(samples[series{"x", "ours"}], mine)
		samples[series{"x", "peer"}] = append(samples[series{"x", "peer"}], peer)
	}
	return samples
}

func TestJudge_verdicts(t *testing.T) {
	for _, of := range []struct {
		samples Samples
		want    string
	}{
		{ratioOf(0.4, 0.1, rounds), "0.4 (0.4 to 0.44) met after 11 rounds"},
		{ratioOf(0.6, 0.1, rounds), "0.6 (0.6 to 0.66) NOT met after 11 rounds"},
		{ratioOf(0.48, 0.1, rounds), "0.48 (0.48 to 0.528) met, not decided after 11 rounds"},
		{ratioOf(0.4, 0.1, 3), "0.4 met, not decided after 3 rounds"},
		{Samples{}, " NOT met: not measured"},
	} {
		j := judged(of.samples, []Case{two})[0]
		if got := j.figures() + " " + j.Verdict; got != of.want || j.Bar != "x: ours / peer ≤ 0.5" {
			t.Errorf("%s: %s, want %s", j.Bar, got, of.want)
		}
	}
}

// measured runs rounds without children.
func measured(o options, start func(Case, Impl, int) (float64, error)) (*measurement, string) {
	var errs strings.Builder
	m := &measurement{options: o, errs: &errs, start: start, samples: make(Samples)}
	m.run(time.Now())
	return m, errs.String()
}

func TestRun_interleaves(t *testing.T) {
	var order []string
	m, _ := measured(options{quick: true, chosen: []Case{two}}, func(_ Case, i Impl, n int) (float64, error) {
		order = append(order, i.Name)
		return float64(n), nil
	})
	if got := fmt.Sprint(order); got != "[ours peer peer ours ours peer]" || m.failed || len(m.leftOut) != 0 {
		t.Error(got, m.leftOut)
	}
}

// A round in which one implementation fails counts for none.
func TestRun_failure_endsTheRun(t *testing.T) {
	ran := 0
	m, errs := measured(options{chosen: []Case{two}}, func(_ Case, i Impl, _ int) (float64, error) {
		if ran++; ran == 4 {
			return 0, errors.New("trouble")
		}
		return 1, nil
	})
	if !m.failed || ran != 4 || len(m.samples[series{"x", "ours"}]) != 1 || !strings.Contains(errs, "bench: x, ours: trouble") {
		t.Error(ran, m.samples, errs)
	}
}

func TestRun_timeIsUp_leavesRoundsOut(t *testing.T) {
	m, _ := measured(options{limit: time.Nanosecond, chosen: []Case{two}}, func(Case, Impl, int) (float64, error) { return 1, nil })
	if len(m.samples[series{"x", "ours"}]) != 1 || fmt.Sprint(m.leftOut) != "[10 of 11 rounds, for want of time]" || m.failed {
		t.Error(m.samples, m.leftOut)
	}
}

func TestWrite_hasWhatTheSchemaRequires(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	samples := ratioOf(0.4, 0.1, rounds)
	if err := write(path, environment(true, time.Now()), samples.rows([]Case{two}), judged(samples, []Case{two}), nil); err != nil {
		t.Fatal(err)
	}
	type object struct {
		Required   []string
		Properties map[string]json.RawMessage
	}
	var schema struct {
		Properties struct {
			Environment object
			Rows, Bars  struct{ Items object }
		}
	}
	var file struct {
		Environment map[string]any
		Rows, Bars  []map[string]any
	}
	for from, into := range map[string]any{"../../spec/bench.schema.json": &schema, path: &file} {
		if text, err := os.ReadFile(from); err != nil || json.Unmarshal(text, into) != nil {
			t.Fatal(from, err)
		}
	}
	of := schema.Properties
	for _, pair := range []struct {
		object
		json map[string]any
	}{{of.Environment, file.Environment}, {of.Rows.Items, file.Rows[1]}, {of.Bars.Items, file.Bars[0]}} {
		for _, name := range pair.Required {
			if pair.json[name] == nil {
				t.Errorf("no %s in %v", name, pair.json)
			}
		}
		for name := range pair.json {
			if pair.Properties[name] == nil {
				t.Errorf("the schema has no %s", name)
			}
		}
	}
}

func TestCommand_misused(t *testing.T) {
	for _, args := range [][]string{{"--case", "nonsense"}, {"--nonsense"}, {"extra"}} {
		var errs bytes.Buffer
		if status := command(io.Discard, &errs, args); status != 2 || errs.Len() == 0 {
			t.Error(args, status)
		}
	}
}
