package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// looks are the numbers of rounds after which a bar is looked at, and for each the quantile of Student's t by which the
// intervals of all looks contain the truth together, 95 times in 100 or more: the error of 5 % is shared by eight looks and
// two sides. They are those of the Java suites, which compute them; a test here draws rounds of a known truth.
var looks = []struct {
	rounds   int
	quantile float64
}{{3, 12.5897}, {4, 6.8952}, {5, 5.2611}, {7, 4.1152}, {9, 3.6766}, {12, 3.3702}, {16, 3.1771}, {21, 3.0550}}

var lastLook = looks[len(looks)-1].rounds

// quantile is that of the last look that has so many rounds; false before the first.
func quantile(rounds int) (t float64, ok bool) {
	for _, look := range looks {
		if look.rounds <= rounds {
			t, ok = look.quantile, true
		}
	}
	return t, ok
}

func isLook(rounds int) bool {
	for _, look := range looks {
		if look.rounds == rounds {
			return true
		}
	}
	return false
}

// interval is where the mean of what the values are drawn from lies. They are to be about normal.
func interval(values []float64) (low, high float64, ok bool) {
	t, ok := quantile(len(values))
	if !ok {
		return 0, 0, false
	}
	n := float64(len(values))
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	half := t * math.Sqrt(squares/(n-1)/n)
	return mean - half, mean + half, true
}

// Judged is a bar of a run: what came of it, and what that rests on. As in spec/bench.schema.json.
type Judged struct {
	Bar      string   `json:"bar"`
	Measured *float64 `json:"measured,omitempty"`
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`
	Rounds   int      `json:"rounds"`
	Decided  bool     `json:"decided"`
	Met      bool     `json:"met"`
	Verdict  string   `json:"verdict"`
}

// compared has, for the rounds that have all of it, what the bar is about: of a ratio the logarithm.
func (b Bar) compared(samples Samples, c Case) []float64 {
	mine := samples[series{c.Name, b.Impl, "", b.Metric}]
	if b.Of == "" && b.Over == "" {
		return mine.values()
	}
	other := samples[series{c.Name, b.Of + b.Over, "", b.Metric}]
	var all []float64
	for _, round := range mine.rounds() {
		with, ok := other[round]
		switch {
		case !ok:
		case b.Over != "":
			all = append(all, mine[round]-with)
		case with > 0 && mine[round] > 0:
			all = append(all, math.Log(mine[round]/with))
		}
	}
	return all
}

// decide says whether the rounds so far decide the bar, with the ends of the interval in the bar's own unit.
func (b Bar) decide(samples Samples, c Case) (decided, met bool, low, high float64, rounds int, ok bool) {
	values := b.compared(samples, c)
	low, high, ok = interval(values)
	if b.Of != "" {
		low, high = math.Exp(low), math.Exp(high)
	}
	met = ok && high <= b.AtMost
	return met || ok && low > b.AtMost, met, low, high, len(values), ok
}

// judge is by the interval if it decides, else by the rows.
func (b Bar) judge(samples Samples, rows []Row, c Case) Judged {
	judged := Judged{Bar: b.text(c)}
	measured, ok := b.measure(rows, c.Name)
	if !ok {
		judged.Verdict = "NOT met: not measured"
		return judged
	}
	decided, met, low, high, n, known := b.decide(samples, c)
	if !decided {
		met = measured <= b.AtMost
	}
	measured, low, high = rounded(measured), rounded(low), rounded(high)
	judged.Measured, judged.Rounds, judged.Decided, judged.Met = &measured, n, decided, met
	if known {
		judged.Low, judged.High = &low, &high
	}
	word := "met"
	if !met {
		word = "NOT met"
	}
	of := strconv.Itoa(n) + " rounds"
	if n == 1 {
		of = "1 round"
	}
	switch {
	case decided:
		judged.Verdict = word + ", decided after " + of
	case known:
		judged.Verdict = word + ", limit: not decided after " + of
	default:
		judged.Verdict = word + ", limit: too few to decide, " + of
	}
	return judged
}

func (b Bar) text(c Case) string {
	text := fmt.Sprintf("%s, %s: %s", c.Name, b.Metric, b.Impl)
	if b.Of != "" {
		text += " / " + b.Of
	}
	if b.Over != "" {
		text += " − " + b.Over
	}
	return text + " ≤ " + strconv.FormatFloat(b.AtMost, 'g', -1, 64)
}

// judged are the bars of all cases.
func judgedBars(samples Samples, rows []Row, chosen []Case) []Judged {
	all := []Judged{}
	for _, c := range chosen {
		for _, b := range c.Bars {
			all = append(all, b.judge(samples, rows, c))
		}
	}
	return all
}

// line is the bar for people: its text, what was measured with the interval, the verdict.
func (j Judged) line() []string {
	number := ""
	if j.Measured != nil {
		number = brief(*j.Measured)
	}
	if j.Low != nil && *j.Low != *j.High {
		number += " (" + brief(*j.Low) + " to " + brief(*j.High) + ")"
	}
	return []string{j.Bar, number, j.Verdict}
}

// open are the bars of a case that are not decided after so many rounds, and that more rounds may decide.
func open(bars []Bar, samples Samples, c Case, rounds int) []Bar {
	return slices.DeleteFunc(slices.Clone(bars), func(b Bar) bool {
		decided, _, _, _, n, _ := b.decide(samples, c)
		return n < rounds || isLook(rounds) && decided
	})
}

// of are the implementations that the bars are about.
func implsOf(c Case, bars []Bar) []Impl {
	var impls []Impl
	for _, i := range c.Impls {
		if slices.ContainsFunc(bars, func(b Bar) bool { return i.Name == b.Impl || i.Name == b.Of || i.Name == b.Over }) {
			impls = append(impls, i)
		}
	}
	return impls
}
