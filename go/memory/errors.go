package memory

import (
	"errors"
	"fmt"
)

// Errors to compare with [errors.Is]. After each of them everything is unchanged. The text of the returned error has
// addresses, sizes and names.
var (
	// ErrSize says that a size, an alignment or a limit is impossible.
	ErrSize = errors.New("illegal size")
	// ErrName says that an owner or a pool has no name. Reports need one.
	ErrName = errors.New("no name")
	// ErrLimit says that a request would exceed a limit. The error is a [*LimitError].
	ErrLimit = errors.New("memory limit")
	// ErrDoubleFree says that the memory is already free.
	ErrDoubleFree = errors.New("double free")
	// ErrUseAfterFree says that the block was freed before this use.
	ErrUseAfterFree = errors.New("use after free")
	// ErrForeignFree says that no chunk or block of this pool, heap or arena begins at the address.
	ErrForeignFree = errors.New("foreign free")
	// ErrClosed says that the pool, the heap or the arena is already closed.
	ErrClosed = errors.New("closed")
	// ErrInUse says that a pool or a heap cannot be closed, because its memory is in use.
	ErrInUse = errors.New("memory in use")
	// ErrGoPointer says that a type has Go pointers, which the collector does not see in native memory.
	ErrGoPointer = errors.New("type holds Go pointers")
)

// LimitError says that a request would exceed a limit, or that no more address space can be reserved. Nothing was
// allocated. Close arenas, free chunks or raise the limit, and try again. It matches [ErrLimit].
type LimitError struct {
	// LimitedBy is the path of the owner that has the limit, or the name of the pool.
	LimitedBy string
	// Requested is the requested size, in bytes.
	Requested int
	// Limit is the limit, in bytes.
	Limit int
	// Snapshot has the memory of each owner when the request was refused.
	Snapshot Snapshot

	what string
}

// Error returns a text with the owner or pool that has the limit, and the table of the snapshot.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%v: %s\n%v", ErrLimit, e.what, e.Snapshot)
}

// Is returns whether target is [ErrLimit].
func (e *LimitError) Is(target error) bool { return target == ErrLimit }
