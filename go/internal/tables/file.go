package tables

import (
	"encoding/binary"
	"os"
	"strings"
)

// The layout, version 2, of spec/tables.md: offsets of the words of the header and of a segment.
const (
	magic   = "OFFCUTTB"
	version = 2

	versionAt = 8
	pidAt     = 16
	firstAt   = 24
	lookedAt  = 32
	stateAt   = 40
	fullAt    = 48
	headBytes = 64

	schemaAt   = 8
	columnsAt  = 16
	capacityAt = 24
	rowsAt     = 32

	word = 8
)

const (
	// Bytes of a file at most. Readers expect no more.
	mostBytes = 64 << 20
	// Rows of the first segment of a table. More wastes space in tables of one row; each further segment has twice as many.
	fewestRows = 8
	// Rows of a segment at most.
	mostRows = 512
	// Bytes of a text at most. Readers take a longer one for damage.
	mostText = 1 << 20
)

// file is a file of tables as its writer sees it. It writes by system calls, one after the other, so a reader that maps the
// file sees each write whole and in this order. One goroutine at a time uses it.
type file struct {
	f        *os.File
	end      int64
	lastLink int64 // the word that is to refer to the next segment
	texts    map[string]int64
	tables   map[string]*table // by schema
	full     bool
	err      error // the first; nothing is written after it
}

// table has the rows of one schema.
type table struct {
	columns  int
	capacity int64   // of its last segment
	unused   []int64 // rows that nobody has
	rows     map[string]*row
}

// row is a row of the file: which of its copies counts, and what stands in it.
type row struct {
	at      int64
	version int64
	values  []int64
	round   int // in which it was last told
}

// create makes a file of tables. It appears under its name when it is complete: a program that replaces itself by another
// one has the same PID, and a reader may still have mapped the file before.
func create(path string, pid int) (*file, error) {
	f, err := os.OpenFile(path+".new", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	t := &file{f: f, end: headBytes, lastLink: firstAt, texts: map[string]int64{}, tables: map[string]*table{}}
	t.grow(0)
	t.put(versionAt, version)
	t.put(pidAt, int64(pid))
	t.write(0, []byte(magic))
	if t.err == nil {
		t.err = os.Rename(path+".new", path)
	}
	if t.err != nil {
		_ = f.Close()                // the error before says more
		_ = os.Remove(path + ".new") // likewise
		return nil, t.err
	}
	return t, nil
}

func (t *file) write(at int64, bytes []byte) {
	if t.err == nil {
		_, t.err = t.f.WriteAt(bytes, at)
	}
}

func (t *file) put(at int64, values ...int64) {
	t.write(at, words(values))
}

func words(values []int64) []byte {
	bytes := make([]byte, 0, word*len(values))
	for _, v := range values {
		bytes = binary.LittleEndian.AppendUint64(bytes, uint64(v))
	}
	return bytes
}

// grow adds bytes to the file, all zero, and returns where they begin. It returns 0 if the file is full.
func (t *file) grow(bytes int64) int64 {
	at := t.end
	bytes = (bytes + word - 1) &^ (word - 1)
	if at+bytes > mostBytes {
		if !t.full {
			t.full = true
			t.put(fullAt, 1)
		}
		return 0
	}
	if t.err == nil {
		t.err = t.f.Truncate(at + bytes)
	}
	t.end = at + bytes
	return at
}

// text is where a text stands, which is written once.
func (t *file) text(s string) int64 {
	if len(s) > mostText {
		s = s[:mostText]
	}
	if s == "" {
		return 0
	}
	at, known := t.texts[s]
	if !known {
		at = t.grow(word + int64(len(s)))
		if at != 0 {
			t.write(at, append(words([]int64{int64(len(s))}), s...))
			t.texts[strings.Clone(s)] = at
		}
	}
	return at
}

// set writes a row of a table, unless it is as it was. round is a number that the caller counts.
func (t *file) set(r Row, round int) {
	of := t.tables[r.Schema]
	if of == nil {
		of = &table{columns: strings.Count(r.Schema, "\n"), rows: map[string]*row{}}
		t.tables[r.Schema] = of
	}
	one := of.rows[r.Key]
	if one == nil {
		if len(of.unused) == 0 && !t.newSegment(r.Schema, of) {
			return
		}
		last := len(of.unused) - 1
		one = &row{at: of.unused[last], values: make([]int64, of.columns)}
		of.unused = of.unused[:last]
		one.version = t.versionAt(one.at)
		of.rows[r.Key] = one
	}
	one.round = round
	values := make([]int64, of.columns)
	for i, v := range r.Values {
		switch v := v.(type) {
		case int64:
			values[i] = v
		case int:
			values[i] = int64(v)
		case string:
			values[i] = t.text(v)
		}
	}
	t.change(one, values)
}

// versionAt reads the version of a row that is used again. A row that could not be read begins at the version of an empty
// one.
func (t *file) versionAt(at int64) int64 {
	var bytes [word]byte
	if _, err := t.f.ReadAt(bytes[:], at); err != nil {
		return 0
	}
	return int64(binary.LittleEndian.Uint64(bytes[:]))
}

// change writes the copy that readers do not use, then the version.
func (t *file) change(r *row, values []int64) {
	if r.version != 0 && equal(r.values, values) {
		return
	}
	next := r.version + 1
	t.put(r.at+word+(next&1)*int64(len(values))*word, values...)
	t.put(r.at, next)
	r.version, r.values = next, values
}

func equal(a, b []int64) bool {
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}

// sweep empties the rows that were not told in this round; others may use them.
func (t *file) sweep(round int) {
	for _, of := range t.tables {
		for key, one := range of.rows {
			if one.round != round {
				t.change(one, make([]int64, of.columns))
				of.unused = append(of.unused, one.at)
				delete(of.rows, key)
			}
		}
	}
}

func (t *file) newSegment(schema string, of *table) bool {
	of.capacity = min(max(fewestRows, 2*of.capacity), mostRows)
	name := t.text(schema)
	rowBytes := int64(word * (1 + 2*of.columns))
	at := t.grow(rowsAt + of.capacity*rowBytes)
	if name == 0 || at == 0 {
		return false
	}
	t.put(at+schemaAt, name, int64(of.columns), of.capacity)
	t.put(t.lastLink, at)
	t.lastLink = at
	for i := of.capacity - 1; i >= 0; i-- {
		of.unused = append(of.unused, at+rowsAt+i*rowBytes)
	}
	return true
}
