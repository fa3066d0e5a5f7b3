package handle

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// Errors of operations on handles, to compare with [errors.Is]. The text of a returned error has the type, and the call
// sites that were recorded. The error is [os.ErrInvalid] if the handle is nil, if no Open made it, if it is a copy of an
// [Of], or if it is the zero [Value].
var (
	// ErrClosed says that the handle is closed or closing, by an earlier Close or by the Close of its parent. It is an
	// [os.ErrClosed], too.
	ErrClosed = fmt.Errorf("handle: %w", os.ErrClosed)
	// ErrInUse says that another call used the handle when it was closed. The handle stays open. A parent with
	// [CascadeChildren] returns this error of a child: the child stays open, and the parent is closing.
	ErrInUse = errors.New("handle is in use")
	// ErrChildren says that a parent was closed while some of its children were open. The parent stays open. A parent
	// with [CascadeChildren] returns this error of a child, as for ErrInUse.
	ErrChildren = errors.New("handle has open children")
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
	return &fault{kind: os.ErrInvalid, text: what + "; use what Open returned"}
}
