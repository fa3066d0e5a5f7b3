package memory

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"
)

// Arena allocates memory block by block, and frees all of it at once, at [Arena.Close].
//
// Blocks are zero. Their sizes are rounded up to multiples of 16 bytes. An arena of [Owner.OpenArena] is confined: one
// goroutine at a time uses it, and the program orders the hand-over, as for any Go value. An arena of
// [Owner.OpenSharedArena] has a lock, and any goroutine may use it. No goroutine may use a block after the arena is
// closed. Nothing checks that; with the build tag offcut_poison, such a block contains the bytes 0xDB.
//
// Blocks do not keep their arena reachable. If an arena became unreachable without a Close, a cleanup frees its memory
// some time later, and counts it in [Snapshot.ForgottenArenas]. So keep the arena reachable as long as you use its
// blocks; defer arena.Close() does that.
type Arena struct {
	lines  *lines
	free   *freeBlocks // nil until a block is freed
	net    runtime.Cleanup
	shared bool
	closed bool
	mu     sync.Mutex // locked if shared, for all but lines, shared and mu
}

var _ Allocator = (*Arena)(nil)

// OpenArena opens an arena for one goroutine at a time. It takes no memory before the first block.
func (o *Owner) OpenArena() *Arena { return &Arena{lines: &lines{owner: o}} }

// OpenSharedArena opens an arena for any goroutine. It takes no memory before the first block.
func (o *Owner) OpenSharedArena() *Arena { return &Arena{lines: &lines{owner: o}, shared: true} }

// Owner returns the owner to which the arena's memory is charged.
func (a *Arena) Owner() *Owner { return a.lines.owner }

// String returns a text with the owner's path.
func (a *Arena) String() string { return "the arena of " + a.lines.owner.Path() }

// fastAlignment is an alignment that every pool has.
const fastAlignment = 4096

// Allocate allocates a block of zeros. Its address is a multiple of alignment, a power of two, and of 16. A block of 0
// bytes has a unique address. The block lives until [Arena.Free] or [Arena.Close].
//
// Allocate fails with [ErrSize] if bytes is negative, or if alignment is no power of two or exceeds the pool's largest
// chunk. It also fails with a [*LimitError], or with [ErrClosed]. After an error the arena is unchanged.
func (a *Arena) Allocate(bytes, alignment int) (unsafe.Pointer, error) {
	if a.shared {
		a.mu.Lock()
	}
	if l := a.lines.filling; l != nil && bytes > 0 && isPowerOfTwo(alignment) && alignment <= fastAlignment && !a.closed && !a.hasFreed() {
		at := l.alignedPos(alignment)
		if at <= l.bytes && bytes <= l.bytes-at {
			p := a.bump(l, at, bytes)
			a.unlock()
			return p, nil
		}
	}
	held := a.lines.taken
	p, err := a.allocateSlowly(bytes, alignment)
	grown := a.lines.taken != held
	a.unlock()
	if grown { // only now: the function of the program may use the arena
		a.lines.owner.callBack()
	}
	return p, err
}

func (a *Arena) unlock() {
	if a.shared {
		a.mu.Unlock()
	}
}

func (a *Arena) hasFreed() bool { return a.free != nil && a.free.bytes > 0 }

// alignedPos is where the next block of an alignment would begin.
func (l *line) alignedPos(alignment int) int {
	unit := max(alignment, blockBytes)
	base := int(uintptr(l.base))
	return (base+l.pos+unit-1)&-unit - base
}

// bump cuts a block from the end of what there is.
func (a *Arena) bump(l *line, at, bytes int) unsafe.Pointer {
	l.starts.set(at / blockBytes)
	l.pos = at + rounded(bytes)
	p := unsafe.Add(l.base, at)
	if at < l.dirtyTo {
		clear(unsafe.Slice((*byte)(p), bytes))
	}
	runtime.KeepAlive(a) // or the collector might give the line back while it is written to
	return p
}

func rounded(bytes int) int { return (bytes + blockBytes - 1) &^ (blockBytes - 1) }

