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

// othersLoad is the load that others put on the machine: tasks that run or wait for a CPU at moments when no child of
// this program runs, and CPUs that a hypervisor gave to other machines.
type othersLoad struct {
	first, last stat
	sum         float64
	count       int
}

// stat is what /proc/stat says: tasks that run or wait, and ticks of all CPUs.
type stat struct {
	running     int
	stolen, all float64
	ok          bool
}

func newOthersLoad() *othersLoad {
	now := readStat()
	return &othersLoad{first: now, last: now}
}

// before takes samples for a second.
func (o *othersLoad) before() (load float64, ok bool) {
	for range 20 {
		time.Sleep(50 * time.Millisecond)
		o.sample()
	}
	load, ok = o.mean()
	o.sum, o.count = 0, 0
	return load, ok
}

// sample counts tasks: the least of three times, since this program's collector may run for a moment.
func (o *othersLoad) sample() {
	least := readStat()
	for range 2 {
		time.Sleep(time.Millisecond)
		if now := readStat(); now.running < least.running {
			least = now
		}
	}
	if least.ok {
		o.last = least
		o.sum += float64(least.running - 1) // this thread
		o.count++
	}
}

func (o *othersLoad) mean() (load float64, ok bool) {
	if !o.first.ok || o.count == 0 {
		return 0, false
	}
	load = o.sum / float64(o.count)
	if all := o.last.all - o.first.all; all > 0 {
		load += float64(runtime.NumCPU()) * (o.last.stolen - o.first.stolen) / all
	}
	return max(0, float64(int(load*100+0.5))/100), true
}

func readStat() stat {
	text, err := os.ReadFile("/proc/stat")
	return statOf(string(text), err == nil)
}

func statOf(text string, ok bool) stat {
	s := stat{running: 1, ok: ok}
	for line := range strings.Lines(text) {
		switch fields := strings.Fields(line); {
		case len(fields) == 2 && fields[0] == "procs_running":
			s.running, _ = strconv.Atoi(fields[1])
		case len(fields) > 8 && fields[0] == "cpu":
			for i, field := range fields[1:9] { // behind them are guests, which the user's ticks contain
				ticks, _ := strconv.ParseFloat(field, 64)
				s.all += ticks
				if i == 7 {
					s.stolen = ticks
				}
			}
		}
	}
	return s
}
