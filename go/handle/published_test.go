package handle

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"offcut.dev/go/internal/tables"
)

// told is the rows of a table about a type, without its schema.
func told(table, name string) []string {
	var l tables.Look
	published(&l)
	var all []string
	for _, row := range l.Rows {
		values := fmt.Sprint(row.Values)
		if strings.HasPrefix(row.Schema, "offcut."+table+"\n") && strings.Contains(values, name) {
			if strings.Count(row.Schema, "\n") != len(row.Values) {
				values += " not as in " + row.Schema
			}
			all = append(all, values)
		}
	}
	return all
}

func TestPublished_handles_areCountedByTypeAndLine(t *testing.T) {
	defer SetDetection(SetDetection(DetectFull))
	var resource [4]byte
	typ := NewTypeOf(func(unsafe.Pointer) {}, Options{Name: "published", Bytes: 100})
	kept := []*Of[unsafe.Pointer]{typ.Open(unsafe.Pointer(&resource[0])), typ.Open(unsafe.Pointer(&resource[1]))}
	closed := typ.Open(unsafe.Pointer(&resource[2]))
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	forget := func() { typ.Open(unsafe.Pointer(&resource[3])) }
	forget()
	if !Drain(time.Minute) {
		t.Fatal("not drained")
	}
	if got := told("HandleStatistics", "published"); len(got) != 1 || !strings.HasPrefix(got[0], "[0 published 4 1 1 2 ") {
		t.Errorf("%q", got)
	}
	// The package leaves out its own frames, and so those of this test.
	leak := told("HandleLeak", "published")
	if len(leak) != 1 || !strings.HasPrefix(leak[0], "[0 published 1 ") || !strings.Contains(leak[0], "testing.tRunner(") ||
		!strings.HasSuffix(leak[0], " full]") {
		t.Errorf("%q", leak)
	}
	sites := told("HandleSite", "published")
	if len(sites) == 0 || !slices.ContainsFunc(sites, func(s string) bool { return strings.Contains(s, "testing.tRunner(") }) {
		t.Errorf("%q", sites)
	}
	if level := told("HandleConfiguration", "full"); len(level) != 1 {
		t.Errorf("%q", level)
	}
	for _, h := range kept {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	}
	if sites := told("HandleSite", "published"); len(sites) != 0 {
		t.Errorf("%q are open", sites)
	}
}

func TestPublished_leaksWithoutAStack_haveARow(t *testing.T) {
	rows := leaks(TypeStats{Name: "a", Forgotten: 5,
		Sites: []SiteStats{{Stack: []string{"x", "y"}, Forgotten: 1}, {Stack: []string{"x", "y"}, Forgotten: 2}}}, DetectSample)
	var all []string
	for _, row := range rows {
		all = append(all, fmt.Sprintf("%q", row.Values))
	}
	expected := []string{`['\x00' "a" '\x03' "x\ny" "sample"]`, `['\x00' "a" '\x02' "" "sample"]`}
	if !slices.Equal(all, expected) {
		t.Errorf("%q", all)
	}
}
