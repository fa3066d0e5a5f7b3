package handle

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

const maxSitesShown = 5

// LeakReport is the types of which handles were forgotten, the most forgotten first, as text; empty without leaks.
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

func (t *TypeStats) report(b *strings.Builder, level Detection) {
	fmt.Fprintf(b, "LEAK  type=%s  %s forgotten of %s opened, released by the net; %s open now   level=%s\n",
		t.Name, grouped(t.Forgotten), grouped(t.Opened), grouped(t.Open), level)
	for i, site := range t.Sites {
		if i == maxSitesShown {
			fmt.Fprintf(b, "  and %s more sites\n", grouped(int64(len(t.Sites)-maxSitesShown)))
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
	b.WriteString("  try        defer its Close" + raise(level, len(t.Sites) == 0) + "\n")
}

// raise says how to learn more.
func raise(level Detection, unknown bool) string {
	switch {
	case level == DetectFull:
		return ""
	case level == DetectSample && unknown:
		return "; no site was recorded; for every site: " + DetectionVariable + "=full"
	case level == DetectSample:
		return "; for every site: " + DetectionVariable + "=full"
	}
	return "; for its site: " + DetectionVariable + "=sample, or full in tests"
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
