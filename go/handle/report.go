package handle

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

const maxSitesShown = 5

// LeakReport returns a text about each type that has forgotten handles, the most forgotten first. It is empty if there
// are none.
func (s Snapshot) LeakReport() string {
	var leaks []TypeStats
	for _, t := range s.Types {
		if t.Forgotten > 0 {
			leaks = append(leaks, t)
		}
	}
	sort.SliceStable(leaks, func(i, j int) bool { return leaks[i].Forgotten > leaks[j].Forgotten })
	var b strings.Builder
	for _, t := range leaks {
		t.report(&b, s.Level)
	}
	return b.String()
}

// ExitReport returns a text about the handles that the program forgot or left open. Call it at the end of main: Go has
// no hook that runs at exit, and [os.Exit] skips deferred calls.
//
//	defer func() { fmt.Fprint(os.Stderr, handle.ExitReport(5 * time.Second)) }()
//
// ExitReport first looks for forgotten handles, for limit at most, and the net releases them. If the time did not
// suffice, the text says so. The text has the stacks of openings that the detection level recorded.
func ExitReport(limit time.Duration) string {
	complete := Drain(limit)
	return Stats().exitReport(limit, complete)
}

func (s Snapshot) exitReport(limit time.Duration, complete bool) string {
	var opened, forgotten, open int64
	for _, t := range s.Types {
		opened += t.Opened
		forgotten += t.Forgotten
		open += t.Open
	}
	var b strings.Builder
	fmt.Fprintf(&b, "offcut: handles at exit: %s opened, %s forgotten, %s still open   level=%s\n",
		grouped(opened), grouped(forgotten), grouped(open), s.Level)
	b.WriteString(s.LeakReport())
	for _, t := range s.Types {
		if t.Open == 0 {
			continue
		}
		fmt.Fprintf(&b, "OPEN  type=%s  %s open of %s opened: reachable, and not closed\n",
			t.Name, grouped(t.Open), grouped(t.Opened))
		at := slices.Clone(t.Sites)
		sort.SliceStable(at, func(i, j int) bool { return at[i].Open > at[j].Open })
		for i, site := range at {
			if i < maxSitesShown && site.Open > 0 {
				fmt.Fprintf(&b, "  opened at  %s   (%s recorded)\n", site.Stack[0], grouped(site.Open))
			}
		}
	}
	if complete {
		b.WriteString("  note       resources without a handle are not included\n")
	} else {
		fmt.Fprintf(&b, "  note       the safety net had not finished after %g s; some handles counted as open may be forgotten\n",
			limit.Seconds())
	}
	return b.String()
}

func (t *TypeStats) report(b *strings.Builder, level Detection) {
	fmt.Fprintf(b, "FORGOTTEN  type=%s  %s of %s opened, released by the safety net; %s open now   level=%s\n",
		t.Name, grouped(t.Forgotten), grouped(t.Opened), grouped(t.Open), level)
	sites := slices.DeleteFunc(slices.Clone(t.Sites), func(s SiteStats) bool { return s.Forgotten == 0 })
	for i, site := range sites {
		if i == maxSitesShown {
			fmt.Fprintf(b, "  and %s more sites\n", grouped(int64(len(sites)-maxSitesShown)))
			break
		}
		for j, frame := range site.Stack {
			if j == 0 {
				fmt.Fprintf(b, "  opened at  %s   (%s recorded)\n", frame, grouped(site.Forgotten))
			} else {
				fmt.Fprintf(b, "             %s\n", frame)
			}
		}
	}
	b.WriteString("  try        defer each Close" + raise(level, len(sites) == 0) + "\n")
}

// raise says how to learn more.
func raise(level Detection, unknown bool) string {
	switch {
	case level == DetectFull:
		return ""
	case level == DetectSample && unknown:
		return "; no site was recorded; to record every site: " + detectionVariable + "=full"
	case level == DetectSample:
		return "; to record every site: " + detectionVariable + "=full"
	}
	return "; to record sites: " + detectionVariable + "=sample, or full in tests"
}

// grouped is a number with commas.
func grouped(n int64) string {
	if n < 0 {
		return "-" + grouped(-n)
	}
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
