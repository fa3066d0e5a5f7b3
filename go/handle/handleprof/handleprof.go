// Package handleprof writes a pprof profile of the program's open handles. For each stack that opened handles, the
// profile has their number and the size of their native memory.
//
// The profile has only openings whose stack was recorded. At [handle.DetectFull] these are all openings. At
// [handle.DetectSample] they are one in 128, and the figures are not scaled up. At the other levels the profile is
// empty. A profile keeps no handle reachable.
//
//	http.Handle("/debug/pprof/handles", handleprof.Handler())
//	go tool pprof http://localhost:6060/debug/pprof/handles
package handleprof

import (
	"compress/gzip"
	"io"
	"net/http"
	"runtime"
	"strings"
	"time"

	"offcut.dev/go/handle"
)

// Write writes the profile to w, in the compressed format of pprof. It returns the error of w.
func Write(w io.Writer) error {
	z := gzip.NewWriter(w)
	if _, err := z.Write(encode(handle.Stats(), time.Now())); err != nil {
		return err
	}
	return z.Close()
}

// Handler returns an HTTP handler that serves the profile.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", `attachment; filename="handles.pb.gz"`)
		_ = Write(w) // the reader went away
	})
}

// Fields of the messages in profile.proto of github.com/google/pprof.
const (
	profileSampleType = 1
	profileSample     = 2
	profileLocation   = 4
	profileFunction   = 5
	profileStrings    = 6
	profileTime       = 9

	typeName, typeUnit = 1, 2

	sampleLocation, sampleValue, sampleLabel = 1, 2, 3
	labelKey, labelText                      = 1, 2

	locationID, locationAddress, locationLine = 1, 3, 4
	lineFunction, lineNumber                  = 1, 2

	functionID, functionName, functionSystemName, functionFile = 1, 2, 3, 4
)

type encoder struct {
	out       message
	texts     map[string]uint64
	list      []string
	functions map[string]uint64
	locations map[uintptr]uint64
}

func encode(stats handle.Snapshot, now time.Time) []byte {
	e := &encoder{texts: map[string]uint64{"": 0}, list: []string{""},
		functions: map[string]uint64{}, locations: map[uintptr]uint64{}}
	for _, t := range [][2]string{{"open", "count"}, {"native", "bytes"}} {
		var m message
		m.number(typeName, e.text(t[0]))
		m.number(typeUnit, e.text(t[1]))
		e.out.bytes(profileSampleType, m)
	}
	for _, t := range stats.Types {
		for _, s := range t.Sites {
			if s.Open > 0 {
				e.sample(t.Name, s)
			}
		}
	}
	for _, text := range e.list {
		e.out.bytes(profileStrings, []byte(text))
	}
	e.out.number(profileTime, uint64(now.UnixNano()))
	return e.out
}

func (e *encoder) sample(name string, s handle.SiteStats) {
	var m, locations, values, label message
	for _, pc := range s.PCs {
		if isOwn(pc) {
			continue
		}
		locations.varint(e.location(pc))
	}
	m.bytes(sampleLocation, locations)
	values.varint(uint64(s.Open))
	values.varint(uint64(s.Bytes))
	m.bytes(sampleValue, values)
	label.number(labelKey, e.text("type"))
	label.number(labelText, e.text(name))
	m.bytes(sampleLabel, label)
	e.out.bytes(profileSample, m)
}

// isOwn says whether a program counter is in package handle: nobody asks which function of it opened.
func isOwn(pc uintptr) bool {
	frames := runtime.CallersFrames([]uintptr{pc})
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "offcut.dev/go/handle.") {
			return false
		}
		if !more {
			return true
		}
	}
}

// location is one program counter; of what was inlined there, several lines.
func (e *encoder) location(pc uintptr) uint64 {
	if id, ok := e.locations[pc]; ok {
		return id
	}
	id := uint64(len(e.locations) + 1)
	e.locations[pc] = id
	var m message
	m.number(locationID, id)
	m.number(locationAddress, uint64(pc))
	frames := runtime.CallersFrames([]uintptr{pc})
	for {
		f, more := frames.Next()
		if f.Function != "" {
			var line message
			line.number(lineFunction, e.function(f))
			line.number(lineNumber, uint64(f.Line))
			m.bytes(locationLine, line)
		}
		if !more {
			break
		}
	}
	e.out.bytes(profileLocation, m)
	return id
}

func (e *encoder) function(f runtime.Frame) uint64 {
	if id, ok := e.functions[f.Function]; ok {
		return id
	}
	id := uint64(len(e.functions) + 1)
	e.functions[f.Function] = id
	var m message
	m.number(functionID, id)
	m.number(functionName, e.text(f.Function))
	m.number(functionSystemName, e.text(f.Function))
	m.number(functionFile, e.text(f.File))
	e.out.bytes(profileFunction, m)
	return id
}

func (e *encoder) text(s string) uint64 {
	if id, ok := e.texts[s]; ok {
		return id
	}
	id := uint64(len(e.list))
	e.texts[s] = id
	e.list = append(e.list, s)
	return id
}
