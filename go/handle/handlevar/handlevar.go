// Package handlevar publishes the counts of package handle as an expvar. It is a package of its own because importing
// expvar registers an HTTP handler.
package handlevar

import (
	"expvar"

	"offcut.dev/go/handle"
)

// Name is the name of the published variable.
const Name = "offcut.handle"

// Publish publishes the variable: an object with one entry for each type and pool. The names of its counters are those
// of the Java library. Call it once; a second call panics, as [expvar.Publish] does.
func Publish() {
	expvar.Publish(Name, expvar.Func(func() any { return counters(handle.Stats()) }))
}

func counters(s handle.Snapshot) map[string]map[string]int64 {
	all := make(map[string]map[string]int64)
	for _, one := range s.Types {
		t := s.Of(one.Name)
		all[one.Name] = map[string]int64{
			"opened":    t.Opened,
			"closed":    t.Closed,
			"forgotten": t.Forgotten,
			"open":      t.Open,
			"promoted":  t.Promoted,
			"pinned":    t.Pinned,
			"failures":  t.Failures,
			"oldest":    t.Oldest.Nanoseconds(),
		}
	}
	return all
}
