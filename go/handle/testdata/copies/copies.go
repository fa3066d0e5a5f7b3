// Package copies has mistakes that vet finds.
package copies

import "offcut.dev/go/handle"

func a(h *handle.Of[*byte]) handle.Of[*byte] { return *h }

func b(h *handle.Of[*byte]) { c := *h; _ = c.Close() }

func d(o handle.Of[*byte]) {}
