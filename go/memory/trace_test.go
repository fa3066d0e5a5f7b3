package memory

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"offcut.dev/go/internal/spec"
)

// TestPool_replaysTraces runs the files that spec/pool-trace.md describes.
func TestPool_replaysTraces(t *testing.T) {
	for _, file := range spec.Files(t, "pool-traces/*.txt", 4) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tr := trace{owners: map[string]*Owner{}, chunks: map[string]unsafe.Pointer{}}
			for i, line := range strings.Split(string(text), "\n") {
				line, _, _ = strings.Cut(line, "#")
				words := strings.Fields(line)
				if len(words) == 0 {
					continue
				}
				if err := tr.step(words); err != nil {
					t.Fatalf("%s:%d: %s: %v", file, i+1, line, err)
				}
			}
			for _, p := range tr.chunks {
				must(t, tr.pool.FreeChunk(p))
			}
			must(t, tr.pool.Verify())
			must(t, tr.pool.Close())
			if tr.sets == 0 {
				t.Error("the trace compares no free set")
			}
		})
	}
}

type trace struct {
	pool   *Pool
	owners map[string]*Owner
	chunks map[string]unsafe.Pointer
	sets   int
}

func (tr *trace) step(words []string) (err error) {
	switch words[0] {
	case "pool":
		if tr.pool, err = NewPool(Config{
			Name: "trace", LargestChunk: number(words[1]), SmallestChunk: number(words[2]), Reserve: number(words[3]),
		}); err != nil {
			return err
		}
		return tr.pool.FreeChunk(noError(tr.pool.Owner().AllocateChunk(1))) // reserves the region
	case "owner":
		lifetime := map[string]Lifetime{"short": Short, "long": Long}[words[2]]
		tr.owners[words[1]], err = tr.pool.Owner().Child(OwnerConfig{Name: words[1], Lifetime: lifetime})
	case "take":
		err = tr.take(words)
	case "free":
		err = tr.pool.FreeChunk(tr.chunks[words[1]])
		delete(tr.chunks, words[1])
	case "free-set":
		tr.sets++
		if got := tr.freeSet(); got != strings.Join(words, " ") {
			err = fmt.Errorf("it is %s", got)
		}
	default:
		err = errors.New("unknown step")
	}
	return errors.Join(err, tr.pool.Verify())
}

func (tr *trace) take(words []string) error {
	p, err := tr.owners[words[2]].AllocateChunk(number(words[3]))
	if words[4] == "none" {
		if !errors.Is(err, ErrLimit) {
			return fmt.Errorf("taken at %p, error %v", p, err)
		}
		return nil
	}
	if err != nil {
		return err
	}
	tr.chunks[words[1]] = p
	if _, offset := tr.pool.regions.of(p); offset != number(words[4]) {
		return fmt.Errorf("taken at %d", offset)
	}
	return nil
}

func (tr *trace) freeSet() string {
	set := "free-set"
	tr.pool.regions.all()[0].freeChunks(func(offset, bytes int) { set += fmt.Sprintf(" %d+%d", offset, bytes) })
	return set
}

func number(word string) int { return noError(strconv.Atoi(word)) }

func noError[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
