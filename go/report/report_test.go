package report

import (
	"os"
	"runtime"
	"testing"
	"time"
)

// TestEnd_withoutTheCommand_doesNothing: not even a collection, which a search for forgotten handles needs.
func TestEnd_withoutTheCommand_doesNothing(t *testing.T) {
	if _, set := os.LookupEnv("OFFCUT_RUN"); set {
		t.Fatal("under offcut run")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	Publish()
	End(time.Minute)
	runtime.ReadMemStats(&after)
	if after.NumForcedGC != before.NumForcedGC {
		t.Errorf("%d collections", after.NumForcedGC-before.NumForcedGC)
	}
}
