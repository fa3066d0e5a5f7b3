package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if status, child := isChild(); child {
		os.Exit(status)
	}
	os.Exit(m.Run())
}

// Benchmark is the suite for go test: go test -bench . -count 10 | benchstat -
// The time of the testing package is that of the wall; cpu-ns/op is the one that the command reports.
func Benchmark(b *testing.B) {
	for _, c := range all() {
		for _, i := range c.Impls {
			b.Run("case="+c.Name+"/impl="+i.Name, func(b *testing.B) {
				m := newB(max(b.N, 1))
				if err := i.Run(m); err != nil {
					b.Fatal(err)
				}
				for metric, value := range m.metrics {
					b.ReportMetric(value, metric)
				}
			})
		}
	}
}

// Each implementation does its work, on few operations, and frees what it should.
func TestCases_work(t *testing.T) {
	for _, c := range all() {
		n := 2000
		if strings.HasPrefix(c.Name, "profile") {
			n = 200_000 // the profile of few operations is empty
		}
		for _, i := range c.Impls {
			t.Run(c.Name+"/"+i.Name, func(t *testing.T) {
				b := newB(n)
				if err := i.Run(b); err != nil {
					t.Fatal(err)
				}
				if len(b.metrics) == 0 {
					t.Error("reports nothing")
				}
				for _, bar := range c.Bars {
					if _, ok := b.metrics[bar.Metric]; !ok {
						t.Errorf("does not report %s, of which there is a bar", bar.Metric)
					}
				}
			})
		}
	}
}

