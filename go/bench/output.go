package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// printTables writes the rows of each case, and the bars.
func printTables(out io.Writer, chosen []Case, rows []Row, bars []Judged) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range chosen {
		fmt.Fprintf(table, "%s: %s; CPU ns\n", c.Name, c.Summary)
		for _, r := range rows {
			if r.Case == c.Name {
				fmt.Fprintf(table, "  %s\t%s ±%s\n", r.Impl, brief(r.Value), brief(r.Spread))
			}
		}
		fmt.Fprintln(table)
	}
	fmt.Fprintln(table, "Bars: the median of the rounds' ratios, and the interval of the median")
	for _, b := range bars {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", b.Bar, b.figures(), b.Verdict)
	}
	_ = table.Flush()
}

func (j Judged) figures() string {
	if j.Measured == nil {
		return ""
	}
	if j.Low == nil {
		return brief(*j.Measured)
	}
	return fmt.Sprintf("%s (%s to %s)", brief(*j.Measured), brief(*j.Low), brief(*j.High))
}

func brief(value float64) string { return strconv.FormatFloat(rounded(value), 'f', -1, 64) }

// write writes what spec/bench.schema.json describes.
func write(path string, env map[string]any, rows []Row, bars []Judged, leftOut []string) error {
	file := struct {
		Schema      string         `json:"schema"`
		Suite       string         `json:"suite"`
		Environment map[string]any `json:"environment"`
		Rows        []Row          `json:"rows"`
		Bars        []Judged       `json:"bars"`
		LeftOut     []string       `json:"left_out"`
	}{"offcut.bench/1", "go", env, rows, bars, append([]string{}, leftOut...)}
	text, err := json.Marshal(file)
	if err != nil {
		return err
	}
	// A line for each row and bar.
	lines := strings.NewReplacer(`},{"`, "},\n{\"", `":[{`, "\":[\n{", `}],"`, "}],\n\"", `"environment":`, "\n\"environment\":",
		`},"rows"`, "},\n\"rows\"")
	return os.WriteFile(path, []byte(lines.Replace(string(text))+"\n"), 0o644)
}

// environment is where and when a run was made: what a reader of its numbers must know.
func environment(quick bool, began time.Time) map[string]any {
	return map[string]any{
		"time":    began.UTC().Format("2006-01-02T15:04:05Z"),
		"quick":   quick,
		"offcut":  offcutVersion,
		"runtime": runtime.Version(),
		"os":      runtime.GOOS,
		"arch":    runtime.GOARCH,
		"cpu":     cpuName(),
		"cpus":    runtime.NumCPU(),
		"seconds": int(time.Since(began).Seconds()),
	}
}

func cpuName() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.Trim(name, " \t:\n")
		}
	}
	return "unknown"
}
