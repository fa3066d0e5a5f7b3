package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// printTables writes the rows for people: a table for each case, and where a peer is ahead.
func printTables(out io.Writer, chosen []Case, samples Samples, rows []Row) {
	for _, c := range chosen {
		metrics := samples.metrics(c)
		if len(metrics) == 0 {
			continue
		}
		fmt.Fprintf(out, "%s, Go, 1 thread: %s\n", c.Name, c.Summary)
		lines := [][]string{append([]string{""}, metrics...)}
		for _, i := range c.Impls {
			line := []string{i.Name}
			for _, m := range metrics {
				line = append(line, cell(rows, c.Name, i.Name, m))
			}
			lines = append(lines, line)
		}
		align(out, lines)
		fmt.Fprintln(out)
	}
	printAhead(out, chosen, rows)
}

func cell(rows []Row, caseName, impl, metric string) string {
	for _, r := range rows {
		if r.Case == caseName && r.Impl == impl && r.Metric == metric && isOwn(r) {
			text := brief(r.Value)
			if r.Spread > math.Abs(r.Value)/1000 {
				text += " ±" + brief(roundTo(r.Spread, 2))
			}
			return text
		}
	}
	return ""
}

// printAhead says where a peer that does the same work takes less time than Offcut.
func printAhead(out io.Writer, chosen []Case, rows []Row) {
	var lines []string
	for _, c := range chosen {
		for _, ours := range c.Impls {
			mine, ok := value(rows, c.Name, ours.Name, cpuPerOp)
			if !ok || !strings.HasPrefix(ours.Name, "offcut") {
				continue
			}
			for _, peer := range c.Impls {
				its, ok := value(rows, c.Name, peer.Name, cpuPerOp)
				if ok && !strings.HasPrefix(peer.Name, "offcut") && its < mine {
					lines = append(lines, fmt.Sprintf("%s: %s is %s of %s", c.Name, peer.Name, brief(roundTo(its/mine, 2)), ours.Name))
				}
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprintln(out, "Where a peer, or the work without a net, is ahead in "+cpuPerOp)
	for _, line := range lines {
		fmt.Fprintln(out, "  "+line)
	}
	fmt.Fprintln(out)
}

func printBars(out io.Writer, bars []Judged) {
	var lines [][]string
	for _, bar := range bars {
		lines = append(lines, bar.line())
	}
	if len(lines) > 0 {
		fmt.Fprintln(out, "Bars, from the rows of this run alone")
		align(out, lines)
	}
}

func (b Bar) measure(rows []Row, caseName string) (float64, bool) {
	mine, ok := value(rows, caseName, b.Impl, b.Metric)
	if ok && b.Over != "" {
		other, ok := value(rows, caseName, b.Over, b.Metric)
		return mine - other, ok
	}
	if !ok || b.Of == "" {
		return mine, ok
	}
	other, ok := value(rows, caseName, b.Of, b.Metric)
	if !ok || other <= 0 {
		return 0, false
	}
	return mine / other, true
}

// align writes the first column to the left, the others to the right.
func align(out io.Writer, lines [][]string) {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, text := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	for _, line := range lines {
		var b strings.Builder
		for i, text := range line {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			if i == 0 {
				b.WriteString("  " + text + pad)
			} else {
				b.WriteString("  " + pad + text)
			}
		}
		fmt.Fprintln(out, strings.TrimRight(b.String(), " "))
	}
}

// brief is three digits; whole numbers in full.
func brief(value float64) string {
	if math.Abs(value) >= 1000 || value == math.Trunc(value) {
		return strconv.FormatFloat(math.Round(value), 'f', 0, 64)
	}
	return strconv.FormatFloat(roundTo(value, 3), 'f', -1, 64)
}

func roundTo(value float64, digits int) float64 {
	if value == 0 {
		return 0
	}
	scale := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(math.Abs(value))))
	return math.Round(value*scale) / scale
}
