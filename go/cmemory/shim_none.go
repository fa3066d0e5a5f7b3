//go:build !linux || !amd64 || !cgo || asan || msan

package cmemory

func live() (LiveMemory, error) { return LiveMemory{}, ErrUnsupported }

func setRate(int) int { return 0 }

func samples() ([]sample, error) { return nil, ErrUnsupported }
