package handle

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
)

// Detection says how much is recorded about each opening. Counts are exact at every level.
type Detection int32

const (
	// DetectOff records no site and tells no [Listener]. The net works and counts all the same.
	DetectOff Detection = iota
	// DetectCount counts by type: the default, free of cost on the way.
	DetectCount
	// DetectSample counts, and records the stack of one opening in 128: for production.
	DetectSample
	// DetectFull counts, and records the stacks of every opening, and every closing of a [Handle]: for tests.
	DetectFull
)

// DetectionVariable is the environment variable that sets the level at start: off, count, sample or full.
const DetectionVariable = "OFFCUT_HANDLE_DETECTION"

var levelNames = [...]string{"off", "count", "sample", "full"}

// detection is the level for openings from now on. Any value read is one that was set: no ordering is needed.
var detection atomic.Int32

var _ = configure(&detection)

// String is the level's name as it stands in the environment and in reports.
func (d Detection) String() string {
	if d < DetectOff || d > DetectFull {
		return fmt.Sprintf("Detection(%d)", int32(d))
	}
	return levelNames[d]
}

// CurrentDetection is the level for openings from now on.
func CurrentDetection() Detection { return Detection(detection.Load()) }

// SetDetection sets the level for openings from now on. It panics for a level that is none.
func SetDetection(d Detection) {
	if d < DetectOff || d > DetectFull {
		panic(fmt.Sprintf("handle: SetDetection(%d): the levels are DetectOff to DetectFull, 0 to 3", int32(d)))
	}
	detection.Store(int32(d))
}

// configure reads the environment; an unknown word is said once on stderr and means the default.
func configure(level *atomic.Int32) (known bool) {
	level.Store(int32(DetectCount))
	word, set := os.LookupEnv(DetectionVariable)
	if !set {
		return true
	}
	for i, name := range levelNames {
		if strings.EqualFold(word, name) {
			level.Store(int32(i))
			return true
		}
	}
	fmt.Fprintf(os.Stderr, "offcut: %s=%s is unknown; known are off, count, sample, full; using count\n",
		DetectionVariable, word)
	return false
}
