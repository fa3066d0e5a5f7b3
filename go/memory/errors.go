package memory

import (
	"errors"
	"fmt"
)

// Errors to compare with errors.Is. Each of them leaves everything unchanged. The text of the returned error has the
// addresses, sizes and names.
var (
	// ErrSize: an impossible size, alignment or limit.
	ErrSize = errors.New("illegal size")
	// ErrName: an owner or a pool has no name; reports need one.
	ErrName = errors.New("no name")
	// ErrLimit: a request would exceed a limit. The error is a [*LimitError].
	ErrLimit = errors.New("memory limit")
	// ErrDoubleFree: the memory is already free.
	ErrDoubleFree = errors.New("double free")
	// ErrUseAfterFree: the block was freed before this use.
	ErrUseAfterFree = errors.New("use after free")
	// ErrForeignFree: the address is not the beginning of anything that was handed out here.
	ErrForeignFree = errors.New("foreign free")
	// ErrClosed: the pool, the heap or the arena is already closed.
	ErrClosed = errors.New("closed")
	// ErrInUse: a pool or a heap cannot be closed while its memory is in use.
	ErrInUse = errors.New("memory in use")
	// ErrGoPointer: a type holds Go pointers, which the collector does not see in native memory.
	ErrGoPointer = errors.New("type holds Go pointers")
	// ErrUnsupported: pools need 64-bit Linux.
	ErrUnsupported = errors.New("unsupported system")
)

// LimitError says that a request would have exceeded a limit. Nothing was allocated and nothing is lost. Close arenas,
// free chunks, or raise the limit, and try again. It matches [ErrLimit].
type LimitError struct {
	// LimitedBy is the path of the owner that has the limit, or the name of the pool.
	LimitedBy string
	// Requested is the requested size, in bytes.
	Requested int
	// Limit is the limit, in bytes.
	Limit int
	// Snapshot shows which owner held how much.
	Snapshot Snapshot

	what string
}

// Error returns whose limit it is, and the table of the snapshot.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%v: %s\n%v", ErrLimit, e.what, e.Snapshot)
}

// Is makes it an [ErrLimit].
func (e *LimitError) Is(target error) bool { return target == ErrLimit }
