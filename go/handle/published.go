package handle

import (
	"strings"

	"offcut.dev/go/internal/tables"
)

// The tables of spec/tables.md that this package writes in a program that `offcut run` started.
const (
	statisticsSchema = "offcut.HandleStatistics\ncopy long\ntype text\nopened long\nclosed long\nforgotten long\nopen long\n" +
		"promoted long\npinned long\nfailures long\noldest long"

	leakSchema = "offcut.HandleLeak\ncopy long\ntype text\ncount long\nsite text\nlevel text"

	siteSchema = "offcut.HandleSite\ntype text\nsite text\nopen long\nbytes long"

	levelSchema = "offcut.HandleConfiguration\nlevel text\nsampleEvery long"
)

var _ = tables.Register("handle", published)

// published tells all counts of now. Types of one name have one row.
func published(l *tables.Look) {
	s := Stats()
	l.Handles = 0
	rows := []tables.Row{{Schema: levelSchema, Values: []any{s.Level.String(), sampleInterval}}}
	told := ""
	for i, t := range s.Types { // sorted by name
		if i > 0 && t.Name == told {
			continue
		}
		told = t.Name
		sum := s.Of(t.Name)
		l.Handles += sum.Open
		rows = append(rows, tables.Row{Schema: statisticsSchema, Key: t.Name, Values: []any{0, t.Name, sum.Opened, sum.Closed,
			sum.Forgotten, sum.Open, sum.Promoted, sum.Pinned, sum.Failures, int64(sum.Oldest)}})
		rows = append(rows, leaks(sum, s.Level)...)
		for _, site := range bySite(sum.Sites, func(s SiteStats) int64 { return s.Open }) {
			if site.count > 0 {
				rows = append(rows, tables.Row{Schema: siteSchema, Key: t.Name + "\n" + site.text,
					Values: []any{t.Name, site.text, site.count, site.bytes}})
			}
		}
	}
	l.Rows = append(l.Rows, rows...)
}

// leaks is what was forgotten of a type by line, and one row for what has no recorded stack.
func leaks(t TypeStats, level Detection) []tables.Row {
	var rows []tables.Row
	rest := t.Forgotten
	add := func(count int64, site string) {
		if count > 0 {
			rows = append(rows, tables.Row{Schema: leakSchema, Key: t.Name + "\n" + site,
				Values: []any{0, t.Name, count, site, level.String()}})
		}
	}
	for _, site := range bySite(t.Sites, func(s SiteStats) int64 { return s.Forgotten }) {
		add(site.count, site.text)
		rest -= site.count
	}
	add(rest, "")
	return rows
}

type siteText struct {
	text         string
	count, bytes int64
}

// bySite adds up what has the same lines: two stacks may differ in their addresses alone.
func bySite(sites []SiteStats, count func(SiteStats) int64) []siteText {
	var all []siteText
	at := make(map[string]int)
	for _, s := range sites {
		text := strings.Join(s.Stack, "\n")
		i, known := at[text]
		if !known {
			i = len(all)
			at[text] = i
			all = append(all, siteText{text: text})
		}
		all[i].count += count(s)
		all[i].bytes += s.Bytes
	}
	return all
}
