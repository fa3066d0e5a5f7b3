//go:build !linux

package memory

import (
	"fmt"
	"runtime"
)

func thisSystem() (system, error) {
	return nil, fmt.Errorf("%w: %s/%s: a pool needs 64-bit Linux; elsewhere, use the Go heap",
		ErrUnsupported, runtime.GOOS, runtime.GOARCH)
}
