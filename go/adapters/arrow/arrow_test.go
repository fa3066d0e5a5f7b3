package arrow_test

import (
	"errors"
	"fmt"
	"log"
	"sync"
	"testing"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/compute"
	arrowmemory "github.com/apache/arrow-go/v18/arrow/memory"

	offcut "offcut.dev/go/adapters/arrow"
	"offcut.dev/go/memory"
)

var _ arrowmemory.Allocator = (*offcut.Allocator)(nil)

func newAllocator(t *testing.T, c memory.Config) *offcut.Allocator {
	t.Helper()
	c.Name = "arrow"
	pool, err := memory.NewPool(c)
	if err != nil {
		t.Fatal(err)
	}
	a := offcut.New(pool.Owner())
	t.Cleanup(func() {
		for _, err := range []error{pool.Verify(), a.Close(), pool.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return a
}

func TestAllocator_buffers(t *testing.T) {
	a := newAllocator(t, memory.Config{})
	for _, size := range []int{0, 1, 63, 64, 65, 5000, 100_000} {
		b := a.Allocate(size)
		if len(b) != size || size > 0 && uintptr(unsafe.Pointer(&b[0]))%64 != 0 {
			t.Errorf("%d bytes for %d at %p", len(b), size, b)
		}
		for i := range b {
			if b[i] != 0 {
				t.Fatalf("byte %d of a new buffer of %d is %d", i, size, b[i])
			}
			b[i] = byte(i + 1)
		}
		for _, next := range []int{size * 3, size*3 + 1, size, size / 2, 2 * size, 1} {
			kept := min(len(b), next)
			b = a.Reallocate(next, b)
			if len(b) != next {
				t.Fatalf("%d bytes for %d", len(b), next)
			}
			for i := range b {
				if want := byte(i + 1); i < kept && b[i] != want || i >= kept && b[i] != 0 {
					t.Fatalf("from %d to %d bytes: byte %d is %d", kept, next, i, b[i])
				}
				b[i] = byte(i + 1)
			}
		}
		a.Free(b)
	}
	if a.UsedBytes() != 0 {
		t.Errorf("%d bytes used", a.UsedBytes())
	}
}

func TestAllocator_misuse(t *testing.T) {
	a := newAllocator(t, memory.Config{Limit: 1 << 20})
	b := a.Allocate(100)
	for name, c := range map[string]struct {
		kind error
		do   func()
	}{
		"negative":     {memory.ErrSize, func() { a.Allocate(-1) }},
		"too much":     {memory.ErrLimit, func() { a.Allocate(2 << 20) }},
		"foreign":      {memory.ErrForeignFree, func() { a.Free(make([]byte, 10)) }},
		"interior":     {memory.ErrForeignFree, func() { a.Free(b[1:]) }},
		"grow foreign": {memory.ErrForeignFree, func() { a.Reallocate(100, make([]byte, 10)) }},
		"double": {memory.ErrDoubleFree, func() {
			d := a.Allocate(100)
			a.Free(d)
			a.Free(d)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if err, _ := recover().(error); !errors.Is(err, c.kind) {
					t.Errorf("panic %v, expected %v", err, c.kind)
				}
			}()
			c.do()
		})
	}
	if err := a.Close(); !errors.Is(err, memory.ErrInUse) {
		t.Errorf("closed with a buffer out: %v", err)
	}
	a.Free(b)
}

// TestAllocator_records builds, slices, casts and adds up records on it, from several goroutines; Arrow's own checking
// allocator finds everything released.
func TestAllocator_records(t *testing.T) {
	a := newAllocator(t, memory.Config{})
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			checked := arrowmemory.NewCheckedAllocator(a)
			defer checked.AssertSize(t, 0)
			schema := arrow.NewSchema([]arrow.Field{
				{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "name", Type: arrow.BinaryTypes.String},
				{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Float64)},
			}, nil)
			for range 20 {
				builder := array.NewRecordBuilder(checked, schema)
				for i := range 500 {
					builder.Field(0).(*array.Int64Builder).Append(int64(i))
					builder.Field(1).(*array.StringBuilder).Append(fmt.Sprint("name ", g, i))
					list := builder.Field(2).(*array.ListBuilder)
					list.Append(i%3 != 0)
					list.ValueBuilder().(*array.Float64Builder).AppendValues(make([]float64, i%3), nil)
				}
				record := builder.NewRecordBatch()
				builder.Release()
				slice := record.NewSlice(100, 200)
				record.Release()
				ids := slice.Column(0).(*array.Int64)
				names := slice.Column(1).(*array.String)
				for i := range 100 {
					if ids.Value(i) != int64(100+i) || names.Value(i) != fmt.Sprint("name ", g, 100+i) {
						t.Errorf("row %d is %d, %s", i, ids.Value(i), names.Value(i))
					}
				}
				slice.Release()
			}
		})
	}
	all.Wait()
}

