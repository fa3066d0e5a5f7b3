package memory

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unsafe"
)

func TestNewPool_badConfig(t *testing.T) {
	for name, c := range map[string]struct {
		Config
		kind  error
		words string
	}{
		"no name":          {Config{}, ErrName, "stands in every report"},
		"limit":            {Config{Name: "x", Limit: 1000}, ErrSize, "1000 bytes"},
		"negative limit":   {Config{Name: "x", Limit: -5}, ErrSize, "-5 bytes"},
		"reserve":          {Config{Name: "x", Reserve: 1 << 20}, ErrSize, "one root (4194304)"},
		"root":             {Config{Name: "x", LargestChunk: 3 << 20}, ErrSize, "powers of two"},
		"negative root":    {Config{Name: "x", LargestChunk: -1 << 20}, ErrSize, "-1048576 bytes"},
		"leaf":             {Config{Name: "x", SmallestChunk: 128}, ErrSize, "256 B to 64 KiB"},
		"root below leaf":  {Config{Name: "x", LargestChunk: 1 << 10}, ErrSize, "64 to 65536 times"},
		"root of too many": {Config{Name: "x", LargestChunk: 1 << 30}, ErrSize, "64 to 65536 times"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := NewPool(c.Config)
			wants(t, err, c.kind, c.words)
		})
	}
}

func TestPool_badChunks(t *testing.T) {
	p := smallPool(t, 1<<20)
	other := smallPool(t, 1<<20)
	for _, bytes := range []int{0, -1, math.MinInt} {
		_, err := p.Owner().AllocateChunk(bytes)
		wants(t, err, ErrSize, fmt.Sprint(bytes), "test")
	}
	for _, bytes := range []int{1<<20 + 1, math.MaxInt, math.MaxInt - 1<<10, math.MaxInt / 2} {
		_, err := p.Owner().AllocateChunk(bytes)
		wants(t, err, ErrLimit, fmt.Sprint(bytes), "address space", "owner")
	}
	c := noError(p.Owner().AllocateChunk(4096))
	foreign := noError(other.Owner().AllocateChunk(4096))
	var local [64]byte
	wants(t, p.FreeChunk(nil), ErrForeignFree)
	wants(t, p.FreeChunk(unsafe.Pointer(&local[0])), ErrForeignFree, "is not in pool test")
	wants(t, p.FreeChunk(foreign), ErrForeignFree, fmt.Sprint(foreign))
	wants(t, p.FreeChunk(unsafe.Add(c, 1)), ErrForeignFree, "begins no chunk")
	wants(t, p.FreeChunk(unsafe.Add(c, 1024)), ErrForeignFree, "begins no chunk")
	wants(t, p.FreeChunk(unsafe.Add(c, 8192)), ErrDoubleFree)
	must(t, p.FreeChunk(c))
	wants(t, p.FreeChunk(c), ErrDoubleFree, fmt.Sprint(c), "test")
	large := noError(p.Owner().AllocateChunk(300 << 10))
	wants(t, p.FreeChunk(unsafe.Add(large, 64<<10)), ErrForeignFree, "begins no chunk")
	must(t, p.FreeChunk(large))
	must(t, other.FreeChunk(foreign))
}

func TestPool_lentChunks(t *testing.T) {
	p := smallPool(t, 4<<20)
	a := p.Owner().OpenArena()
	block := noError(a.Allocate(100, 8))
	wants(t, p.FreeChunk(block), ErrForeignFree, "belongs to an arena or a heap")
	h := p.Owner().OpenHeap()
	raw := noError(h.AllocateUninitialized(60_000))
	wants(t, p.FreeChunk(raw), ErrForeignFree, "belongs to an arena or a heap")
	must(t, h.Free(raw))
	must(t, h.Close())
	must(t, a.Close())
}

func TestPool_close(t *testing.T) {
	p := noError(NewPool(Config{Name: "closing"}))
	c := noError(p.Owner().AllocateChunk(1))
	wants(t, p.Close(), ErrInUse, "closing", "65536")
	must(t, p.Verify())
	must(t, p.FreeChunk(c))
	must(t, p.Close())
	wants(t, p.Close(), ErrClosed, "closing")
	_, err := p.Owner().AllocateChunk(1)
	wants(t, err, ErrClosed, "closing")
	wants(t, p.FreeChunk(c), ErrClosed, "closing")
	a := p.Owner().OpenArena()
	_, err = a.Allocate(1, 1)
	wants(t, err, ErrClosed)
	h := p.Owner().OpenHeap()
	_, err = h.AllocateBlock(1)
	wants(t, err, ErrClosed)
}

