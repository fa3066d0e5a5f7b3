package cmemory

import (
	"debug/dwarf"
	"debug/elf"
	"runtime"
	"slices"
	"sort"

	"github.com/google/pprof/profile"
)

// frame is a function and a line in it.
type frame struct {
	name, file string
	line       int
}

// symbols finds the functions at program counters of this process.
type symbols struct {
	mappings []*profile.Mapping
	files    map[string]*objectFile
}

func newSymbols(mappings []*profile.Mapping) *symbols {
	return &symbols{mappings, map[string]*objectFile{}}
}

func (s *symbols) mapping(pc uintptr) *profile.Mapping {
	for _, m := range s.mappings {
		if m.Start <= uint64(pc-1) && uint64(pc-1) < m.Limit {
			return m
		}
	}
	return nil
}

// frames are the functions at a return address, the innermost first; several if functions were inlined. The runtime
// knows the outermost and the innermost of Go, the executable's DWARF all, also of C.
func (s *symbols) frames(pc uintptr) []frame {
	var known []frame
	if fn := runtime.FuncForPC(pc - 1); fn != nil {
		inner, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		outer := runtime.FuncForPC(fn.Entry()).Name()
		known = []frame{{inner.Function, inner.File, inner.Line}}
		if inner.Function == outer {
			return known
		}
		known = append(known, frame{name: outer})
	}
	m := s.mapping(pc)
	if m == nil || m.File == "" {
		return known
	}
	f := s.files[m.File]
	if f == nil {
		f = openObject(m.File)
		s.files[m.File] = f
	}
	address := f.address(uint64(pc-1) - m.Start + m.Offset)
	if found := f.lines(address); len(found) >= max(1, len(known)) {
		return found
	}
	if known != nil {
		return known
	}
	return f.symbol(address)
}

// objectFile is an executable or a library. All is empty if it cannot be read: it was replaced, or has no symbols.
type objectFile struct {
	loads   []elf.ProgHeader
	symbols []elf.Symbol // functions, by address
	dwarf   *dwarf.Data
	units   []unit
}

// unit is an address range of a compilation unit.
type unit struct {
	low, high uint64
	at        dwarf.Offset
}

func openObject(path string) *objectFile {
	f := &objectFile{}
	file, err := elf.Open(path)
	if err != nil {
		return f
	}
	defer func() { _ = file.Close() }() // only read
	for _, p := range file.Progs {
		if p.Type == elf.PT_LOAD {
			f.loads = append(f.loads, p.ProgHeader)
		}
	}
	all, _ := file.Symbols()
	dynamic, _ := file.DynamicSymbols()
	for _, s := range append(all, dynamic...) {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Value != 0 {
			f.symbols = append(f.symbols, s)
		}
	}
	slices.SortStableFunc(f.symbols, func(a, b elf.Symbol) int { return int(int64(a.Value) - int64(b.Value)) })
	if f.dwarf, err = file.DWARF(); err != nil {
		return f
	}
	for r := f.dwarf.Reader(); ; r.SkipChildren() {
		e, err := r.Next()
		if err != nil || e == nil {
			break
		}
		ranges, _ := f.dwarf.Ranges(e)
		for _, at := range ranges {
			f.units = append(f.units, unit{at[0], at[1], e.Offset})
		}
	}
	return f
}

// address is where an offset of the file lies, as the file counts.
func (f *objectFile) address(offset uint64) uint64 {
	for _, p := range f.loads {
		if p.Off <= offset && offset < p.Off+p.Filesz {
			return offset - p.Off + p.Vaddr
		}
	}
	return 0
}

func (f *objectFile) symbol(address uint64) []frame {
	after := sort.Search(len(f.symbols), func(i int) bool { return f.symbols[i].Value > address })
	if after == 0 {
		return nil
	}
	s := f.symbols[after-1]
	if s.Size != 0 && address >= s.Value+s.Size {
		return nil
	}
	return []frame{{name: s.Name}}
}

// lines are the functions at an address, by DWARF.
func (f *objectFile) lines(address uint64) []frame {
	for _, u := range f.units {
		if u.low <= address && address < u.high {
			return f.linesIn(u, address)
		}
	}
	return nil
}

func (f *objectFile) linesIn(u unit, address uint64) (innermostFirst []frame) {
	r := f.dwarf.Reader()
	r.Seek(u.at)
	head, err := r.Next()
	if err != nil || head == nil {
		return nil
	}
	table, err := f.dwarf.LineReader(head)
	if err != nil || table == nil {
		return nil
	}
	var here dwarf.LineEntry
	if table.SeekPC(address, &here) != nil || here.File == nil {
		return nil
	}
	// Outermost first: a function, and in it those that were inlined, each with the line of its call.
	var chain []*dwarf.Entry
	for depth := 0; ; {
		e, err := r.Next()
		if err != nil || e == nil {
			break
		}
		if e.Tag == 0 {
			if depth--; depth < 0 {
				break
			}
			continue
		}
		isFunction := e.Tag == dwarf.TagSubprogram || e.Tag == dwarf.TagInlinedSubroutine
		if isFunction && f.covers(e, address) {
			chain = append(chain, e)
		} else if isFunction || e.Tag != dwarf.TagLexDwarfBlock && e.Tag != dwarf.TagNamespace {
			r.SkipChildren()
			continue
		}
		if e.Children {
			depth++
		}
	}
	files := table.Files()
	file, line := here.File.Name, here.Line
	for _, e := range slices.Backward(chain) {
		innermostFirst = append(innermostFirst, frame{f.name(e), file, line})
		call, _ := e.Val(dwarf.AttrCallFile).(int64)
		at, _ := e.Val(dwarf.AttrCallLine).(int64)
		file, line = "", int(at)
		if 0 <= call && call < int64(len(files)) && files[call] != nil {
			file = files[call].Name
		}
	}
	return innermostFirst
}

func (f *objectFile) covers(e *dwarf.Entry, address uint64) bool {
	ranges, _ := f.dwarf.Ranges(e)
	return slices.ContainsFunc(ranges, func(r [2]uint64) bool { return r[0] <= address && address < r[1] })
}

// name follows an inlined function to where it is declared.
func (f *objectFile) name(e *dwarf.Entry) string {
	for range 4 {
		if name, ok := e.Val(dwarf.AttrName).(string); ok {
			return name
		}
		at, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			if at, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset); !ok {
				break
			}
		}
		r := f.dwarf.Reader()
		r.Seek(at)
		next, err := r.Next()
		if err != nil || next == nil {
			break
		}
		e = next
	}
	return "?"
}
