// Command bench measures the Go libraries of Offcut against their peers. Only ratios of one run mean anything.
//
//	bench [--quick] [--minutes N] [--json FILE] [--case NAME,…] [--toolchains VERSION,…] [--list]
//
// Rounds go on until the bars are decided, or time is out.
//
// Every measurement is a process of its own; rounds are interleaved; the time is processor time of the whole process,
// the garbage collection that the work causes included. A second file beside FILE has the results for benchstat.
//
// Exit status 0: everything was measured, whether the bars are met or not; 1: a measurement failed, or could not be
// written; 2: misused. The quick form names what it had no time for, and does not fail for it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

const (
	// rounds of what has no bar.
	rounds      = 3
	quickRounds = 3
	// quickLimit leaves time for the measurement under way, within the 60 s that are promised.
	quickLimit = 50 * time.Second
	childLimit = 3 * time.Minute
)

func main() {
	if status, child := isChild(); child {
		os.Exit(status)
	}
	os.Exit(command(os.Stdout, os.Stderr, os.Args[1:]))
}

type options struct {
	quick, list bool
	quickLimit  time.Duration
	limit       time.Duration // 0: none
	json        string
	chosen      []Case
	toolchains  []toolchain // beside the one that built this program
}

func command(out, errs io.Writer, args []string) int {
	o, err := parse(errs, args)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(errs, "bench:", err)
		return 2
	}
	if o.list {
		fmt.Fprintln(out, "go")
		for _, c := range o.chosen {
			fmt.Fprintf(out, "  %-26s %s\n", c.Name, c.Summary)
		}
		return 0
	}
	return measureAll(out, errs, o)
}

func parse(errs io.Writer, args []string) (options, error) {
	o := options{quickLimit: quickLimit}
	flags := flag.NewFlagSet("offcut bench go", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.BoolVar(&o.quick, "quick", false, "end within a minute: smaller, and few rounds")
	flags.StringVar(&o.json, "json", "", "write the rows to this `FILE`, and the text for benchstat beside it")
	minutes := flags.Float64("minutes", 0, "take about `N` minutes: one round of all, however long, then rounds until the bars are decided, or time is out")
	others := flags.String("toolchains", "", "measure the headline cases with these Go versions, too: `VERSION,…`, such as go1.27.0")
	names := flags.String("case", "", "only these cases, by `NAME,…`")
	flags.BoolVar(&o.list, "list", false, "list the cases")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected %q; the options are --quick, --minutes N, --json FILE, --case NAME,…, --toolchains VERSION,… and --list", flags.Arg(0))
	}
	o.limit = time.Duration(*minutes * float64(time.Minute))
	for name := range strings.SplitSeq(*others, ",") {
		if name != "" && name != runtime.Version() {
			o.toolchains = append(o.toolchains, toolchain{name: name})
		}
	}
	var known []string
	for _, c := range all() {
		known = append(known, c.Name)
		if *names == "" || slices.Contains(strings.Split(*names, ","), c.Name) {
			o.chosen = append(o.chosen, c)
		}
	}
	for name := range strings.SplitSeq(*names, ",") {
		if *names != "" && !slices.Contains(known, name) {
			return o, fmt.Errorf("unknown case %s (known: %s)", name, strings.Join(known, ", "))
		}
	}
	return o, nil
}

func measureAll(out, errs io.Writer, o options) int {
	if o.json != "" { // found out before the measuring, not after
		if err := os.WriteFile(o.json, nil, 0o644); err != nil {
			fmt.Fprintln(errs, "bench: cannot write:", err)
			return 1
		}
	}
	began := time.Now()
	m := newMeasurement(errs, o, run)
	env := environment(o.quick, began)
	if load, ok := m.others.before(); ok {
		env["others_load_before"] = load
	}
	defer m.remove()
	m.run()
	rows := m.samples.rows(o.chosen, runtime.Version())
	bars := judgedBars(m.samples, rows, o.chosen)
	printTables(out, o.chosen, m.samples, rows)
	printBars(out, bars)
	if o.quick {
		fmt.Fprintln(out, "The quick form is a first look, in short rounds. Judge by the full form.")
	}
	if o.json != "" {
		env["load_after"] = load()
		env["seconds"] = int(time.Since(began).Seconds())
		if load, ok := m.others.mean(); ok {
			env["others_load"] = load
		}
		if err := write(o.json, env, rows, bars, m.leftOut, m.samples, o.chosen); err != nil {
			fmt.Fprintln(errs, "bench: cannot write:", err)
			return 1
		}
	}
	if m.incomplete {
		return 1
	}
	return 0
}
