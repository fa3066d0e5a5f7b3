// Command bench measures the Go libraries of Offcut against what a program uses without them.
//
//	bench [--quick] [--minutes N] [--json FILE] [--case NAME,…] [--list]
//
// Each measurement is a process of its own. In each round every implementation runs once, so a ratio is that of two
// neighbours; its median and its interval over the rounds judge the bars. The time is processor time of the whole
// process, with the garbage collection that the work causes.
//
// Exit status 0: everything was measured, whether the bars are met or not; 1: a measurement failed, which ends the rounds,
// or could not be written; 2: misused.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// rounds are odd, so that the median is one of them; nine give an interval without its outermost values.
const (
	rounds      = 11
	quickRounds = 3
)

func main() {
	if status, child := isChild(); child {
		os.Exit(status)
	}
	os.Exit(command(os.Stdout, os.Stderr, os.Args[1:]))
}

type options struct {
	quick, list bool
	limit       time.Duration // 0: none
	json        string
	chosen      []Case
}

func command(out, errs io.Writer, args []string) int {
	o, err := parse(errs, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(errs, "bench:", err)
		return 2
	case o.list:
		fmt.Fprintln(out, "go")
		for _, c := range o.chosen {
			fmt.Fprintf(out, "  %-26s %s\n", c.Name, c.Summary)
		}
		return 0
	}
	return measureAll(out, errs, o)
}

func parse(errs io.Writer, args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("offcut bench go", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.BoolVar(&o.quick, "quick", false, "a first look: smaller, and three rounds")
	flags.StringVar(&o.json, "json", "", "write the rows and bars to this `FILE`")
	minutes := flags.Float64("minutes", 0, "begin no further round after `N` minutes")
	names := flags.String("case", "", "only these cases, by `NAME,…`")
	flags.BoolVar(&o.list, "list", false, "list the cases")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("unexpected %q; `offcut bench go --help` lists the options", flags.Arg(0))
	}
	o.limit = time.Duration(*minutes * float64(time.Minute))
	for _, c := range cases {
		if *names == "" || slices.Contains(strings.Split(*names, ","), c.Name) {
			o.chosen = append(o.chosen, c)
		}
	}
	if len(o.chosen) == 0 {
		return o, fmt.Errorf("no case is named %s; `offcut bench go --list` lists the cases", *names)
	}
	return o, nil
}

func measureAll(out, errs io.Writer, o options) int {
	began := time.Now()
	m := &measurement{options: o, errs: errs, start: run, samples: make(Samples)}
	m.run(began)
	rows, bars := m.samples.rows(o.chosen), judged(m.samples, o.chosen)
	printTables(out, o.chosen, rows, bars)
	if o.json != "" {
		if err := write(o.json, environment(o.quick, began), rows, bars, m.leftOut); err != nil {
			fmt.Fprintln(errs, "bench: cannot write:", err)
			return 1
		}
	}
	if m.failed {
		return 1
	}
	return 0
}
