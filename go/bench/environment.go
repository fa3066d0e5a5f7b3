package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// environment is where and when a run was made: what a reader of its numbers must know.
func environment(quick bool, began time.Time) map[string]any {
	var name unix.Utsname
	_ = unix.Uname(&name) // an unknown release is empty
	return map[string]any{
		"time":         began.UTC().Format("2006-01-02T15:04:05Z"),
		"quick":        quick,
		"offcut":       offcutVersion,
		"runtime":      runtime.Version(),
		"os":           strings.TrimSpace(runtime.GOOS + " " + unix.ByteSliceToString(name.Release[:])),
		"arch":         runtime.GOARCH,
		"cpu":          cpuName(),
		"cpus":         runtime.NumCPU(),
		"memory_bytes": memory(),
		"load_before":  load(),
	}
}

func cpuName() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.Trim(name, " \t:\n")
		}
	}
	return "unknown"
}

func memory() int64 {
	text, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "MemTotal:" {
			kib, _ := strconv.ParseInt(fields[1], 10, 64)
			return kib << 10
		}
	}
	return 1
}

// load is the one-minute average; negative where there is none.
func load() float64 {
	text, _ := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if len(fields) == 0 {
		return -1
	}
	average, err := strconv.ParseFloat(fields[0], 64)
	if err != nil {
		return -1
	}
	return average
}
