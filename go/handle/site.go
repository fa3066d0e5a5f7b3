package handle

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// site is a stack that opened handles, with what became of those that were recorded. It refers to no handle: a profile
// that holds handles would keep them from being forgotten.
type site struct {
	pcs       [siteFrames]uintptr
	resource  *resource
	open      atomic.Int64
	bytes     atomic.Int64
	forgotten atomic.Int64
}

type siteKey struct {
	pcs      [siteFrames]uintptr
	resource *resource
}

// sites is every site seen, by its stack.
var sites struct {
	mu  sync.Mutex
	all map[siteKey]*site
}

// siteHere is the site of its caller.
func siteHere(r *resource) *site {
	key := siteKey{resource: r}
	runtime.Callers(2, key.pcs[:])
	sites.mu.Lock()
	defer sites.mu.Unlock()
	if len(sites.all) >= maxSites {
		if s := sites.all[key]; s != nil {
			return s
		}
		key.pcs = [siteFrames]uintptr{} // its frames say what it is
	}
	s := sites.all[key]
	if s == nil {
		s = &site{pcs: key.pcs, resource: r}
		if sites.all == nil {
			sites.all = make(map[siteKey]*site)
		}
		sites.all[key] = s
	}
	return s
}

func (s *site) opened(bytes int64) {
	if s != nil {
		s.open.Add(1)
		s.bytes.Add(bytes)
	}
}

func (s *site) gone(bytes int64) {
	if s != nil {
		s.open.Add(-1)
		s.bytes.Add(-bytes)
	}
}

// frames is the stack as text, the opener first, without the package's own frames.
func (s *site) frames() []string {
	if s.pcs[0] == 0 {
		return []string{fmt.Sprintf("one of the sites beyond the first %d", maxSites)}
	}
	var texts []string
	frames := runtime.CallersFrames(s.stack())
	for {
		f, more := frames.Next()
		own := texts == nil && strings.HasPrefix(f.Function, ownFrames)
		if !own && f.Function != "" && !strings.HasPrefix(f.Function, "runtime.") {
			texts = append(texts, fmt.Sprintf("%s(%s:%d)", f.Function, filepath.Base(f.File), f.Line))
		}
		if !more {
			return texts
		}
	}
}

// ownFrames is what the functions of this package begin with.
const ownFrames = "offcut.dev/go/handle."

func (s *site) stack() []uintptr {
	n := 0
	for n < len(s.pcs) && s.pcs[n] != 0 {
		n++
	}
	return s.pcs[:n]
}

func eachSite(visit func(*site)) {
	sites.mu.Lock()
	all := make([]*site, 0, len(sites.all))
	for _, s := range sites.all {
		all = append(all, s)
	}
	sites.mu.Unlock()
	for _, s := range all {
		visit(s)
	}
}
