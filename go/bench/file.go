package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strings"
)

// write writes the rows as spec/bench.schema.json has it, and every round as text for benchstat.
func write(path string, env map[string]any, rows []Row, bars []Judged, leftOut []string, samples Samples, chosen []Case) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(struct {
		Schema      string         `json:"schema"`
		Suite       string         `json:"suite"`
		Environment map[string]any `json:"environment"`
		Rows        []Row          `json:"rows"`
		Bars        []Judged       `json:"bars"`
		LeftOut     []string       `json:"left_out"`
	}{"offcut.bench/1", "go", env, rows, bars, append([]string{}, leftOut...)})
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(strings.TrimSuffix(path, ".json")+".benchstat.txt", benchstat(env, samples, chosen), 0o644)
}

func benchstat(env map[string]any, samples Samples, chosen []Case) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "goos: %s\ngoarch: %s\npkg: offcut.dev/go/bench\ncpu: %v\n", runtime.GOOS, runtime.GOARCH, env["cpu"])
	for _, c := range chosen {
		for _, i := range c.Impls {
			metrics := samples.metrics(c)
			sort.Strings(metrics)
			for round := range samples.most(c, i, metrics) {
				fmt.Fprintf(&b, "Benchmark/case=%s/impl=%s 1", c.Name, i.Name)
				for _, m := range metrics {
					if value, ok := samples[series{c.Name, i.Name, "", m}][round]; ok {
						fmt.Fprintf(&b, " %g %s", value, m)
					}
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.Bytes()
}

// most is how many rounds an implementation has.
func (s Samples) most(c Case, i Impl, metrics []string) (n int) {
	for _, m := range metrics {
		n = max(n, len(s[series{c.Name, i.Name, "", m}]))
	}
	return n
}
