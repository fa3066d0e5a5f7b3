//go:build !linux && !darwin && !freebsd && !netbsd && !dragonfly && !windows

package memory

func thisSystem() system { return goHeap{} }
