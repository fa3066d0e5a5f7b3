package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// measurement is the rounds of one run of the command.
type measurement struct {
	options
	errs       io.Writer
	began      time.Time
	others     *othersLoad
	samples    Samples
	failed     map[series]bool
	leftOut    []string // sentences
	incomplete bool
	folder     string // of the programs of other toolchains
	took       map[string]time.Duration
	start      starter
}

// starter runs one child; in tests it is none.
type starter func(c Case, i Impl, n int, limit time.Duration, program string) (map[string]float64, error)

func newMeasurement(errs io.Writer, o options, start starter) *measurement {
	return &measurement{options: o, errs: errs, began: time.Now(), others: newOthersLoad(), start: start,
		samples: make(Samples), failed: make(map[series]bool), took: make(map[string]time.Duration)}
}

// toolchain is a version of Go with the program that it built of this module.
type toolchain struct{ name, program string }

// run measures every implementation once a round, so that what disturbs the machine meets all of them. After the rounds
// that every case has, further rounds decide the open bars. Time limits all rounds but the first.
func (m *measurement) run() {
	m.build()
	most := rounds
	if m.quick {
		most = quickRounds
	}
	for round := range most {
		for at, c := range m.chosen {
			if m.quick && time.Since(m.began) > m.quickLimit {
				if round == 0 {
					fmt.Fprintf(m.errs, "bench: no time left for %s and %d cases after it; measure them with --case, or without --quick\n",
						c.Name, len(m.chosen)-at-1)
				}
				return
			}
			if round > 0 && !m.fits(c.Name) {
				m.leave(fmt.Sprintf("%s: fewer than %d rounds, for want of time", c.Name, most))
				continue
			}
			fmt.Fprintf(m.errs, "%s, round %d of %d%s\n", c.Name, round+1, most, m.left())
			m.round(c, c.Impls, round, c.Name)
		}
	}
	if !m.quick {
		m.decide(most)
	}
}

func (m *measurement) decide(from int) {
	bars := make(map[string][]Bar)
	for _, c := range m.chosen {
		bars[c.Name] = c.Bars
	}
	for round := from; round < lastLook; round++ {
		for _, c := range m.chosen {
			bars[c.Name] = open(bars[c.Name], m.samples, c, round)
			impls := implsOf(c, bars[c.Name])
			what := c.Name + ", bars"
			if len(impls) == 0 || !m.fits(what) {
				bars[c.Name] = nil
				continue
			}
			fmt.Fprintf(m.errs, "%s, round %d, until its bars are decided%s\n", c.Name, round+1, m.left())
			c.Headline = nil // of this toolchain alone
			m.round(c, impls, round, what)
		}
	}
}

// fits is whether there is time for a round like the last one of this name.
func (m *measurement) fits(name string) bool {
	return m.limit == 0 || time.Since(m.began)+m.took[name] <= m.limit
}

func (m *measurement) left() string {
	if m.limit == 0 {
		return ""
	}
	return fmt.Sprintf(", about %.0f s left", max(0, (m.limit-time.Since(m.began)).Seconds()))
}

func (m *measurement) leave(sentence string) {
	if !slices.Contains(m.leftOut, sentence) {
		m.leftOut = append(m.leftOut, sentence)
		fmt.Fprintf(m.errs, "bench: %s\n", sentence)
	}
}

// round runs each of the implementations once, and the headline ones with the other toolchains.
func (m *measurement) round(c Case, impls []Impl, round int, name string) {
	start := time.Now()
	for k := range impls {
		i := impls[(k+round)%len(impls)] // none is always the first
		m.child(c, i, round, toolchain{})
		if slices.Contains(c.Headline, i.Name) {
			for _, t := range m.toolchains {
				m.child(c, i, round, t)
			}
		}
	}
	m.took[name] = time.Since(start)
}

func (m *measurement) child(c Case, i Impl, round int, t toolchain) {
	n, limit := c.N, childLimit
	if m.quick {
		n, limit = c.Quick, m.quickLimit+8*time.Second-time.Since(m.began)
	}
	key := series{c.Name, i.Name, t.name, ""}
	if m.failed[key] {
		return
	}
	if i.Preload != "" && preload(i) == "" {
		m.leave(fmt.Sprintf("%s, %s: left out, since %s is not there", c.Name, i.Name, i.Preload))
		m.failed[key] = true
		return
	}
	m.others.sample()
	metrics, err := m.start(c, i, n, limit, t.program)
	if m.quick && errors.Is(err, errTimeIsUp) {
		fmt.Fprintf(m.errs, "bench: no time left for %s, %s\n", c.Name, i.Name)
		return
	}
	if err != nil {
		fmt.Fprintf(m.errs, "bench: %s, %s: %v\n", c.Name, i.Name, err)
		m.failed[key], m.incomplete = true, true
		return
	}
	m.samples.add(c, i, t.name, round, metrics)
}

// build builds this module with the other toolchains. One that is not there is left out.
func (m *measurement) build() {
	self, err := os.Executable()
	if len(m.toolchains) == 0 || err != nil {
		return
	}
	if m.folder, err = os.MkdirTemp("", "offcut-bench-go-"); err != nil {
		m.leave(fmt.Sprintf("other toolchains: %v", err))
		m.toolchains = nil
		return
	}
	var there []toolchain
	for _, t := range m.toolchains {
		t.program = filepath.Join(m.folder, t.name)
		cmd := exec.Command("go", "build", "-ldflags", "-X main.offcutVersion="+offcutVersion, "-o", t.program, ".")
		cmd.Dir = filepath.Dir(filepath.Dir(self)) // go/bench/target/bench
		cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+t.name)
		if out, err := cmd.CombinedOutput(); err != nil {
			m.leave(fmt.Sprintf("%s: %v: %s", t.name, err, firstLine(string(out))))
			continue
		}
		there = append(there, t)
	}
	m.toolchains = there
}

func (m *measurement) remove() {
	if m.folder != "" {
		_ = os.RemoveAll(m.folder)
	}
}
