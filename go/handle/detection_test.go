package handle_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"offcut.dev/go/handle"
)

// at level, restored when the test ends.
func atLevel(t *testing.T, d handle.Detection) {
	before := handle.SetDetection(d)
	t.Cleanup(func() { handle.SetDetection(before) })
}

func TestDetection_full(t *testing.T) {
	atLevel(t, handle.DetectFull)
	typ, _ := ids(t, handle.Options{Bytes: 10})
	h := typ.Open(1)
	if sites := handle.Stats().Of(t.Name()).Sites; len(sites) != 1 || sites[0].Open != 1 || sites[0].Bytes != 10 {
		t.Errorf("%+v", sites)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	err := h.Close()
	contains(t, err.Error(), "opened at offcut.dev/go/handle_test.TestDetection_full(detection_test.go:", "closed at ")
	if !errors.Is(err, handle.ErrClosed) {
		t.Error(err)
	}
	openForgotten(typ)
	stats := settle(t, t.Name(), 1)
	if len(stats.Sites) != 1 || stats.Sites[0].Forgotten != 1 || !strings.Contains(stats.Sites[0].Stack[0], "openForgotten") {
		t.Errorf("%+v", stats.Sites)
	}
	contains(t, handle.Stats().LeakReport(), "openForgotten(detection_test.go:", "level=full")
	if stats.Sites[0].Open != 0 {
		t.Errorf("open: %+v", stats.Sites)
	}
}

//go:noinline
func openForgotten(typ *handle.TypeOf[uintptr]) { typ.Open(2) }

func TestDetection_ofPools(t *testing.T) {
	atLevel(t, handle.DetectFull)
	pool := handle.NewPool(func(uintptr) {}, handle.Options{Name: t.Name(), Bytes: 3})
	v, w := pool.Open(1), pool.Open(2)
	open := int64(0)
	for _, s := range handle.Stats().Of(t.Name()).Sites {
		open += s.Open
	}
	if open != 2 {
		t.Errorf("%d recorded as open", open)
	}
	_, _ = v.Close(), w.Close()
	if sites := handle.Stats().Of(t.Name()).Sites; len(sites) != 0 {
		t.Errorf("%+v", sites)
	}
}

func TestDetection_sample(t *testing.T) {
	atLevel(t, handle.DetectSample)
	typ, _ := ids(t, handle.Options{})
	pool := handle.NewPool(func(uintptr) {}, handle.Options{Name: t.Name() + "/pool"})
	o := pool.NewOwner()
	var keep []handle.Value[uintptr]
	var kept []*handle.Of[uintptr]
	for range 1280 {
		keep = append(keep, o.Open(1))
		kept = append(kept, typ.Open(1))
	}
	for _, name := range []string{t.Name(), pool.Name()} {
		recorded := int64(0)
		for _, s := range handle.Stats().Of(name).Sites {
			recorded += s.Open
		}
		if recorded < 8 || recorded > 24 { // a goroutine whose stack moves changes its stripe
			t.Errorf("%s: %d of 1280 recorded, want about 10", name, recorded)
		}
	}
	for i := range keep {
		_, _ = keep[i].Close(), kept[i].Close()
	}
}

func TestDetection_environment(t *testing.T) {
	if word := os.Getenv("OFFCUT_TEST_LEVEL"); word != "" {
		if got := handle.Stats().Level.String(); got != word {
			t.Errorf("level %s, want %s", got, word)
		}
		return
	}
	for word, level := range map[string]string{"off": "off", "SAMPLE": "sample", "full": "full", "nonsense": "count"} {
		c := exec.Command(os.Args[0], "-test.run=^TestDetection_environment$")
		c.Env = append(os.Environ(), "OFFCUT_HANDLE_DETECTION"+"="+word, "OFFCUT_TEST_LEVEL="+level)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", word, err, out)
		}
		if says := strings.Contains(string(out), "nonsense is unknown; known are off, count, sample, full"); says != (word == "nonsense") {
			t.Errorf("%s: %s", word, out)
		}
	}
}

func TestListener_told(t *testing.T) {
	listen := func(n *atomic.Int64) (remove func()) {
		return handle.AddListener(func(name string, count int, site []string) {
			if name == t.Name() {
				n.Add(int64(count))
			}
		}, nil)
	}
	var told, second atomic.Int64
	removeSecond := listen(&second) // before the one that stays: when that was told, this one would have been
	defer listen(&told)()
	typ, _ := ids(t, handle.Options{})
	for id := range 100 {
		typ.Open(uintptr(id))
	}
	settle(t, t.Name(), 100)
	if told.Load() != 100 || second.Load() != 100 {
		t.Errorf("told of %d and %d", told.Load(), second.Load())
	}
	removeSecond()
	typ.Open(0)
	settle(t, t.Name(), 101)
	if told.Load() != 101 || second.Load() != 100 {
		t.Errorf("told of %d and, removed, of %d", told.Load(), second.Load())
	}
	atLevel(t, handle.DetectOff)
	typ.Open(1)
	settle(t, t.Name(), 102)
	if told.Load() != 101 {
		t.Error("told at level off")
	}
}

func TestQueue(t *testing.T) {
	var q handle.Queue
	ready := q.Ready()
	typ, released := ids(t, handle.Options{ReleaseOn: &q})
	for id := range 10 {
		typ.Open(uintptr(id))
	}
	_ = typ.Open(10).Close()
	if released.Load() != 1 {
		t.Error("Close waited for the queue")
	}
	handle.Drain(time.Millisecond) // time is up: nobody serves the queue
	for sum := 0; sum < 10; {
		<-ready
		sum += q.Release()
	}
	if released.Load() != 11 {
		t.Errorf("%d released", released.Load())
	}
	settle(t, t.Name(), 10)
}

func TestBudget_asksForCycles(t *testing.T) {
	before := handle.Outstanding()
	handle.SetBudget(1<<20, 0)
	defer handle.SetBudget(256<<20, 100*time.Millisecond)
	typ, _ := ids(t, handle.Options{Bytes: 1 << 10})
	requests := handle.Stats().Requests
	opened := int64(0)
	for handle.Stats().Of(t.Name()).Forgotten == 0 { // for ever, if nobody asks
		for range 1024 {
			typ.Open(1)
			opened++
		}
	}
	if handle.Stats().Requests == requests {
		t.Error("no cycle was asked for")
	}
	settle(t, t.Name(), opened)
	if got := handle.Outstanding(); got != before {
		t.Errorf("%d bytes outstanding, %d before", got, before)
	}
	sized := handle.NewTypeOf(func(unsafe.Pointer) {}, handle.Options{Name: t.Name() + "/sized"})
	h := sized.OpenSized(at(1), 12345)
	if got := handle.Outstanding(); got != before+12345 {
		t.Errorf("%d bytes outstanding, want %d more than %d", got, 12345, before)
	}
	_ = h.Close()
	if got := handle.Outstanding(); got != before {
		t.Errorf("%d bytes outstanding, %d before", got, before)
	}
}

// The counters are those that both languages call the same.
func TestStats_names(t *testing.T) {
	var names struct{ Counters []struct{ Name string } }
	text, err := os.ReadFile("../../spec/names.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &names); err != nil || len(names.Counters) == 0 {
		t.Fatal(err, len(names.Counters))
	}
	stats := reflect.TypeFor[handle.TypeStats]()
	for _, c := range names.Counters {
		if _, ok := stats.FieldByName(strings.ToUpper(c.Name[:1]) + c.Name[1:]); !ok {
			t.Errorf("no counter %s", c.Name)
		}
	}
}
