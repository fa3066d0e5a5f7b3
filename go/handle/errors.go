package handle

import (
	"errors"
	"strings"
)

// Errors of operations on handles, to compare with [errors.Is]. The text of a returned error has the type, and the call
// sites that were recorded.
var (
	// ErrClosed says that the handle is closed or closing, by an earlier Close or by the Close of its parent.
	ErrClosed = errors.New("handle is closed")
	// ErrInUse says that another call used the handle when it was closed. The handle stays open. A parent with
	// [CascadeChildren] returns this error of a child: the child stays open, and the parent is closing.
	ErrInUse = errors.New("handle is in use")
	// ErrChildren says that a parent was closed while some of its children were open. The parent stays open. A parent
	// with [CascadeChildren] returns this error of a child, as for ErrInUse.
	ErrChildren = errors.New("handle has open children")
	// ErrNoHandle says that the handle is nil, that no Open made it, that it is a copy of a [Handle], or that it is the
	// zero [Value].
	ErrNoHandle = errors.New("no handle")
)

// fault is an error with the fact that mends the call.
type fault struct {
	kind   error
	text   string
	opened *site
	closed *site
}

func (f *fault) Error() string {
	var b strings.Builder
	b.WriteString(f.text)
	if f.opened != nil {
		b.WriteString("\n  opened at " + strings.Join(f.opened.frames(), "\n            "))
	}
	if f.closed != nil {
		b.WriteString("\n  closed at " + strings.Join(f.closed.frames(), "\n            "))
	}
	return b.String()
}

func (f *fault) Unwrap() error { return f.kind }

func noHandle(what string) error {
	return &fault{kind: ErrNoHandle, text: what + "; use what Open returned"}
}
