package cmemory

import (
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/google/pprof/profile"
)

// sample is a live block that was sampled.
type sample struct {
	bytes, rate uint64
	pcs         []uintptr // return addresses, from the caller of malloc outwards
}

// blocks is how many blocks of its size it stands for.
func (s sample) blocks() float64 { return 1 / -math.Expm1(-float64(s.bytes)/float64(s.rate)) }

// WriteProfile writes a profile of the live C memory to w, in the compressed format of pprof. A sample has an estimate
// of the blocks (inuse_objects) and of their bytes (inuse_space). A comment in the profile has the exact sums. WriteProfile
// returns the error of w, or [ErrUnsupported].
//
// The names and lines of C functions, and of Go functions that were inlined, come from the DWARF of the executable. The
// first profile reads it, which takes a second if the executable is large. Without DWARF there are names alone.
func WriteProfile(w io.Writer) error {
	all, err := samples()
	if err != nil {
		return err
	}
	exact, err := live()
	if err != nil {
		return err
	}
	p, err := build(all)
	if err != nil {
		return err
	}
	p.Comments = []string{fmt.Sprintf("live C memory, exactly: %d bytes in %d blocks; estimated from %d samples",
		exact.Bytes, exact.Blocks, len(all))}
	return p.Write(w)
}

type builder struct {
	profile   *profile.Profile
	symbols   *symbols
	locations map[uintptr]*profile.Location
	functions map[string]*profile.Function
	sums      map[string]*sum
}

// sum is of all samples of a stack.
type sum struct {
	sample        *profile.Sample
	blocks, bytes float64
}

func build(all []sample) (*profile.Profile, error) {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return nil, err
	}
	defer func() { _ = maps.Close() }() // only read
	mappings, err := profile.ParseProcMaps(maps)
	if err != nil {
		return nil, err
	}
	b := &builder{
		profile: &profile.Profile{
			SampleType:        []*profile.ValueType{{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}},
			DefaultSampleType: "inuse_space",
			PeriodType:        &profile.ValueType{Type: "space", Unit: "bytes"},
			TimeNanos:         time.Now().UnixNano(),
		},
		symbols:   newSymbols(mappings),
		locations: map[uintptr]*profile.Location{}, functions: map[string]*profile.Function{}, sums: map[string]*sum{},
	}
	for _, s := range all {
		b.profile.Period = int64(s.rate)
		b.add(s)
	}
	for _, s := range b.sums {
		s.sample.Value = []int64{int64(math.Round(s.blocks)), int64(math.Round(s.bytes))}
		b.profile.Sample = append(b.profile.Sample, s.sample)
	}
	return b.profile, b.profile.CheckValid()
}

func (b *builder) add(s sample) {
	key := fmt.Sprint(s.pcs)
	total := b.sums[key]
	if total == nil {
		total = &sum{sample: &profile.Sample{}}
		b.sums[key] = total
		for _, pc := range s.pcs {
			if l := b.location(pc); len(l.Line) == 0 || !isCrossing(l.Line[0].Function.Name) {
				total.sample.Location = append(total.sample.Location, l)
			}
		}
	}
	blocks := s.blocks()
	total.blocks += blocks
	total.bytes += blocks * float64(s.bytes)
}

// isCrossing says whether a function is the runtime's way from Go to C, which says nothing.
func isCrossing(name string) bool {
	switch name {
	case "runtime.asmcgocall", "runtime.asmcgocall_landingpad", "runtime.cgocall", "runtime.goexit":
		return true
	}
	return false
}

func (b *builder) location(pc uintptr) *profile.Location {
	if l := b.locations[pc]; l != nil {
		return l
	}
	l := &profile.Location{ID: uint64(len(b.locations) + 1), Address: uint64(pc) - 1, Mapping: b.symbols.mapping(pc)}
	for _, f := range b.symbols.frames(pc) {
		l.Line = append(l.Line, profile.Line{Function: b.function(f), Line: int64(f.line)})
	}
	b.locations[pc] = l
	if m := l.Mapping; m != nil && m.ID == 0 {
		m.ID = uint64(len(b.profile.Mapping) + 1)
		b.profile.Mapping = append(b.profile.Mapping, m)
	}
	if l.Mapping != nil && len(l.Line) > 0 {
		l.Mapping.HasFunctions = true
	}
	// The profile's order is that of its numbers.
	b.profile.Location = append(b.profile.Location, l)
	return l
}

func (b *builder) function(f frame) *profile.Function {
	key := f.name + "\x00" + f.file
	known := b.functions[key]
	if known == nil {
		known = &profile.Function{ID: uint64(len(b.functions) + 1), Name: f.name, SystemName: f.name, Filename: f.file}
		b.functions[key] = known
		b.profile.Function = append(b.profile.Function, known)
	}
	return known
}