func (a *Arena) allocateSlowly(bytes, alignment int) (unsafe.Pointer, error) {
	switch {
	case a.closed:
		return nil, fmt.Errorf("%w: %v: a block of %d bytes cannot be taken from it", ErrClosed, a, bytes)
	case bytes < 0 || !isPowerOfTwo(alignment) || alignment > a.lines.owner.pool.geometry.rootBytes:
		return nil, fmt.Errorf("%w: a block of %d bytes aligned to %d for %v: give 0 or more, and a power of two up to %d",
			ErrSize, bytes, alignment, a, a.lines.owner.pool.geometry.rootBytes)
	case bytes > mostRequest:
		return nil, a.lines.begin(bytes) // refused
	}
	size := max(rounded(bytes), blockBytes)
	if p := a.takeFreed(size, alignment); p != nil {
		freed := unsafe.Add(p.line.base, p.at)
		clear(unsafe.Slice((*byte)(freed), size))
		return freed, nil
	}
	l := a.lines.filling
	if l != nil {
		if at := l.alignedPos(alignment); at+size <= l.bytes || a.lines.extend(at+size-l.bytes) {
			return a.bump(l, at, size), nil
		}
	}
	return a.begin(size, alignment)
}

func (a *Arena) takeFreed(size, alignment int) *place {
	if !a.hasFreed() {
		return nil
	}
	if p := a.free.take(size, alignment); p != nil {
		return p
	}
	l := a.lines.filling
	if l.alignedPos(alignment)+size <= l.bytes || !a.free.joinDue(size, a.lines.taken) {
		return nil
	}
	a.free.join(a.lines)
	return a.free.take(size, alignment)
}

// begin begins another line, when the memory behind the last is not to be had; or the first.
func (a *Arena) begin(size, alignment int) (unsafe.Pointer, error) {
	bytes := size
	if alignment > a.lines.owner.pool.geometry.leafBytes {
		bytes += alignment // a line begins at a leaf
	}
	if err := a.lines.begin(bytes); err != nil {
		return nil, err
	}
	if len(a.lines.list) == 1 {
		a.net = runtime.AddCleanup(a, (*lines).forgotten, a.lines)
	}
	l := a.lines.filling
	return a.bump(l, l.alignedPos(alignment), size), nil
}

// Free frees a block before the arena is closed; the arena may hand its memory out again. It fails with [ErrDoubleFree]
// if the block is already free, with [ErrForeignFree] if no block of this arena begins there, and with [ErrClosed] if
// the arena is closed. After an error nothing has changed.
func (a *Arena) Free(p unsafe.Pointer) error {
	if a.shared {
		a.mu.Lock()
		defer a.mu.Unlock()
	}
	defer runtime.KeepAlive(a)
	if a.closed {
		return fmt.Errorf("%w: %v; its close freed %p, unless the block is not of it", ErrClosed, a, p)
	}
	l, at := a.lines.of(p)
	if l == nil || at%blockBytes != 0 || at >= l.pos || !l.starts.has(at/blockBytes) {
		return fmt.Errorf("%w: %p begins no block of %v: give the pointer that was handed out", ErrForeignFree, p, a)
	}
	if l.freed != nil && l.freed.has(at/blockBytes) {
		return fmt.Errorf("%w: %p, a block of %d bytes of %v, is free already", ErrDoubleFree, p, l.lengthAt(at), a)
	}
	if l.freed == nil {
		l.freed = make(bitset, len(l.starts))
	}
	if a.free == nil {
		a.free = new(freeBlocks)
	}
	freed := place{l, at, l.lengthAt(at)}
	poison(p, freed.bytes)
	a.free.put(freed)
	a.free.since += freed.bytes
	return nil
}

// Close frees all memory of the arena. A second call fails with [ErrClosed].
func (a *Arena) Close() error {
	if a.shared {
		a.mu.Lock()
		defer a.mu.Unlock()
	}
	if a.closed {
		return fmt.Errorf("%w: %v", ErrClosed, a)
	}
	a.closed = true
	a.net.Stop()
	a.lines.giveBack()
	runtime.KeepAlive(a)
	return nil
}
