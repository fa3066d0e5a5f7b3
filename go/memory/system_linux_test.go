package memory

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// TestLinux_mark: whoever looks from outside finds a region by the page before it, which ends a mapping.
func TestLinux_mark(t *testing.T) {
	s := linux{mapping{os.Getpagesize()}}
	const bytes = 4 << 20
	p := s.reserve(bytes, bytes)
	if p == nil || uintptr(p)%bytes != 0 {
		t.Fatalf("%p", p)
	}
	page := unsafe.Add(p, -s.page)
	if *(*uint64)(page) != mark || *(*uint64)(unsafe.Add(page, 8)) != bytes {
		t.Errorf("%x %d", *(*uint64)(page), *(*uint64)(unsafe.Add(page, 8)))
	}
	ends, holds := mapped(t, uintptr(p))
	if !ends || !holds {
		t.Errorf("a mapping ends at %p: %v; one holds it: %v", p, ends, holds)
	}
	s.release(p, bytes)
	if ends, holds := mapped(t, uintptr(p)); ends || holds {
		t.Errorf("after its release a mapping ends at %p: %v; one holds it: %v", p, ends, holds)
	}
}

func mapped(t *testing.T, address uintptr) (ends, holds bool) {
	t.Helper()
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var from, to uintptr
		if _, err := fmt.Sscanf(strings.Fields(lines.Text())[0], "%x-%x", &from, &to); err != nil {
			t.Fatal(err)
		}
		ends = ends || to == address
		holds = holds || from <= address && address < to
	}
	return ends, holds
}
