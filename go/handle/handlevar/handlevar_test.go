package handlevar_test

import (
	"encoding/json"
	"expvar"
	"os"
	"testing"

	"offcut.dev/go/handle"
	"offcut.dev/go/handle/handlevar"
)

func TestPublish(t *testing.T) {
	typ := handle.NewTypeOf(func(uintptr) {}, handle.Options{Name: "published"})
	h := typ.Open(1)
	handlevar.Publish()
	var all map[string]map[string]int64
	if err := json.Unmarshal([]byte(expvar.Get(handlevar.Name).String()), &all); err != nil {
		t.Fatal(err)
	}
	if one := all["published"]; one["opened"] != 1 || one["open"] != 1 || one["oldest"] <= 0 {
		t.Errorf("%v", one)
	}
	_ = h.Close()
	var names struct{ Counters []struct{ Name string } }
	text, err := os.ReadFile("../../../spec/names.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &names); err != nil {
		t.Fatal(err)
	}
	for _, c := range names.Counters {
		if _, ok := all["published"][c.Name]; !ok {
			t.Errorf("no %s", c.Name)
		}
	}
	if len(names.Counters) != len(all["published"]) {
		t.Errorf("%d names, %d values", len(names.Counters), len(all["published"]))
	}
}