func TestSuite_names(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range all() {
		if seen[c.Name] || c.N < 1 || c.Quick < 1 || len(c.Impls) == 0 || c.Summary == "" {
			t.Errorf("case %q", c.Name)
		}
		seen[c.Name] = true
		impls := make(map[string]bool)
		for _, i := range c.Impls {
			impls[i.Name] = true
		}
		for _, bar := range c.Bars {
			if !impls[bar.Impl] || bar.Of != "" && !impls[bar.Of] {
				t.Errorf("%s: a bar of what is not measured: %+v", c.Name, bar)
			}
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values        []float64
		value, spread float64
	}{{[]float64{5}, 5, 0}, {[]float64{4, 1, 3, 2}, 2.5, 0.75}, {[]float64{3, 1, 2}, 2, 0.5}} {
		if v, s := median(c.values); v != c.value || s != c.spread {
			t.Errorf("%v: %v ±%v", c.values, v, s)
		}
	}
}

func TestBrief(t *testing.T) {
	for value, want := range map[float64]string{0: "0", 7: "7", 1234.4: "1234", 0.12345: "0.123", 59.87: "59.9"} {
		if got := brief(value); got != want {
			t.Errorf("%v is %s, want %s", value, got, want)
		}
	}
}

func TestBars_judged(t *testing.T) {
	c := Case{Name: "x", Summary: "s", Impls: []Impl{{Name: "offcut"}, {Name: "peer"}},
		Bars: []Bar{{Metric: cpuPerOp, Impl: "offcut", Of: "peer", AtMost: 0.5}, {Metric: cpuPerOp, Impl: "offcut", AtMost: 3}, {Metric: cpuPerOp, Impl: "offcut", Of: "none", AtMost: 1}}}
	samples := make(Samples)
	for round := range 3 {
		samples.add(c, c.Impls[0], "", round, map[string]float64{cpuPerOp: 4 * float64(round+1)})
		samples.add(c, c.Impls[1], "", round, map[string]float64{cpuPerOp: 16 * float64(round+1)})
	}
	var out bytes.Buffer
	bars := judgedBars(samples, samples.rows([]Case{c}, "go1"), []Case{c})
	printBars(&out, bars)
	for _, want := range []string{"offcut / peer ≤ 0.5               0.25  ", "  met, decided after 3 rounds\n", "offcut ≤ 3",
		"NOT met, limit: not decided after 3 rounds\n", "  NOT met: not measured\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

func measured(errs io.Writer, o options) *measurement {
	m := newMeasurement(errs, o, run)
	m.run()
	return m
}

// The quick form has a minute: what it has no time for is named, and no failure; a measurement that fails is one.
func TestMeasurement_quick(t *testing.T) {
	c := Case{Name: "no such case", Quick: 1, Impls: []Impl{{Name: "offcut"}}}
	for _, at := range []struct {
		limit    time.Duration
		complete bool
		says     string
	}{
		{-time.Hour, true, "no time left for no such case and 0 cases after it"},
		{time.Minute, false, "bench: no such case, offcut: exit status"},
	} {
		var errs bytes.Buffer
		m := measured(&errs, options{quick: true, quickLimit: at.limit, chosen: []Case{c}})
		if m.incomplete == at.complete || len(m.samples) != 0 || !strings.Contains(errs.String(), at.says) {
			t.Errorf("limit %v: incomplete %v, %d series\n%s", at.limit, m.incomplete, len(m.samples), errs.String())
		}
	}
}

func TestRun_timeIsUp(t *testing.T) {
	c := all()[0]
	if _, err := run(c, c.Impls[0], 1<<30, -time.Second, ""); !errors.Is(err, errTimeIsUp) {
		t.Error(err)
	}
}

func TestWrite_isWhatTheSchemaSays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	c := Case{Name: "x", Summary: "s", Impls: []Impl{{Name: "offcut", Version: offcutVersion}},
		Bars: []Bar{{Metric: cpuPerOp, Impl: "offcut", AtMost: 3}}}
	samples := make(Samples)
	for round := range 3 {
		samples.add(c, c.Impls[0], "", round, map[string]float64{cpuPerOp: 4})
	}
	env := environment(true, time.Now())
	env["load_after"], env["seconds"] = load(), 1
	rows := samples.rows([]Case{c}, "go1")
	bars := judgedBars(samples, rows, []Case{c})
	if err := write(path, env, rows, bars, []string{"x: not all"}, samples, []Case{c}); err != nil {
		t.Fatal(err)
	}
	type items struct {
		Required   []string
		Properties map[string]any
	}
	var schema struct {
		Properties struct {
			Environment struct{ Required []string }
			Rows        struct{ Items items }
			Bars        struct{ Items items }
		}
	}
	var file struct {
		Schema, Suite string
		Environment   map[string]any
		Rows, Bars    []map[string]any
	}
	read(t, "../../spec/bench.schema.json", &schema)
	read(t, path, &file)
	for _, name := range schema.Properties.Environment.Required {
		if file.Environment[name] == nil {
			t.Errorf("the environment has no %s", name)
		}
	}
	for _, one := range []struct {
		of   items
		json map[string]any
	}{{schema.Properties.Rows.Items, file.Rows[0]}, {schema.Properties.Bars.Items, file.Bars[0]}} {
		for _, name := range one.of.Required {
			if one.json[name] == nil {
				t.Errorf("no %s in %v", name, one.json)
			}
		}
		if len(one.of.Required) == 0 || len(one.json) != len(one.of.Properties) {
			t.Errorf("it is %v, of %v", one.json, one.of.Properties)
		}
	}
	if file.Schema != "offcut.bench/1" || file.Suite != "go" {
		t.Error(file.Schema, file.Suite)
	}
}

func TestCommand_misused(t *testing.T) {
	for _, args := range [][]string{{"--case", "nonsense"}, {"--nonsense"}, {"extra"}} {
		var out, errs bytes.Buffer
		if status := command(&out, &errs, args); status != 2 || errs.Len() == 0 {
			t.Errorf("%v: status %d, %s", args, status, errs.String())
		}
	}
	var out, errs bytes.Buffer
	if status := command(&out, &errs, []string{"--list"}); status != 0 || !strings.Contains(out.String(), "cgo_alloc_free_closed") {
		t.Error(status, out.String())
	}
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestMeasurement_libraryThatIsNotThere_isLeftOut(t *testing.T) {
	var errs strings.Builder
	run := func(*B) error { return errors.New("it ran") }
	o := options{chosen: []Case{{Name: "case", N: 1, Impls: []Impl{{Name: "one", Preload: "libnone.so.1", Run: run}}}}}
	m := measured(&errs, o)
	if m.incomplete || len(m.samples) != 0 || strings.Count(errs.String(), "case, one: left out, since libnone.so.1 is not there") != 1 {
		t.Errorf("incomplete: %v, %d samples, %s", m.incomplete, len(m.samples), errs.String())
	}
}