// TestPool_limitsAtEveryStep repeats the same requests with limits one granule apart, and with a system that refuses: each
// refusal leaves everything right, and after it all can be given back.
func TestPool_limitsAtEveryStep(t *testing.T) {
	const granule = 64 << 10
	for limit := granule; limit <= 12*granule; limit += granule {
		for _, kind := range []string{"pool", "owner", "system"} {
			c := Config{Name: "limited", LargestChunk: 256 << 10, Reserve: 2 << 20}
			o := OwnerConfig{Name: "child", Lifetime: Lifetime(limit / granule % 2)}
			switch kind {
			case "pool":
				c.Limit = limit
			case "owner":
				o.HardLimit = limit
			}
			s := &faulty{system: thisSystem()}
			p := noError(newPool(c, s))
			owner := noError(p.Owner().Child(o))
			if kind == "system" {
				s.noDiscard.Store(true)
				if limit == granule {
					s.noReserve.Store(true)
				}
			}
			useAll(t, p, owner)
			must(t, p.Verify())
			if used := owner.ChargedBytes(); used != 0 {
				t.Errorf("%s limit %d: %d bytes stay charged", kind, limit, used)
			}
			must(t, p.Close())
		}
	}
}

// useAll takes chunks, blocks of an arena and blocks of a heap until each is refused, and gives all back.
func useAll(t *testing.T, p *Pool, o *Owner) {
	t.Helper()
	a, h := o.OpenArena(), o.OpenSharedHeap()
	var chunks, blocks []unsafe.Pointer
	refused := 0
	for i := range 60 {
		at, err := o.AllocateChunk(700 << (i % 9))
		if err == nil {
			chunks = append(chunks, at)
		}
		_, errA := a.Allocate(1+i*1000, 16)
		block, errH := h.AllocateUninitialized(1 + i*777)
		if errH == nil {
			blocks = append(blocks, block)
		}
		for _, err := range []error{err, errA, errH} {
			if err != nil {
				wants(t, err, ErrLimit, "limited", "child")
				refused++
			}
		}
		must(t, p.Verify())
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	for _, at := range chunks {
		must(t, p.FreeChunk(at))
		must(t, p.Verify())
	}
	for _, at := range blocks {
		must(t, h.Free(at))
		must(t, p.Verify())
	}
	must(t, h.Close())
	must(t, a.Close())
}

func TestOwner_limits(t *testing.T) {
	p := smallPool(t, 4<<20)
	var passed []string
	top := noError(p.Owner().Child(OwnerConfig{
		Name: "top", SoftLimit: 100 << 10, OnSoftLimit: func(o *Owner) { passed = append(passed, o.Path()) },
	}))
	low := noError(top.Child(OwnerConfig{Name: "low", HardLimit: 192 << 10}))
	one := noError(low.AllocateChunk(64 << 10))
	if passed != nil {
		t.Errorf("passed too early: %v", passed)
	}
	two := noError(low.AllocateChunk(64 << 10))
	three := noError(low.AllocateChunk(64 << 10))
	if fmt.Sprint(passed) != "[top]" {
		t.Errorf("passed: %v", passed)
	}
	_, err := low.AllocateChunk(1)
	var limit *LimitError
	if !errors.As(err, &limit) || limit.LimitedBy != "top/low" || limit.Limit != 192<<10 || limit.Requested != 1 {
		t.Fatalf("refused by %v", err)
	}
	wants(t, err, ErrLimit, "1 bytes for top/low of pool test", "196608", "committed", "free chunks:")
	other := noError(top.AllocateChunk(1)) // its parent may still
	for _, c := range []unsafe.Pointer{one, two, three, other} {
		must(t, p.FreeChunk(c))
	}
	must(t, p.FreeChunk(noError(low.AllocateChunk(192<<10>>1)))) // recovered
	if top.ChargedBytes() != 0 || top.Pool() != p || low.Name() != "low" || low.String() != "top/low" {
		t.Errorf("%v of %v has %d", low, top, top.ChargedBytes())
	}
}

// The function for the soft limit may use the arena or the heap that passed it, and wait for others that do.
func TestOwner_softLimitUsesWhatPassedIt(t *testing.T) {
	p := smallPool(t, 16<<20)
	calls := 0
	var use func()
	owner := noError(p.Owner().Child(OwnerConfig{Name: "x", SoftLimit: 100 << 10, OnSoftLimit: func(*Owner) {
		calls++
		use()
		done := make(chan struct{})
		go func() { use(); close(done) }()
		<-done
	}}))
	for _, a := range []*Arena{owner.OpenSharedArena(), owner.OpenArena()} {
		use = func() { must(t, a.Free(noError(a.Allocate(100, 1)))) }
		before := calls
		for range 40 { // first lines of their own, then what is behind them
			noError(a.Allocate(10<<10, 1))
		}
		if calls == before {
			t.Error("not called")
		}
		must(t, a.Close())
	}
	h := owner.OpenHeap()
	use = func() { must(t, h.Free(noError(h.Allocate(100, 1)))) }
	before := calls
	var blocks []unsafe.Pointer
	for range 40 {
		blocks = append(blocks, noError(h.Allocate(10<<10, 1)))
	}
	if calls == before {
		t.Error("not called")
	}
	for _, b := range blocks {
		must(t, h.Free(b))
	}
	must(t, h.Close())
	must(t, p.Verify())
}

func TestOwner_badConfig(t *testing.T) {
	p := smallPool(t, 1<<20)
	for words, c := range map[string]OwnerConfig{
		"needs one":     {},
		"-1 and 0":      {Name: "x", SoftLimit: -1},
		"0 and -2":      {Name: "x", HardLimit: -2},
		"by 3000 to":    {Name: "x", FirstGrowth: 3000},
		"to 2048 bytes": {Name: "x", MostGrowth: 2048},
	} {
		_, err := p.Owner().Child(c)
		kind := ErrSize
		if c.Name == "" {
			kind = ErrName
		}
		wants(t, err, kind, words)
	}
}

// TestPool_trim: scattered survivors hold pages and not granules; what nobody uses is not resident.
func TestPool_trim(t *testing.T) {
	p := testPool(t, Config{Name: "trimmed"})
	page := p.commitment.system.pageBytes()
	const chunks, every = 2000, 16
	all := make([]unsafe.Pointer, chunks)
	for i := range all {
		all[i] = noError(p.Owner().AllocateChunk(1024))
		fill(all[i], 1024, byte(i))
	}
	before := noError(p.ResidentBytes())
	if before < chunks*1024 {
		t.Fatalf("%d bytes resident of %d", before, chunks*1024)
	}
	kept := []filled{}
	for i, at := range all {
		if i%every == 0 {
			kept = append(kept, filled{at, 1024, byte(i)})
		} else {
			must(t, p.FreeChunk(at))
		}
	}
	p.Trim()
	must(t, p.Verify())
	if after := noError(p.ResidentBytes()); after > len(kept)*page {
		t.Errorf("%d bytes resident for %d survivors on pages of %d", after, len(kept), page)
	}
	for _, f := range kept {
		f.check(t)
		must(t, p.FreeChunk(f.at))
	}
	p.Trim()
	if after := noError(p.ResidentBytes()); after != 0 || p.Snapshot().Committed != 0 {
		t.Errorf("%d bytes resident of an empty pool, %d committed", after, p.Snapshot().Committed)
	}
}

// TestPool_decay: a turn that finds memory free as the last one did gives it back; with a negative time it goes at once.
func TestPool_decay(t *testing.T) {
	p := testPool(t, Config{Name: "slow", Decay: time.Hour})
	use := func(p *Pool) {
		c := noError(p.Owner().AllocateChunk(1 << 20))
		fill(c, 1<<20, 1)
		must(t, p.FreeChunk(c))
	}
	use(p)
	for turn, want := range []int{1 << 20, 0} {
		if more := p.sweep(); more != (want > 0) || p.Snapshot().Committed != want {
			t.Errorf("turn %d: %d committed, expected %d; more %v", turn, p.Snapshot().Committed, want, more)
		}
	}
	now := testPool(t, Config{Name: "now", Decay: -1})
	use(now)
	if noError(now.ResidentBytes()) != 0 || now.Snapshot().Committed != 0 {
		t.Errorf("%v", now.Snapshot())
	}
	soon := testPool(t, Config{Name: "soon", Decay: 2 * time.Millisecond})
	use(soon)
	for soon.Snapshot().Committed != 0 { // by the timer, or the test runs out of time
		time.Sleep(time.Millisecond)
	}
}

// TestPool_zeroKnown: a chunk that is known to be zero is.
func TestPool_zeroKnown(t *testing.T) {
	random := seeded(t)
	p := smallPool(t, 2<<20)
	var out []chunk
	zeros := 0
	for range 3000 {
		if len(out) > 0 && random.IntN(2) == 0 {
			p.giveBack(remove(random, &out))
		} else if c, err := p.ask(p.Owner(), 1, func(r *region) (chunk, verdict) {
			return r.take(r.holding(p.Owner()), random.IntN(r.geometry.leafLevel+1))
		}); err == nil {
			if c.zero {
				zeros++
				checkZero(t, c.pointer(), c.bytes)
			}
			fill(c.pointer(), c.bytes, 1)
			out = append(out, c)
		}
		if random.IntN(100) == 0 {
			p.Trim()
		}
	}
	for _, c := range out {
		p.giveBack(c)
	}
	if zeros < 10 {
		t.Errorf("only %d chunks were known to be zero", zeros)
	}
}

func TestPool_mapAndSnapshot(t *testing.T) {
	p := smallPool(t, 512<<10)
	small := noError(p.Owner().AllocateChunk(1))
	large := noError(p.Owner().AllocateChunk(128 << 10))
	_, lines, _ := strings.Cut(p.Map(), "\n")
	if lines != "1.[=\n....\n" {
		t.Errorf("map\n%s", p.Map())
	}
	must(t, p.FreeChunk(large))
	if _, lines, _ = strings.Cut(p.Map(), "\n"); lines != "1.oo\n....\n" {
		t.Errorf("map\n%s", p.Map())
	}
	s := p.Snapshot()
	if s.Reserved != 512<<10 || s.HandedOut != 1024 || s.Committed != 192<<10 || s.Owners[0].Pinned() != 63<<10 ||
		s.LargestFree() != 256<<10 {
		t.Errorf("%v", s)
	}
	want := strings.TrimLeft(`
      owner  used  handed out  committed  pinned  limit
       test     0        1024      65536   64512   none
  pool test     0        1024     196608   64512   none
free chunks: 1 of 262144 B, 1 of 131072 B, 1 of 65536 B, 1 of 32768 B, 1 of 16384 B, 1 of 8192 B, 1 of 4096 B, 1 of 2048 B, 1 of 1024 B`, "\n")
	if s.String() != want {
		t.Errorf("table\n%s\nexpected\n%s", s, want)
	}
	must(t, p.FreeChunk(small))
}

// TestPool_verifyFinds: each bit of the maps matters.
func TestPool_verifyFinds(t *testing.T) {
	p := smallPool(t, 512<<10)
	out := []unsafe.Pointer{noError(p.Owner().AllocateChunk(1)), noError(p.Owner().AllocateChunk(4096)),
		noError(p.Owner().AllocateChunk(128 << 10))}
	r := p.regions.all()[0]
	flipped := 0
	flip := func(name string, word *leaves, bit int) {
		*word ^= 1 << bit
		if p.Verify() == nil {
			t.Errorf("bit %d of %s: nobody notices", bit, name)
		}
		*word ^= 1 << bit
		flipped++
	}
	for bit := range 64 {
		flip("use", &r.use[0], bit)
		if bit != 0 && bit != 4 { // of chunks: those of start and lent may be either
			flip("start", &r.start[0], bit)
			flip("lent", &r.lent[0], bit)
		}
	}
	for word := range r.tree.free {
		for bit := range 64 {
			if word%r.tree.rootWords == 0 && (bit == 0 || bit >= 2*r.tree.rootGranules) {
				continue // no nodes
			}
			r.tree.free[word] ^= 1 << bit
			if p.Verify() == nil {
				t.Errorf("node %d: nobody notices", word*64+bit)
			}
			r.tree.free[word] ^= 1 << bit
			flipped++
		}
	}
	must(t, p.Verify())
	if flipped < 190 {
		t.Errorf("only %d bits", flipped)
	}
	for _, c := range out {
		must(t, p.FreeChunk(c))
	}
}
