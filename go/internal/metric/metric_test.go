package metric

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"offcut.dev/go/handle"
	"offcut.dev/go/internal/spec"
	"offcut.dev/go/memory"
)

// Pools of Go neither keep chunks for later requests nor charge memory from outside, there are no budgets and no
// agent, and nothing is left out for want of a library.
var notInGo = []string{"offcut.pool.kept", "offcut.pool.external", "offcut.owner.external", "offcut.budget.",
	"offcut.resource.", "offcut.source."}

func TestMetrics_areThoseOfTheSpecification(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(spec.Dir(t, "."), "names.json"))
	if err != nil {
		t.Fatal(err)
	}
	var names struct {
		Metrics []struct {
			Name, Kind, Unit string
			Tags             []string
		}
	}
	if err := json.Unmarshal(text, &names); err != nil {
		t.Fatal(err)
	}
	var specified, ours []string
	for _, m := range names.Metrics {
		if !slices.ContainsFunc(notInGo, func(not string) bool { return strings.HasPrefix(m.Name, not) }) {
			specified = append(specified, fmt.Sprint(m.Name, m.Kind == "counter", m.Unit, m.Tags))
		}
	}
	ours = append(ours, described(Handles, Type)...)
	ours = append(ours, described(Pools, Pool)...)
	ours = append(ours, described(Owners, Pool, Owner)...)
	slices.Sort(specified)
	slices.Sort(ours)
	if !slices.Equal(specified, ours) {
		t.Errorf("specified %v\nhere %v", specified, ours)
	}
}

func described[T any](metrics []Metric[T], tags ...string) []string {
	var all []string
	for _, m := range metrics {
		all = append(all, fmt.Sprint(m.Name, m.Total, m.Unit, tags))
	}
	return all
}

func TestTypes_sumsThoseOfOneName(t *testing.T) {
	all := Types(handle.Snapshot{Types: []handle.TypeStats{
		{Name: "a", Opened: 1}, {Name: "b", Opened: 2}, {Name: "b", Opened: 3}, {Name: "c", Opened: 4},
	}})
	if len(all) != 3 || all[0].Opened != 1 || all[1].Opened != 5 || all[2].Opened != 4 {
		t.Errorf("%+v", all)
	}
}

func TestShares_hasTheFirstOwnersAndTheSumOfTheOthers(t *testing.T) {
	var of OwnersOf
	var s memory.Snapshot
	for i := range MostOwners + 3 {
		s.Owners = append(s.Owners, memory.OwnerShare{
			Owner: fmt.Sprint(i), Limit: 8, Committed: 4, HandedOut: 2, Used: 1})
	}
	shares := of.Shares(s)
	last := memory.OwnerShare{Owner: Other, Limit: math.MaxInt, Committed: 12, HandedOut: 6, Used: 3}
	if len(shares) != MostOwners+1 || shares[MostOwners] != last || shares[0] != s.Owners[0] {
		t.Errorf("%d owners, %+v", len(shares), shares[len(shares)-1])
	}
	slices.Reverse(s.Owners) // those that were first keep their series
	shares = of.Shares(s)
	if len(shares) != MostOwners+1 || shares[MostOwners] != last || shares[0].Owner != fmt.Sprint(MostOwners-1) {
		t.Errorf("%d owners, %+v", len(shares), shares[len(shares)-1])
	}
}

func TestShares_ofOnePath_areAdded(t *testing.T) {
	var of OwnersOf
	shares := of.Shares(memory.Snapshot{Owners: []memory.OwnerShare{
		{Owner: "a", Limit: math.MaxInt, Committed: 1}, {Owner: "b", Limit: 3, Committed: 2},
		{Owner: "a", Limit: 5, Committed: 4}, {Owner: "b", Limit: 4, Committed: 8},
	}})
	expected := []memory.OwnerShare{{Owner: "a", Limit: math.MaxInt, Committed: 5}, {Owner: "b", Limit: 7, Committed: 10}}
	if !slices.Equal(shares, expected) {
		t.Errorf("%+v", shares)
	}
}

func TestShares_ownerCalledOther_isAmongTheOthers(t *testing.T) {
	var of OwnersOf
	shares := of.Shares(memory.Snapshot{Owners: []memory.OwnerShare{{Owner: Other, Limit: 7, Used: 1}, {Owner: "a"}}})
	expected := []memory.OwnerShare{{Owner: "a"}, {Owner: Other, Limit: math.MaxInt, Used: 1}}
	if !slices.Equal(shares, expected) {
		t.Errorf("%+v", shares)
	}
}

func TestLimit_thatIsNotSet_hasNoValue(t *testing.T) {
	for _, m := range Pools {
		if _, ok := m.Of(memory.Snapshot{Limit: math.MaxInt}); ok == strings.HasSuffix(m.Name, ".limit") {
			t.Errorf("%s: %v", m.Name, ok)
		}
	}
	for _, m := range Owners {
		if value, ok := m.Of(memory.OwnerShare{Limit: 7, Committed: 7, HandedOut: 0}); !ok || value != 7 && value != 0 {
			t.Errorf("%s: %v", m.Name, ok)
		}
	}
}
