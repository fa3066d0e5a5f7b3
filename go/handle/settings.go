package handle

import "time"

// The tunables, each with what it costs to be wrong.
const (
	// Slots of a stripe at first. More wastes memory of types with few handles.
	minSlots = 64
	// Slots of a stripe at most. A queue of this many live handles stays young; a full stripe is promoted whole.
	maxSlots = 1 << 14
	// Slots looked at before a stripe counts as full. More tolerates clusters, and costs a full one more.
	probes = 8
	// Slots whose handles are promoted at once, under the lock of their stripe. More means less walking through the
	// runtime's lists, and a longer wait for the opener of a full stripe. A power of two.
	promotedAtOnce = 1024
	// Stripes of a type at most. More spares goroutines from each other, and costs memory and snapshots.
	maxStripes = 64

	// Slots of a slab. More means fewer registrations, and more neighbours that a forgotten value may wait for.
	slabSlots = 32
	// Slabs that an owner keeps aside while their slots are open. More tolerates longer queues without the pool's lock.
	parkedSlabs = 8
	// Parked slabs that a refill looks at. More finds free slots of long queues earlier, and costs each refill.
	parkedLooks = 2
	// Refills after which a slab with open slots is retired. Fewer finds forgotten values earlier, more registers less.
	retireAfter = 16

	// Openings between two recorded sites at level sample.
	sampleInterval = 128
	// Frames kept of a site.
	siteFrames = 16
	// Distinct sites kept. Beyond, openings count under one site that says so.
	maxSites = 10_000

	// Resources that are counted, and told to listeners, together.
	batchSize = 256

	// Quiet GC cycles after which Drain is done: what lies in a sync.Pool needs two to be let go.
	quietCycles = 3

	// Native bytes that may come since a GC cycle before one is asked for, unless SetBudget says otherwise.
	defaultBudget = 256 << 20
	// Pause between two such requests, unless SetBudget says otherwise.
	defaultInterval = 100 * time.Millisecond
	// Part of the budget after which one stripe of the account looks at the sum.
	budgetParts = 64
)
