package wazero_test

import (
	"context"
	"errors"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"

	offcut "offcut.dev/go/adapters/wazero"
	"offcut.dev/go/memory"
)

// growing is a module with a memory of 1 to 64 pages, and functions grow(pages) and size().
//
//	(module
//	  (memory (export "memory") 1 64)
//	  (func (export "grow") (param i32) (result i32) local.get 0 memory.grow)
//	  (func (export "size") (result i32) memory.size))
var growing = []byte{
	0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,
	0x01, 0x0a, 0x02, 0x60, 0x01, 0x7f, 0x01, 0x7f, 0x60, 0x00, 0x01, 0x7f,
	0x03, 0x03, 0x02, 0x00, 0x01,
	0x05, 0x04, 0x01, 0x01, 0x01, 0x40,
	0x07, 0x18, 0x03, 0x06, 'm', 'e', 'm', 'o', 'r', 'y', 0x02, 0x00, 0x04, 'g', 'r', 'o', 'w', 0x00, 0x00,
	0x04, 's', 'i', 'z', 'e', 0x00, 0x01,
	0x0a, 0x0d, 0x02, 0x06, 0x00, 0x20, 0x00, 0x40, 0x00, 0x0b, 0x04, 0x00, 0x3f, 0x00, 0x0b,
}

const page = 64 << 10

func newPool(t *testing.T, c memory.Config) *memory.Pool {
	t.Helper()
	c.Name = "wasm"
	pool, err := memory.NewPool(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, err := range []error{pool.Verify(), pool.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return pool
}

// TestAllocator_module runs a module that grows its memory, compiled and interpreted: what it wrote stays, what is new is
// zero, and growing stops at the limit of the owner.
func TestAllocator_module(t *testing.T) {
	for name, config := range map[string]wazero.RuntimeConfig{
		"default": wazero.NewRuntimeConfig(), "interpreted": wazero.NewRuntimeConfigInterpreter(),
	} {
		t.Run(name, func(t *testing.T) {
			pool := newPool(t, memory.Config{})
			owner, err := pool.Owner().Child(memory.OwnerConfig{Name: "module", HardLimit: 48 * page})
			if err != nil {
				t.Fatal(err)
			}
			a := offcut.New(owner)
			ctx := experimental.WithMemoryAllocator(context.Background(), a)
			runtime := wazero.NewRuntimeWithConfig(ctx, config)
			module, err := runtime.Instantiate(ctx, growing)
			if err != nil {
				t.Fatal(err)
			}
			pages := uint32(1)
			for step := uint32(1); ; step++ {
				module.Memory().WriteUint32Le(pages*page-4, pages)
				result, err := module.ExportedFunction("grow").Call(ctx, uint64(step))
				if err != nil {
					t.Fatal(err)
				}
				if int32(result[0]) == -1 {
					break
				}
				for at := pages * page; at < (pages+step)*page; at += 4 {
					if v, ok := module.Memory().ReadUint32Le(at); !ok || v != 0 {
						t.Fatalf("new word at %d is %d", at, v)
					}
				}
				pages += step
			}
			if pages < 10 || pages >= 48 {
				t.Errorf("grew to %d pages under a limit of 48", pages)
			}
			total := uint32(1)
			for step := uint32(1); total < pages; step++ {
				if v, _ := module.Memory().ReadUint32Le(total*page - 4); v != total {
					t.Errorf("the last word of page %d is %d", total, v)
				}
				total += step
			}
			if result, err := module.ExportedFunction("size").Call(ctx); err != nil || uint32(result[0]) != pages {
				t.Errorf("size %v, expected %d: %v", result, pages, err)
			}
			if err := a.Close(); !errors.Is(err, memory.ErrInUse) {
				t.Errorf("closed with a module open: %v", err)
			}
			if err := runtime.Close(ctx); err != nil {
				t.Error(err)
			}
			if a.UsedBytes() != 0 {
				t.Errorf("%d bytes used after the runtime was closed", a.UsedBytes())
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAllocator_fixed: a memory of a fixed allocator never moves.
func TestAllocator_fixed(t *testing.T) {
	pool := newPool(t, memory.Config{})
	a := offcut.NewFixed(pool.Owner())
	m := a.Allocate(page, 20*page)
	first := m.Reallocate(page)
	for pages := uint64(2); pages <= 20; pages++ {
		if b := m.Reallocate(pages * page); &b[0] != &first[0] || uint64(len(b)) != pages*page {
			t.Fatalf("%d pages at another place, or %d bytes", pages, len(b))
		}
	}
	if m.Reallocate(20*page+1) != nil {
		t.Error("more than there is")
	}
	m.Free()
	m.Free()
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

// A checked allocator shows the host that kept a view of a memory which has moved.
func TestAllocator_checked(t *testing.T) {
	pool := newPool(t, memory.Config{})
	a := offcut.NewChecked(pool.Owner(), 8<<20)
	ctx := experimental.WithMemoryAllocator(context.Background(), a)
	runtime := wazero.NewRuntime(ctx)
	module, err := runtime.Instantiate(ctx, growing)
	if err != nil {
		t.Fatal(err)
	}
	module.Memory().WriteUint32Le(8, 7)
	for range 5 {
		stale, _ := module.Memory().Read(0, page)
		if _, err := module.ExportedFunction("grow").Call(ctx, 1); err != nil {
			t.Fatal(err)
		}
		if stale[8] != 0xDB {
			t.Errorf("a memory that moved reads as %#x", stale[8])
		}
		if v, _ := module.Memory().ReadUint32Le(8); v != 7 {
			t.Errorf("what was written is %d", v)
		}
	}
	stale, _ := module.Memory().Read(0, page)
	if err := runtime.Close(ctx); err != nil {
		t.Error(err)
	}
	stale[9] = 1
	if err := a.Close(); !errors.Is(err, memory.ErrUseAfterFree) {
		t.Errorf("written to, and %v", err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

func TestAllocator_refusal(t *testing.T) {
	pool := newPool(t, memory.Config{Limit: 4 * page})
	a := offcut.New(pool.Owner())
	defer func() {
		if err, _ := recover().(error); !errors.Is(err, memory.ErrLimit) {
			t.Errorf("panic %v", err)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	a.Allocate(5*page, 5*page)
}
