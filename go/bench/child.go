package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

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
	if _, err := fmt.Sscanf(order, "%s %s %d", &caseName, &implName, &n); err != nil {
		fmt.Fprintln(os.Stderr, "bench: bad order:", order)
		return 2, true
	}
	impl, err := find(caseName, implName)
	if err == nil {
		err = measure(impl, n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	return 0, true
}

// measure warms up with a tenth and prints the metrics of the rest, one JSON object in the last line.
func measure(impl Impl, n int) error {
	if err := impl.Run(newB(max(n/10, 1))); err != nil {
		return fmt.Errorf("warming up: %w", err)
	}
	b := newB(n)
	if err := impl.Run(b); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(b.metrics)
}

func find(caseName, implName string) (Impl, error) {
	for _, c := range cases {
		for _, i := range c.Impls {
			if c.Name == caseName && i.Name == implName {
				return i, nil
			}
		}
	}
	return Impl{}, fmt.Errorf("no case %s with %s", caseName, implName)
}

// errTimeIsUp says that a measurement was ended, not that it failed.
var errTimeIsUp = errors.New("time is up")

// run measures in a child process, which no other implementation's garbage disturbs.
// Its program is this one, unless another is named.
func run(c Case, i Impl, n int, limit time.Duration, program string) (map[string]float64, error) {
	if program == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		program = self
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), preloading(i)...)
	cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%s %s %d", childVariable, c.Name, i.Name, n))
	var out, problem strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &problem
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	timer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	if !timer.Stop() {
		return nil, fmt.Errorf("%w: no end within %v", errTimeIsUp, limit)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, firstLine(problem.String()))
	}
	metrics := make(map[string]float64)
	return metrics, json.Unmarshal([]byte(lastLine(out.String())), &metrics)
}

// preloading is what the environment of a measurement has for the library that it wants.
func preloading(i Impl) []string {
	if i.Preload == "" {
		return nil
	}
	return []string{"LD_PRELOAD=" + preload(i)}
}

// preload is where that library is; empty if it is not there.
func preload(i Impl) string {
	for _, folder := range []string{"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/local/lib", "/usr/lib"} {
		path := filepath.Join(folder, i.Preload)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

func lastLine(text string) (line string) {
	scanner := bufio.NewScanner(strings.NewReader(text))
	for scanner.Scan() {
		line = scanner.Text()
	}
	return line
}
