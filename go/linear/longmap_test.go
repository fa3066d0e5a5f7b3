package linear

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"offcut.dev/go/longmap"
)

// call is an operation on one key.
type call struct {
	name     string
	key      uint64
	old, new *int
}

// answer is the value before, or nil; and whether a swap was done.
type answer struct {
	value *int
	done  bool
}

// model is a map of the language, key by key.
var model = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byKey := map[uint64][]porcupine.Operation{}
		for _, o := range history {
			key := o.Input.(call).key
			byKey[key] = append(byKey[key], o)
		}
		var parts [][]porcupine.Operation
		for _, part := range byKey {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return (*int)(nil) },
	Step: func(state, input, output any) (bool, any) {
		before, c, got := state.(*int), input.(call), output.(answer)
		after, want := before, answer{value: before}
		switch c.name {
		case "put":
			after = c.new
		case "putIfAbsent":
			if before == nil {
				after = c.new
			}
		case "replace":
			if before != nil {
				after = c.new
			}
		case "remove":
			after = nil
		case "swap":
			want = answer{done: before == c.old}
			if want.done {
				after = c.new
			}
		}
		return got == want, after
	},
	DescribeOperation: func(input, output any) string {
		c := input.(call)
		return fmt.Sprintf("%s(%d, %s, %s) = %v", c.name, c.key, show(c.old), show(c.new), output)
	},
}

func show(v *int) string {
	if v == nil {
		return "none"
	}
	return strconv.Itoa(*v)
}

func perform(m *longmap.Map[int], c call) answer {
	switch c.name {
	case "put":
		return answer{value: m.Put(c.key, c.new)}
	case "putIfAbsent":
		return answer{value: m.PutIfAbsent(c.key, c.new)}
	case "replace":
		return answer{value: m.Replace(c.key, c.new)}
	case "remove":
		return answer{value: m.Remove(c.key)}
	case "swap":
		return answer{done: m.CompareAndSwap(c.key, c.old, c.new)}
	}
	return answer{value: m.Get(c.key)}
}

var names = []string{"put", "put", "putIfAbsent", "replace", "remove", "remove", "swap", "swap", "get", "get"}

const (
	goroutines = 4
	calls      = 60
	keys       = 3
)

// TestMap_linearizable: short histories of few keys, many of them, on maps in which another goroutine makes the table grow
// and shrink.
func TestMap_linearizable(t *testing.T) {
	histories := 300
	if factor, err := strconv.Atoi(os.Getenv("OFFCUT_STRESS")); err == nil {
		histories *= factor
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	resized := 0
	for round := range uint64(histories) {
		history, moved := record(seed+round, round%2 == 0)
		if moved {
			resized++
		}
		result, info := porcupine.CheckOperationsVerbose(model, history, time.Minute)
		if result != porcupine.Ok {
			path := t.ArtifactDir() + "/history.html"
			err := porcupine.VisualizePath(model, info, path)
			t.Fatalf("round %d: %v; drawn in %s (%v)", round, result, path, err)
		}
	}
	if resized < histories/4 {
		t.Errorf("the table was resized in %d of %d histories only", resized, histories)
	}
}

// TestModel_finds: the model refuses a history that cannot be.
func TestModel_finds(t *testing.T) {
	one := 1
	history := []porcupine.Operation{
		{ClientId: 0, Input: call{name: "put", key: 1, new: &one}, Output: answer{}, Call: 1, Return: 2},
		{ClientId: 1, Input: call{name: "remove", key: 1}, Output: answer{value: &one}, Call: 3, Return: 4},
		{ClientId: 0, Input: call{name: "get", key: 1}, Output: answer{value: &one}, Call: 5, Return: 6},
	}
	if porcupine.CheckOperations(model, history) {
		t.Error("a removed value was got, and nobody minds")
	}
}

// record lets goroutines work on a map, and one more fill and empty it if it is to be resized: what they saw, and whether the
// map was resized.
func record(seed uint64, resize bool) (history []porcupine.Operation, resized bool) {
	m := longmap.New[int](0)
	m.Put(keys, new(int))
	small := m.RetainedBytes()
	began := time.Now()
	parts := make([][]porcupine.Operation, goroutines)
	var start, working, filling sync.WaitGroup
	done := make(chan struct{})
	start.Add(1)
	for g := range goroutines {
		working.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(g)))
			var last *int
			start.Wait()
			for i := range calls {
				v := g*calls + i
				c := call{name: names[random.IntN(len(names))], key: random.Uint64N(keys), old: last, new: &v}
				called := time.Since(began)
				got := perform(m, c)
				parts[g] = append(parts[g], porcupine.Operation{
					ClientId: g, Input: c, Output: got, Call: int64(called), Return: int64(time.Since(began)),
				})
				if last = got.value; last == nil {
					last = c.new
				}
			}
		})
	}
	if resize {
		filling.Go(func() {
			other := new(int)
			start.Wait()
			for {
				for key := uint64(keys); key < 600; key++ {
					m.Put(key, other)
				}
				resized = resized || m.RetainedBytes() > 4*small
				for key := uint64(keys); key < 600; key++ {
					m.Remove(key)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	start.Done()
	working.Wait()
	close(done)
	filling.Wait()
	for _, part := range parts {
		history = append(history, part...)
	}
	return history, resized
}
