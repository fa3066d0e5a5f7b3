package v2

import (
	"context"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/internal/integration_test/spectest"
	offcut "offcut.dev/go/adapters/wazero"
	"offcut.dev/go/memory"
)

// TestOffcut runs the specification's tests of WebAssembly 2.0 on memories of a pool: `sh test/go.sh upstream`
// puts this file beside wazero's own, in a copy of it.
func TestOffcut(t *testing.T) {
	pool, err := memory.NewPool(memory.Config{Name: "spec"})
	if err != nil {
		t.Fatal(err)
	}
	memories, asked := offcut.New(pool.Owner()), 0
	ctx := experimental.WithMemoryAllocator(context.Background(),
		experimental.MemoryAllocatorFunc(func(first, most uint64) experimental.LinearMemory {
			asked++
			return memories.Allocate(first, most)
		}))
	for _, config := range []wazero.RuntimeConfig{wazero.NewRuntimeConfigCompiler(), wazero.NewRuntimeConfigInterpreter()} {
		spectest.Run(t, Testcases, ctx, config.WithCoreFeatures(enabledFeatures))
	}
	if asked == 0 {
		t.Error("no memory came from the pool")
	}
	t.Logf("%d memories", asked)
}
