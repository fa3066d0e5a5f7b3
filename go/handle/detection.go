package handle

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
)

// Detection is how much is recorded about each opening. The counts are exact at every level.
type Detection int32

const (
	// DetectOff records no stacks, and reports no forgotten handles to listeners. The net still works and counts,
	// and it still reports failed releasers.
	DetectOff Detection = iota
	// DetectCount counts by type. This is the default; it adds no cost to Open and Close.
	DetectCount
	// DetectSample counts, and records the stack of one opening in 128. For production.
	DetectSample
	// DetectFull counts, and records the stacks of every opening, and of every closing of an [Of]. For tests.
	DetectFull
)

const detectionVariable = "OFFCUT_HANDLE_DETECTION"

var levelNames = [...]string{"off", "count", "sample", "full"}

// detection is the level for openings from now on. Any value read is one that was set: no ordering is needed.
var detection atomic.Int32

var _ = configure(&detection)

// String returns the name of the level in the environment variable and in reports.
func (d Detection) String() string {
	if d < DetectOff || d > DetectFull {
		return fmt.Sprintf("Detection(%d)", int32(d))
	}
	return levelNames[d]
}

func currentDetection() Detection { return Detection(detection.Load()) }

// SetDetection sets the level for new openings, and returns the one before. It panics if d is not one of the four levels.
// At the start of the program, the environment variable OFFCUT_HANDLE_DETECTION sets it: off, count, sample or full. For
// another word, the program writes a line to stderr and uses count.
func SetDetection(d Detection) (before Detection) {
	if d < DetectOff || d > DetectFull {
		panic(fmt.Sprintf("handle: SetDetection(%d): the levels are DetectOff to DetectFull, 0 to 3", int32(d)))
	}
	return Detection(detection.Swap(int32(d)))
}

// configure reads the environment; an unknown word is said once on stderr and means the default.
func configure(level *atomic.Int32) (known bool) {
	level.Store(int32(DetectCount))
	word, set := os.LookupEnv(detectionVariable)
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
		detectionVariable, word)
	return false
}
