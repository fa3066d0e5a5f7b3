//go:build !linux || !amd64 || !cgo || asan || msan

package cmemory_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"offcut.dev/go/cmemory"
)

func TestUnsupported(t *testing.T) {
	_, err := cmemory.Live()
	if !errors.Is(err, cmemory.ErrUnsupported) || !errors.Is(cmemory.WriteProfile(&bytes.Buffer{}), cmemory.ErrUnsupported) {
		t.Error(err)
	}
	if before := cmemory.SetRate(1); before != 0 {
		t.Error(before)
	}
	answer := httptest.NewRecorder()
	cmemory.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
	if answer.Code != http.StatusNotImplemented {
		t.Error(answer.Code)
	}
}
