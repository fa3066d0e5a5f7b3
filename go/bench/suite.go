package main

import "sort"

// Case is one workload and the implementations that are compared on it.
type Case struct {
	Name    string
	Summary string
	// Order is the place in tables and files; cases of equal order stand by name.
	Order int
	// N is the operations of one round, and Quick of one in the quick form.
	N, Quick int
	Impls    []Impl
	Bars     []Bar
	// Headline names the implementations that are measured with other toolchains, too.
	Headline []string
}

// Impl is one of those that are compared. Run is called in a process of its own.
type Impl struct {
	Name    string
	Version string // empty: Go's own
	Preload string // the shared library whose malloc the process has; empty: the C library's
	Run     func(b *B) error
}

// Bar is what is to be reached: a ratio of two rows of one run, their difference, or one row.
type Bar struct {
	Metric string
	Impl   string
	Of     string // the ratio to this row
	AtMost float64
	Over   string // the difference to this row
}

// cases is the suite. Each file that has cases adds its own: var _ = add(Case{…}).
var cases []Case

// add puts a case into the suite.
func add(c Case) struct{} {
	cases = append(cases, c)
	return struct{}{}
}

// all is the suite in its order.
func all() []Case {
	sorted := append([]Case(nil), cases...)
	sort.SliceStable(sorted, func(i, j int) bool {
		if sorted[i].Order != sorted[j].Order {
			return sorted[i].Order < sorted[j].Order
		}
		return false
	})
	return sorted
}

const (
	cpuPerOp    = "cpu_ns_per_op"
	allocsPerOp = "allocs_per_op"
	bytesPerOp  = "bytes_per_op"
)

// units are those of metrics; the name of a metric says it, too.
var units = map[string]string{
	cpuPerOp:    "ns/op",
	allocsPerOp: "allocs/op",
	bytesPerOp:  "B/op",

	cpuPerCycle:     "ns",
	bytesPerObject:  "B",
	peakOutstanding: "resources",
	cyclesRun:       "cycles",
	longestOpen:     "ms",
	longestOpenCPU:  "ms",
}

// offcutVersion is that of the libraries beside this module. The launcher sets it when it builds this program, to the one
// version of the repository.
var offcutVersion = "unreleased"
