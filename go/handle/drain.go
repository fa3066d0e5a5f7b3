package handle

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// Drain releases all handles that are unreachable now. It promotes young handles, starts GC cycles, and waits until the
// net has found nothing in three cycles. Use it in tests, or when the program has no other work. It returns false if
// the time was up. A resource in a [Queue] counts as released only once a goroutine has released it.
func Drain(limit time.Duration) bool {
	deadline := time.Now().Add(limit)
	last := found()
	for quiet := 0; quiet < quietCycles; {
		net.promoteAll()
		runtime.GC()
		if !settled(deadline, true) {
			return false
		}
		if now := found(); now != last {
			quiet, last = 0, now
		} else {
			quiet++
		}
	}
	return true
}

// settled waits until the finalizers and cleanups that are queued have run, and what they found is released; what a
// Queue holds back only if that is asked for.
func settled(deadline time.Time, queues bool) bool {
	samples := []metrics.Sample{{Name: "/gc/finalizers/queued:finalizers"}, {Name: "/gc/finalizers/executed:finalizers"},
		{Name: "/gc/cleanups/queued:cleanups"}, {Name: "/gc/cleanups/executed:cleanups"}}
	read := func(i int) uint64 { return samples[i].Value.Uint64() }
	metrics.Read(samples)
	finalizers, cleanups := read(0), read(2) // runtime.GC returns after the sweep, which queues the last ones
	pause := 10 * time.Microsecond
	for read(1) < finalizers || read(3) < cleanups || unreleased(queues) > 0 {
		if !time.Now().Before(deadline) {
			return false
		}
		time.Sleep(pause)
		pause = min(2*pause, time.Millisecond)
		metrics.Read(samples)
	}
	return true
}

func unreleased(queues bool) int {
	sum := 0
	for _, r := range resources() {
		if r.backlog.queue != nil && !queues {
			continue
		}
		n, _ := r.backlog.waiting()
		sum += n
	}
	return sum
}

func found() int64 {
	sum := int64(0)
	for _, r := range resources() {
		sum += r.forgotten.Load()
	}
	return sum
}

func resources() []*resource {
	var all []*resource
	for _, t := range net.allTypes() {
		all = append(all, &t.resource)
	}
	for _, p := range net.allPools() {
		all = append(all, &p.resource)
	}
	return all
}
