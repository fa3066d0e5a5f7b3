package handleprof_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"offcut.dev/go/handle"
	"offcut.dev/go/handle/handleprof"
)

var native byte

//go:noinline
func openHere(t *handle.TypeOf[unsafe.Pointer]) *handle.Of[unsafe.Pointer] {
	return t.OpenSized(unsafe.Pointer(&native), 4096)
}

// The judge of the format is the tool that reads it.
func TestWrite_isReadByPprof(t *testing.T) {
	handle.SetDetection(handle.DetectFull)
	defer handle.SetDetection(handle.DetectCount)
	typ := handle.NewTypeOf(func(unsafe.Pointer) {}, handle.Options{Name: "profiled"})
	var both [2]*handle.Of[unsafe.Pointer]
	for i := range both {
		both[i] = openHere(typ)
	}
	path := filepath.Join(t.TempDir(), "handles.pb.gz")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := handleprof.Write(file); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	for index, want := range map[string]string{"open": "2", "native": "8kB"} {
		out, err := exec.Command("go", "tool", "pprof", "-traces", "-sample_index="+index, path).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, part := range []string{"handleprof_test.openHere", "TestWrite_isReadByPprof", "profiled", want} {
			if !strings.Contains(string(out), part) {
				t.Errorf("%s: no %q in\n%s", index, part, out)
			}
		}
		if strings.Contains(string(out), "(*TypeOf") {
			t.Errorf("the package's own functions are in\n%s", out)
		}
	}
	_, _ = both[0].Close(), both[1].Close()
}

func TestHandler(t *testing.T) {
	answer := httptest.NewRecorder()
	handleprof.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
	if answer.Code != http.StatusOK || answer.Body.Len() == 0 {
		t.Error(answer.Code, answer.Body.Len())
	}
}
