package memory

import (
	"errors"
	"fmt"
)

// What can go wrong, for errors.Is. Each leaves everything as it was; the text of the error itself has the addresses,
// sizes and names.
var (
	// ErrSize: a size, an alignment or a limit that cannot be.
	ErrSize = errors.New("illegal size")
	// ErrName: an owner or a pool without a name, which stands in every report.
	ErrName = errors.New("no name")
	// ErrLimit: a limit stands against a request. The error is a [*LimitError].
	ErrLimit = errors.New("memory limit")
	// ErrDoubleFree: what is given back is free already.
	ErrDoubleFree = errors.New("double free")
	// ErrUseAfterFree: what is used was given back.
	ErrUseAfterFree = errors.New("use after free")
	// ErrForeignFree: what is given back was not handed out here, or not at this address.
	ErrForeignFree = errors.New("foreign free")
	// ErrClosed: the pool, the heap or the arena is closed, also when it is closed once more.
	ErrClosed = errors.New("closed")
	// ErrInUse: a pool or a heap cannot be closed while memory of it is out.
	ErrInUse = errors.New("memory in use")
	// ErrGoPointer: a type holds Go pointers, which the collector does not see in native memory.
	ErrGoPointer = errors.New("type holds Go pointers")
	// ErrUnsupported: there is no pool on this system; it needs 64-bit Linux.
	ErrUnsupported = errors.New("unsupported system")
)

// LimitError is the refusal of a request that a limit stands against. Nothing was taken and nothing is lost: close arenas,
// free chunks, or raise the limit, and ask again. It matches [ErrLimit].
type LimitError struct {
	// LimitedBy is the path of the owner whose limit it is, or the name of the pool.
	LimitedBy string
	// Requested is what was asked for, in bytes.
	Requested int
	// Limit is the limit, in bytes.
	Limit int
	// Snapshot is who held what.
	Snapshot Snapshot

	what string
}

// Error says whose limit it is, and who holds what.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%v: %s\n%v", ErrLimit, e.what, e.Snapshot)
}

// Is makes it an [ErrLimit].
func (e *LimitError) Is(target error) bool { return target == ErrLimit }
