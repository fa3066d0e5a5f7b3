//go:build linux && amd64 && cgo && !asan && !msan

package cmemory_test

import (
	"bytes"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/pprof/profile"

	"offcut.dev/go/cmemory"
	"offcut.dev/go/cmemory/internal/load"
)

func live(t *testing.T) cmemory.LiveMemory {
	t.Helper()
	l, err := cmemory.Live()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func taken(t *testing.T) *profile.Profile {
	t.Helper()
	var b bytes.Buffer
	if err := cmemory.WriteProfile(&b); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sampleBy sets the rate for the test, which stays on its thread: others have drawn their next distance by the rate before.
func sampleBy(t *testing.T, rate int) {
	t.Helper()
	runtime.LockOSThread()
	before := cmemory.SetRate(rate)
	load.Fill(1, 256<<20).Free() // takes a sample, so the next distance is drawn by the rate of now
	t.Cleanup(func() {
		cmemory.SetRate(before)
		runtime.UnlockOSThread()
	})
}

// stack is the functions of a sample, the innermost first.
func stack(s *profile.Sample) (names []string) {
	for _, l := range s.Location {
		for _, line := range l.Line {
			names = append(names, line.Function.Name)
		}
	}
	return names
}

// under sums up the samples that have all of these functions in their stack.
func under(p *profile.Profile, names ...string) (blocks, bytes float64) {
samples:
	for _, s := range p.Sample {
		all := strings.Join(stack(s), "\n") + "\n"
		for _, name := range names {
			if !strings.Contains(all, name+"\n") {
				continue samples
			}
		}
		blocks += float64(s.Value[0])
		bytes += float64(s.Value[1])
	}
	return blocks, bytes
}

func TestLive_isExact(t *testing.T) {
	for _, size := range []int{1, 24, 100, 5000, 200 << 10} {
		count := min(20_000, 64<<20/size)
		before, usedBefore := live(t), load.InUse()
		blocks := load.Fill(count, size)
		after, usedAfter := live(t), load.InUse()
		gotBlocks, got, want := int(after.Blocks-before.Blocks), float64(after.Bytes-before.Bytes), float64(usedAfter-usedBefore)
		// A few may be others': the runtime starts threads.
		if gotBlocks < count-50 || gotBlocks > count+50 {
			t.Errorf("%d blocks of %d bytes: counted %d", count, size, gotBlocks)
		}
		if math.Abs(got-want) > .01*want+64<<10 {
			t.Errorf("%d blocks of %d bytes: counted %.0f bytes, mallinfo2 says %.0f", count, size, got, want)
		}
		blocks.Free()
		if end := live(t); end.Blocks > before.Blocks+50 || end.Bytes > before.Bytes+64<<10 {
			t.Errorf("%d blocks of %d bytes: before %v, freed %v", count, size, before, end)
		}
	}
}

//go:noinline
func outer(count, bytes int) load.Blocks { return inlined(count, bytes) }

func inlined(count, bytes int) load.Blocks { return load.Fill(count, bytes) }

// The estimate has five standard errors of room. That it is not twice or half of it is what a wrong scale would show.
func TestWriteProfile_estimates(t *testing.T) {
	const rate = 16 << 10
	sampleBy(t, rate)
	for _, c := range []struct{ count, size int }{{400_000, 40}, {40_000, 1000}, {2000, 16 << 10}, {30, 1 << 20}} {
		before := live(t)
		b := outer(c.count, c.size)
		want := float64(live(t).Bytes - before.Bytes)
		p := taken(t)
		blocks, bytes := under(p, "offcut.dev/go/cmemory/internal/load.Fill",
			"offcut.dev/go/cmemory_test.inlined", "offcut.dev/go/cmemory_test.outer")
		room := 5 * math.Sqrt(rate/want)
		if math.Abs(bytes/want-1) > room || math.Abs(blocks/float64(c.count)-1) > room {
			t.Errorf("%d blocks of %d bytes: estimated %.0f and %.0f bytes in place of %.0f, more than %.1f %% away",
				c.count, c.size, blocks, bytes, want, 100*room)
		}
		b.Free()
		if blocks, bytes := under(taken(t), "offcut.dev/go/cmemory_test.outer"); blocks != 0 {
			t.Errorf("freed, and still %.0f blocks, %.0f bytes", blocks, bytes)
		}
	}
}

// shown is the profile of a program of its own, with all symbols.
func shown(t *testing.T) string {
	t.Helper()
	program, path := filepath.Join(t.TempDir(), "show"), filepath.Join(t.TempDir(), "cmemory.pb.gz")
	if out, err := exec.Command("go", "build", "-o", program, "./internal/load/show").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(program, path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// All functions are there, those of C and those that were inlined, each at its line; nothing of the way between.
func TestWriteProfile_lines(t *testing.T) {
	file, err := os.Open(shown(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }() // only read
	p, err := profile.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"deeper load.go malloc(bytes)",
		"fill load.go deeper(bytes)",
		"_cgo_*_Cfunc_fill cgo-gcc-prolog",
		"offcut.dev/go/cmemory/internal/load._Cfunc_fill _cgo_gotypes.go",
		"offcut.dev/go/cmemory/internal/load.Fill.func1 load.go C.fill",
		"offcut.dev/go/cmemory/internal/load.Fill load.go C.fill",
		"main.inlined main.go load.Fill",
		"main.outer main.go inlined()",
		"main.main main.go outer()",
		"runtime.main proc.go fn()",
	}
	for _, s := range p.Sample {
		if s.Value[1] < 64<<20 {
			continue
		}
		var got []string
		for _, l := range s.Location {
			for _, line := range l.Line {
				name, file := line.Function.Name, filepath.Base(line.Function.Filename)
				if strings.HasPrefix(name, "_cgo_") {
					name = "_cgo_*" + name[strings.Index(name, "_Cfunc"):]
				}
				text := name + " " + file
				if source, err := os.ReadFile(line.Function.Filename); err == nil {
					text += " " + strings.Split(string(source), "\n")[line.Line-1]
				}
				got = append(got, text)
			}
		}
		for i, text := range got {
			if i >= len(want) {
				t.Fatalf("more than expected: %q", got)
			}
			prefix, call := want[i], ""
			if parts := strings.SplitN(prefix, " ", 3); len(parts) == 3 {
				prefix, call = parts[0]+" "+parts[1], parts[2]
			}
			if !strings.HasPrefix(text, prefix) || !strings.Contains(text, call) {
				t.Errorf("%q, expected %q", text, want[i])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d functions: %q", len(got), got)
		}
		return
	}
	t.Error("no sample of the block")
}

// The judge of the format is the tool that reads it.
func TestWriteProfile_isReadByPprof(t *testing.T) {
	out, err := exec.Command("go", "tool", "pprof", "-traces", shown(t)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, part := range []string{"inuse_space", "deeper", "main.outer", "64MB", "live C memory, exactly: "} {
		if !strings.Contains(string(out), part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
}

func TestEveryFunction_isCounted(t *testing.T) {
	sampleBy(t, 1) // every block is a sample
	if failed := load.Each(); failed != 0 {
		t.Errorf("%d of them failed", failed)
	}
	before := live(t)
	for range 1000 {
		load.Each()
	}
	if after := live(t); after.Blocks > before.Blocks+50 || after.Bytes > before.Bytes+64<<10 {
		t.Errorf("before %v, after %v", before, after)
	}
	if blocks, bytes := under(taken(t), "offcut.dev/go/cmemory/internal/load.Each"); blocks != 0 {
		t.Errorf("%.0f blocks, %.0f bytes that are free are in the profile", blocks, bytes)
	}
}

func TestThreads_thatEnd(t *testing.T) {
	sampleBy(t, 4<<10)
	before, _ := cmemory.Live()
	if !load.Threads(400, 500) {
		t.Fatal("no threads")
	}
	if after := live(t); after.Blocks > before.Blocks+100 || after.Bytes > before.Bytes+256<<10 {
		t.Errorf("before %v, after %v", before, after)
	}
}

// A thread that C started has no frame of Go.
func TestThreads_ofC(t *testing.T) {
	b := load.OnThread(1, 64<<20)
	defer b.Free()
	found := false
	for _, s := range taken(t).Sample {
		if s.Value[1] >= 64<<20 {
			found = true
			if names := strings.Join(stack(s), " "); len(s.Location) < 3 || strings.Contains(names, "offcut") {
				t.Errorf("%d frames: %s", len(s.Location), names)
			}
		}
	}
	if !found {
		t.Error("no sample of the block")
	}
}

// A child is forked while other threads hold the locks of the table, which each block needs at this rate.
func TestFork(t *testing.T) {
	sampleBy(t, 1)
	if status := load.Forked(200); status != 0 {
		t.Errorf("a child ended with status %d", status)
	}
}

// What a library allocates that is loaded while the program runs is seen, and has the library's function.
func TestLibrary_loadedLater(t *testing.T) {
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "cc"
	}
	dir := t.TempDir()
	source, library := filepath.Join(dir, "late.c"), filepath.Join(dir, "late.so")
	text := "#include <stdlib.h>\nvoid *from_late(size_t n) { char *p = malloc(n); p[0] = 1; return p; }\n"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(compiler, "-shared", "-fPIC", "-O1", "-o", library, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := load.Library(library, "from_late", 64<<20)
	if p == unsafe.Pointer(nil) {
		t.Fatal("not loaded")
	}
	defer load.FreeOne(p)
	if blocks, bytes := under(taken(t), "from_late", "offcut.dev/go/cmemory_test.TestLibrary_loadedLater"); blocks != 1 || bytes < 64<<20 {
		t.Errorf("%.0f blocks, %.0f bytes", blocks, bytes)
	}
}

func TestSetRate_zero(t *testing.T) {
	sampleBy(t, 0)
	before := live(t)
	b := outer(10, 8<<20)
	defer b.Free()
	if blocks, _ := under(taken(t), "offcut.dev/go/cmemory_test.TestSetRate_zero"); blocks != 0 {
		t.Errorf("%.0f blocks sampled", blocks)
	}
	if after := live(t); after.Bytes < before.Bytes+80<<20 {
		t.Errorf("before %v, after %v", before, after)
	}
}

func TestHandler(t *testing.T) {
	answer := httptest.NewRecorder()
	cmemory.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/", nil))
	if _, err := profile.Parse(answer.Body); answer.Code != http.StatusOK || err != nil {
		t.Error(answer.Code, err)
	}
}
