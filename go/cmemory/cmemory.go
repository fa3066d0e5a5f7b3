package cmemory

import (
	"errors"
	"net/http"
)

// ErrUnsupported says that the program's malloc is not this package's; see the package comment for where it can be.
var ErrUnsupported = errors.New("cmemory: not linux/amd64 with cgo, or a sanitizer has malloc")

// LiveMemory is what malloc has handed out and was not freed yet.
type LiveMemory struct {
	// Bytes is the size of the blocks, with their headers.
	Bytes uint64
	// Blocks is the number of the blocks.
	Blocks uint64
}

// Live returns the live C memory of the program, exactly if no thread allocates or frees during the call. It takes about
// a microsecond, and more with thousands of threads. It fails with [ErrUnsupported].
func Live() (LiveMemory, error) { return live() }

// SetRate sets how many bytes a thread allocates on average from one sample to the next. The default is 512 KiB. Zero
// turns samples off: [Live] stays exact. A smaller rate makes the profile more exact; each sample costs a few
// microseconds of CPU, and 600 bytes while its block lives. A thread obeys after its next sample; if samples were off,
// after its next MiB. SetRate returns the rate before. It panics if bytes is negative.
func SetRate(bytes int) (before int) {
	if bytes < 0 {
		panic("cmemory: a negative rate")
	}
	return setRate(bytes)
}

// Handler returns an HTTP handler that serves the profile.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if _, err := live(); err != nil {
			http.Error(w, err.Error(), http.StatusNotImplemented)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", `attachment; filename="cmemory.pb.gz"`)
		_ = WriteProfile(w) // the reader went away
	})
}