func TestAllocator_compute(t *testing.T) {
	a := newAllocator(t, memory.Config{})
	checked := arrowmemory.NewCheckedAllocator(a)
	defer checked.AssertSize(t, 0)
	builder := array.NewInt64Builder(checked)
	builder.AppendValues([]int64{1, 2, 3, 4}, nil)
	values := builder.NewArray()
	builder.Release()
	defer values.Release()
	ctx := compute.WithAllocator(t.Context(), checked)
	sum, err := compute.Add(ctx, compute.ArithmeticOptions{}, compute.NewDatumWithoutOwning(values), compute.NewDatumWithoutOwning(values))
	if err != nil {
		t.Fatal(err)
	}
	defer sum.Release()
	got := sum.(*compute.ArrayDatum).MakeArray()
	defer got.Release()
	if text := got.String(); text != "[2 4 6 8]" {
		t.Errorf("sum %s", text)
	}
}

// A checked allocator shows each use after a free: a read as 0xDB, a write as an error.
func TestAllocator_checked(t *testing.T) {
	pool, err := memory.NewPool(memory.Config{Name: "checked"})
	if err != nil {
		t.Fatal(err)
	}
	a := offcut.NewChecked(pool.Owner(), 1<<20)
	read, moved := a.Allocate(100), a.Allocate(100)
	a.Free(read)
	again := a.Reallocate(101, moved)
	for name, b := range map[string][]byte{"freed": read, "moved": moved} {
		if b[0] != 0xDB || b[99] != 0xDB {
			t.Errorf("%s: %#x, %#x", name, b[0], b[99])
		}
	}
	if again[0] != 0 || &again[0] == &moved[0] {
		t.Error("not moved, or not copied")
	}
	read[7] = 1
	a.Free(again)
	if err := a.Close(); !errors.Is(err, memory.ErrUseAfterFree) {
		t.Errorf("written to, and %v", err)
	}
	if err := errors.Join(a.Close(), pool.Close()); err != nil {
		t.Error(err)
	}
	// What Arrow does with it is right.
	pool, _ = memory.NewPool(memory.Config{Name: "records"})
	a = offcut.NewChecked(pool.Owner(), 1<<20)
	builder := array.NewInt64Builder(a)
	for i := range 10_000 {
		builder.Append(int64(i))
	}
	values := builder.NewInt64Array()
	builder.Release()
	for i := range 10_000 {
		if values.Value(i) != int64(i) {
			t.Fatalf("%d: %d", i, values.Value(i))
		}
	}
	values.Release()
	if err := errors.Join(a.Close(), pool.Close()); err != nil {
		t.Error(err)
	}
}

func Example() {
	pool, err := memory.NewPool(memory.Config{Name: "tables", Limit: 64 << 20})
	if err != nil {
		log.Fatal(err)
	}
	allocator := offcut.New(pool.Owner())
	builder := array.NewInt64Builder(allocator)
	builder.AppendValues([]int64{1, 2, 3}, nil)
	column := builder.NewArray()
	builder.Release()
	fmt.Println(column, allocator.UsedBytes() > 0)
	column.Release()
	fmt.Println(allocator.Close(), pool.Close())
	// Output:
	// [1 2 3] true
	// <nil> <nil>
}
