package tables

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

const (
	programSchema = "offcut.GoProgram\npid long\nmain text\narguments text\nversion text\nstarted time\npackages text"

	memorySchema = "offcut.GoMemory\nobjects long\nunused long\nfree long\nstacks long\nmetadata long\nlive long\n" +
		"limit long\ngoroutines long"

	processSchema = "offcut.ProcessMemory\nresident long\nresidentPeak long\ncontainerLimit long"

	seriesSchema = "offcut.Series\ntime time\nresident long\nheap long\nheapUsed long\nheapAfter long\nhandles long\n" +
		"pauses long\npauseNanos long\npauseCause text"
)

// mostPoints is how many rows the series has at most. When they are full, every second one is dropped, and from then on a
// row stands for twice the time.
const mostPoints = 600

// unknown is in place of a number that is not known.
const unknown = -1

// The metrics of the runtime that are read, in this order.
const (
	objects = iota
	unused
	free
	stacks
	live
	limit
	goroutines
	firstOfMetadata
)

var read = []string{
	objects:         "/memory/classes/heap/objects:bytes",
	unused:          "/memory/classes/heap/unused:bytes",
	free:            "/memory/classes/heap/free:bytes",
	stacks:          "/memory/classes/heap/stacks:bytes",
	live:            "/gc/heap/live:bytes",
	limit:           "/gc/gomemlimit:bytes",
	goroutines:      "/sched/goroutines:goroutines",
	firstOfMetadata: "/memory/classes/metadata/mcache/free:bytes",
	8:               "/memory/classes/metadata/mcache/inuse:bytes",
	9:               "/memory/classes/metadata/mspan/free:bytes",
	10:              "/memory/classes/metadata/mspan/inuse:bytes",
	11:              "/memory/classes/metadata/other:bytes",
	12:              "/memory/classes/os-stacks:bytes",
	13:              "/memory/classes/other:bytes",
	14:              "/memory/classes/profiling/buckets:bytes",
}

// goRuntime is what the runtime says of itself, and what the system says of the process.
type goRuntime struct {
	p       *publisher
	samples []metrics.Sample
	points  []point
	every   time.Duration
	next    time.Time
}

// point is a row of the series, by its time in ms since 1970.
type point struct {
	time   int64
	values []any
}

func newRuntime(p *publisher) *goRuntime {
	g := &goRuntime{p: p, every: time.Second, samples: make([]metrics.Sample, len(read))}
	for i, name := range read {
		g.samples[i].Name = name
	}
	return g
}

// value is a metric; unknown if this release does not have it.
func (g *goRuntime) value(i int) int64 {
	if v := g.samples[i].Value; v.Kind() == metrics.KindUint64 {
		return int64(min(v.Uint64(), 1<<63-1))
	}
	return unknown
}

func (g *goRuntime) look(l *Look) {
	metrics.Read(g.samples)
	metadata := int64(0)
	for i := firstOfMetadata; i < len(g.samples); i++ {
		metadata += max(0, g.value(i))
	}
	process := status()
	l.Rows = append(l.Rows,
		Row{programSchema, "", []any{os.Getpid(), os.Args[0], strings.Join(os.Args[1:], " "), runtime.Version(),
			g.p.began.UnixMilli(), strings.Join(g.p.names, ",")}},
		Row{memorySchema, "", []any{g.value(objects), g.value(unused), g.value(free), g.value(stacks), metadata,
			g.value(live), g.value(limit), g.value(goroutines)}},
		Row{processSchema, "", []any{process["VmRSS"], process["VmHWM"], unknown}})
	g.addPoint(process["VmRSS"], l.Handles)
	for _, point := range g.points {
		l.Rows = append(l.Rows, Row{seriesSchema, strconv.FormatInt(point.time, 10), point.values})
	}
}

// addPoint adds a row to the series, if it is time for one.
func (g *goRuntime) addPoint(resident, handles int64) {
	now := g.p.now()
	if now.Before(g.next) {
		return
	}
	g.next = now.Add(g.every - g.every/8) // a look is seldom early, and often late
	var gc debug.GCStats
	debug.ReadGCStats(&gc)
	heap := g.value(objects) + g.value(unused) + g.value(free)
	after := g.value(live)
	if after == 0 {
		after = unknown // there was no collection yet
	}
	g.points = append(g.points, point{now.UnixMilli(), []any{now.UnixMilli(), resident, heap, g.value(objects), after,
		handles, gc.NumGC, int64(gc.PauseTotal), "Go collection"}})
	if len(g.points) > mostPoints {
		g.every *= 2
		half := g.points[:0]
		for i := 0; i < len(g.points); i += 2 {
			half = append(half, g.points[i])
		}
		g.points = half
	}
}

// status is what the system says of the process, in bytes; unknown where it says nothing.
func status() map[string]int64 {
	all := map[string]int64{"VmRSS": unknown, "VmHWM": unknown}
	text, err := os.ReadFile(filepath.Join("/proc/self", "status"))
	if err != nil {
		return all // not Linux
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if _, wanted := all[name]; wanted {
			if kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64); err == nil {
				all[name] = kib << 10
			}
		}
	}
	return all
}
