// Command bench measures the Go libraries of Offcut against their peers. Only ratios of one run mean anything.
//
//	bench [--quick] [--json FILE] [--case NAME,…] [--list]
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
	rounds      = 7
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
	json        string
	chosen      []Case
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
	names := flags.String("case", "", "only these cases, by `NAME,…`")
	flags.BoolVar(&o.list, "list", false, "list the cases")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected %q; the options are --quick, --json FILE, --case NAME,… and --list", flags.Arg(0))
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
	env := environment(o.quick, began)
	samples, complete := measureRounds(errs, o, began)
	rows := samples.rows(o.chosen, runtime.Version())
	printTables(out, o.chosen, samples, rows)
	if o.quick {
		fmt.Fprintln(out, "The quick form is a first look, in short rounds. Judge by the full form.")
	}
	if o.json != "" {
		env["load_after"] = load()
		env["seconds"] = int(time.Since(began).Seconds())
		if err := write(o.json, env, rows, samples, o.chosen); err != nil {
			fmt.Fprintln(errs, "bench: cannot write:", err)
			return 1
		}
	}
	if !complete {
		return 1
	}
	return 0
}

// measureRounds measures every implementation once a round, so that what disturbs the machine meets all of them.
func measureRounds(errs io.Writer, o options, began time.Time) (Samples, bool) {
	samples := make(Samples)
	complete := true
	failed := make(map[series]bool)
	most := rounds
	if o.quick {
		most = quickRounds
	}
	for round := range most {
		for at, c := range o.chosen {
			if o.quick && time.Since(began) > o.quickLimit {
				if round == 0 {
					fmt.Fprintf(errs, "bench: no time left for %s and %d cases after it; measure them with --case, or without --quick\n",
						c.Name, len(o.chosen)-at-1)
				}
				return samples, complete
			}
			if c.Rounds > 0 && round >= c.Rounds {
				continue
			}
			fmt.Fprintf(errs, "%s, round %d of %d\n", c.Name, round+1, most)
			n, limit := c.N, childLimit
			if o.quick {
				n, limit = c.Quick, o.quickLimit+8*time.Second-time.Since(began)
			}
			for k := range c.Impls {
				i := c.Impls[(k+round)%len(c.Impls)] // none is always the first
				key := series{c.Name, i.Name, ""}
				if failed[key] {
					continue
				}
				if i.Preload != "" && preload(i) == "" {
					fmt.Fprintf(errs, "bench: %s, %s: left out, since %s is not there\n", c.Name, i.Name, i.Preload)
					failed[key] = true
					continue
				}
				metrics, err := run(c, i, n, limit)
				if o.quick && errors.Is(err, errTimeIsUp) {
					fmt.Fprintf(errs, "bench: no time left for %s, %s\n", c.Name, i.Name)
					continue
				}
				if err != nil {
					fmt.Fprintf(errs, "bench: %s, %s: %v\n", c.Name, i.Name, err)
					failed[key], complete = true, false
					continue
				}
				samples.add(c, i, metrics)
			}
		}
	}
	return samples, complete
}
