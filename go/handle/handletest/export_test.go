package handletest

import "io"

// SetStderr sets where VerifyTestMain prints; it returns what puts it back.
func SetStderr(w io.Writer) (restore func()) {
	before := stderr
	stderr = w
	return func() { stderr = before }
}
