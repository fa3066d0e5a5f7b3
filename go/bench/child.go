package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// B is one measurement: N operations inside Time.
type B struct {
	N     int
	spent time.Duration
}

// Time runs the measured region. The time is the processor time of all threads of the process, the collector's included:
// what is left to be done must be done inside.
func (b *B) Time(region func()) {
	runtime.GC()
	start := processCPU()
	region()
	b.spent = processCPU() - start
}

func processCPU() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}

// childVariable tells a process that it is one measurement: case, implementation and number of operations.
const childVariable = "OFFCUT_BENCH_CHILD"

// isChild runs the measurement that the environment asks for, if it asks.
func isChild() (status int, child bool) {
	order, child := os.LookupEnv(childVariable)
	if !child {
		return 0, false
	}
	var caseName, implName string
	var n int
	_, err := fmt.Sscanf(order, "%s %s %d", &caseName, &implName, &n)
	if err = cmp.Or(err, measure(caseName, implName, n)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	return 0, true
}

// measure warms up with a tenth and prints the nanoseconds of the rest.
func measure(caseName, implName string, n int) error {
	for _, c := range cases {
		for _, i := range c.Impls {
			if c.Name != caseName || i.Name != implName {
				continue
			}
			warm, b := &B{N: max(n/10, 1)}, &B{N: n}
			if err := cmp.Or(i.Run(warm), i.Run(b)); err != nil {
				return err
			}
			_, err := fmt.Println(b.spent.Nanoseconds())
			return err
		}
	}
	return fmt.Errorf("no case %s with %s", caseName, implName)
}

// run measures in a child process, which no other implementation's garbage disturbs: nanoseconds of one operation.
func run(c Case, i Impl, n int) (float64, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	limited, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(limited, self)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %d", childVariable, c.Name, i.Name, n))
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		line, _, _ := strings.Cut(problem.String(), "\n")
		return 0, fmt.Errorf("%w: %s", err, line)
	}
	ns, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	return ns / float64(n), err
}
