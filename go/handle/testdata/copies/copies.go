// Package copies has mistakes that vet finds.
package copies

import "offcut.dev/go/handle"

func a(h *handle.Handle) handle.Handle { return *h }

func b(h *handle.Handle) { c := *h; _ = c.Close() }

func d(o handle.Of[*byte]) {}
