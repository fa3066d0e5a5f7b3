package main

import (
	"bytes"
	"fmt"
	"runtime/pprof"
	"strings"

	"github.com/google/pprof/profile"
)

// Where the time goes, by the profiler, as the article has it: more than 50 % in SetFinalizer, mostly runtime.addspecial;
// 27 % in the collector, 21 % for running finalizers; 20 % in runtime.lock2 and unlock2. The parts overlap.

var parts = []struct {
	metric string
	names  []string // prefixes of functions; a sample counts if one is anywhere in its stack
}{
	{"registration_percent", []string{"runtime.SetFinalizer", "runtime.AddCleanup"}},
	{"list_walk_percent", []string{"runtime.(*mspan).specialFindSplicePoint"}},
	{"locks_percent", []string{"runtime.lock2", "runtime.unlock2"}},
	{"gc_percent", []string{"runtime.gcBgMarkWorker", "runtime.gcAssistAlloc", "runtime.bgsweep", "runtime.gcStart", "runtime.(*sweepLocked).sweep"}},
	{"running_percent", []string{"runtime.runFinalizers", "runtime.runfinq", "runtime.runCleanups"}},
}

var _ = add(Case{
	Name: "profile_split",
	Summary: "where register_only_forgotten spends its time, parts overlap; " +
		"the article, Go 1.20, SetFinalizer: registration > 50 %, locks 20 %, collector 27 %, running 21 %",
	Order: 10, N: 3_000_000, Quick: 500_000,
	Impls: []Impl{
		{Name: "setfinalizer", Run: profiled(setFinalizerForgotten)},
		{Name: "addcleanup", Run: profiled(addCleanupForgotten)},
	},
})

func profiled(run func(b *B) error) func(b *B) error {
	return func(b *B) error {
		var text bytes.Buffer
		if err := pprof.StartCPUProfile(&text); err != nil {
			return err
		}
		err := run(b)
		pprof.StopCPUProfile()
		if err != nil {
			return err
		}
		p, err := profile.ParseData(text.Bytes())
		if err != nil {
			return err
		}
		return split(b, p)
	}
}

func split(b *B, p *profile.Profile) error {
	total := int64(0)
	spent := make([]int64, len(parts))
	for _, s := range p.Sample {
		value := s.Value[len(s.Value)-1]
		total += value
		for i, part := range parts {
			if inStack(s, part.names) {
				spent[i] += value
			}
		}
	}
	if total == 0 {
		return fmt.Errorf("the profile of %d operations is empty", b.N)
	}
	var metrics []string
	for i, part := range parts {
		b.Report(part.metric, 100*float64(spent[i])/float64(total))
		metrics = append(metrics, part.metric)
	}
	b.Only(metrics...)
	return nil
}

func inStack(s *profile.Sample, names []string) bool {
	for _, l := range s.Location {
		for _, line := range l.Line {
			for _, name := range names {
				if strings.HasPrefix(line.Function.Name, name) {
					return true
				}
			}
		}
	}
	return false
}
