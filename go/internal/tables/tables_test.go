package tables

import (
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// readFile reads a file as spec/tables.md says: the rows of a table, as text, by the name of the table.
func readFile(t *testing.T, path string) (header []int64, rows map[string][]string) {
	t.Helper()
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	word := func(at int64) int64 { return int64(binary.LittleEndian.Uint64(bytes[at:])) }
	text := func(at int64) string {
		if at == 0 {
			return ""
		}
		return string(bytes[at+8 : at+8+word(at)])
	}
	if string(bytes[:8]) != "OFFCUTTB" {
		t.Fatalf("%q", bytes[:8])
	}
	for at := int64(0); at < 64; at += 8 {
		header = append(header, word(at))
	}
	rows = map[string][]string{}
	for at, before := word(24), int64(0); at != 0; at, before = word(at), at {
		if at <= before {
			t.Fatalf("segment %d behind %d", at, before)
		}
		lines := strings.Split(text(word(at+8)), "\n")
		columns, capacity := word(at+16), word(at+24)
		if int64(len(lines)) != 1+columns {
			t.Fatalf("%d columns of %q", columns, lines)
		}
		for i := range capacity {
			row := at + 32 + i*8*(1+2*columns)
			version := word(row)
			values, empty := []string{}, true
			for c := range columns {
				value := word(row + 8 + ((version&1)*columns+c)*8)
				empty = empty && value == 0
				if strings.HasSuffix(lines[1+c], " text") {
					values = append(values, text(value))
				} else {
					values = append(values, fmt.Sprint(value))
				}
			}
			if version != 0 && !empty {
				rows[lines[0]] = append(rows[lines[0]], strings.Join(values, " "))
			}
		}
	}
	return header, rows
}

// started is a publisher with a folder as the command makes it.
func started(t *testing.T) *publisher {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"tables", "accounts"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return begin(folder)
}

const schema = "test.Rows\nname text\ncount long"

func TestPublisher_rows_areAsTheSourceSays(t *testing.T) {
	p := started(t)
	now := map[string]int{}
	if !p.register("test", func(l *Look) {
		for _, name := range slices.Sorted(maps.Keys(now)) {
			l.Rows = append(l.Rows, Row{schema, name, []any{name, now[name]}})
		}
	}) {
		t.Fatal("nobody reads")
	}
	expect := func(expected ...string) {
		t.Helper()
		p.publish()
		header, rows := readFile(t, p.path("tables", "tables"))
		got := rows["test.Rows"]
		slices.Sort(got)
		if !slices.Equal(got, expected) {
			t.Errorf("%q, expected %q", got, expected)
		}
		if header[1] != version || header[2] != int64(os.Getpid()) || header[5] != 0 || header[6] != 0 ||
			time.Since(time.UnixMilli(header[4])) > time.Minute {
			t.Errorf("header %v", header)
		}
	}
	expect()
	now["a"] = 1
	expect("a 1")
	now["a"], now["b"] = 2, 5
	expect("a 2", "b 5")
	delete(now, "a")
	expect("b 5")
	now["c"] = 7 // where a was
	expect("b 5", "c 7")
	for i := range 100 { // more than a segment holds
		now[fmt.Sprintf("n%02d", i)] = i + 1
	}
	p.publish()
	if _, rows := readFile(t, p.path("tables", "tables")); len(rows["test.Rows"]) != 102 {
		t.Errorf("%d rows", len(rows["test.Rows"]))
	}
	size := p.file.end
	p.publish()
	if p.file.end > size+1024 { // a point of the series, at most
		t.Errorf("%d bytes more for rows that did not change", p.file.end-size)
	}
}

// Who waits for a time in the tables has all that was counted before it.
func TestPublisher_time_isNotLaterThanTheCounts(t *testing.T) {
	p := started(t)
	var read time.Time
	p.register("test", func(*Look) {
		read = time.Now()
		for time.Now().UnixMilli() == read.UnixMilli() { // what is counted from here on is not in the rows
			runtime.Gosched()
		}
	})
	p.publish()
	header, _ := readFile(t, p.path("tables", "tables"))
	if header[4] > read.UnixMilli() {
		t.Errorf("%d, though the counts were read at %d", header[4], read.UnixMilli())
	}
}

func TestPublisher_runtime_isTold(t *testing.T) {
	p := started(t)
	p.register("a", func(l *Look) { l.Handles = 3 })
	p.register("b", func(*Look) {})
	p.publish()
	_, rows := readFile(t, p.path("tables", "tables"))
	program := rows["offcut.GoProgram"]
	if len(program) != 1 || !strings.Contains(program[0], fmt.Sprint(os.Getpid(), " ", os.Args[0])) ||
		!strings.HasSuffix(program[0], "a,b") || !strings.Contains(program[0], " go1.") {
		t.Errorf("%q", program)
	}
	var objects, unused, free, stacks, metadata int
	if len(rows["offcut.GoMemory"]) != 1 {
		t.Fatalf("%q", rows["offcut.GoMemory"])
	}
	_, err := fmt.Sscan(rows["offcut.GoMemory"][0], &objects, &unused, &free, &stacks, &metadata)
	if err != nil || objects < 10_000 || stacks < 2048 || metadata < 10_000 || unused < 0 || free < 0 {
		t.Errorf("%v: %q", err, rows["offcut.GoMemory"])
	}
	if series := rows["offcut.Series"]; len(series) != 1 || strings.Fields(series[0])[5] != "3" {
		t.Errorf("%q", series)
	}
	if _, err := os.Stat(p.path("accounts", "go")); err != nil {
		t.Error(err)
	}
}

func TestRuntime_series_hasTheWholeRun(t *testing.T) {
	g := newRuntime(begin(t.TempDir()))
	for range 5 * mostPoints {
		g.next = time.Time{}
		g.addPoint(1, 2)
	}
	if len(g.points) > mostPoints || len(g.points) < mostPoints/2 || g.every < 4*time.Second {
		t.Errorf("%d points, one each %v", len(g.points), g.every)
	}
}

func TestPublisher_end_waitsForTheAccount(t *testing.T) {
	p := started(t)
	count := 1
	p.register("test", func(l *Look) { l.Rows = []Row{{schema, "", []any{"a", count}}} })
	answered := make(chan bool)
	go func() {
		for {
			if _, err := os.Stat(p.path("accounts", "ending")); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		header, _ := readFile(t, p.path("tables", "tables"))
		p.tell("accounted")
		answered <- header[5] == 0
	}()
	p.end(true, time.Minute)
	if !<-answered {
		t.Error("it said that it had ended before it was asked for its memory")
	}
	header, rows := readFile(t, p.path("tables", "tables"))
	if header[5] != 1 || !slices.Equal(rows["test.Rows"], []string{"a 1"}) {
		t.Errorf("%v, %q", header, rows)
	}
	count = 2
	if p.publish() {
		t.Error("it published after its end")
	}
}

func TestPublisher_end_withinTheSearch_saysSo(t *testing.T) {
	p := started(t)
	p.register("test", func(*Look) {})
	if err := os.RemoveAll(filepath.Join(p.folder, "accounts")); err != nil {
		t.Fatal(err)
	}
	p.end(false, time.Minute)
	if header, _ := readFile(t, p.path("tables", "tables")); header[5] != 2 {
		t.Errorf("%v", header)
	}
}

func TestPublisher_end_withoutAReader_isShort(t *testing.T) {
	p := started(t)
	p.register("test", func(*Look) {})
	if err := os.RemoveAll(filepath.Join(p.folder, "accounts")); err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() { p.end(true, time.Hour); close(done) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it waits for nobody")
	}
}

func TestPublisher_whoseReaderHasEnded_stops(t *testing.T) {
	p := started(t)
	asked := 0
	p.register("test", func(*Look) { asked++ })
	if !p.publish() || asked != 1 {
		t.Fatalf("asked %d times", asked)
	}
	if err := os.RemoveAll(p.folder); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if p.publish() || asked != 1 {
			t.Errorf("asked %d times", asked)
		}
	}
	if _, err := p.file.f.Stat(); err == nil {
		t.Error("the file is open")
	}
}

func TestPublisher_ofAFolderThatIsGone_isNoTrouble(t *testing.T) {
	p := begin(filepath.Join(t.TempDir(), "none"))
	if p.register("test", func(*Look) { t.Error("asked") }) || p.publish() {
		t.Error("somebody reads")
	}
	p.end(true, time.Hour)
}

func TestRegister_withoutTheCommand_doesNothing(t *testing.T) {
	if begin("") != nil || running != nil {
		t.Fatal("published without a folder")
	}
	if Register("test", func(*Look) { t.Error("asked") }) || IsRead() {
		t.Error("somebody reads")
	}
	Publish()
	End(true)
}

func TestFile_atItsLimit_saysThatSomethingIsLeftOut(t *testing.T) {
	p := started(t)
	text := strings.Repeat("x", mostText-2)
	p.register("test", func(l *Look) {
		for i := range 70 {
			l.Rows = append(l.Rows, Row{schema, fmt.Sprint(i), []any{fmt.Sprintf("%02d", i) + text, 1}})
		}
	})
	p.publish()
	header, rows := readFile(t, p.path("tables", "tables"))
	if header[6] != 1 || len(rows["test.Rows"]) == 0 || p.file.end > mostBytes {
		t.Errorf("full %d, %d rows in %d bytes", header[6], len(rows["test.Rows"]), p.file.end)
	}
}

func TestPublisher_whenTheSystemsClockSteps_timesAreWhatPassed(t *testing.T) {
	for _, step := range []time.Duration{-time.Hour, 0, time.Hour} {
		// The wall clock has stepped since it began; what passed is 15 s by the monotonic clock.
		began := time.Now().Add(-step).Round(0)
		p := &publisher{began: began, since: func(time.Time) time.Duration { return 15 * time.Second }}
		if passed := p.now().UnixMilli() - began.UnixMilli(); passed != 15_000 {
			t.Errorf("a step of %v: %d ms", step, passed)
		}
	}
}
