// Package handle gives native resources (C memory, descriptors, ids) owners in Go: each is released exactly once, by
// Close, or by a net when its owner was forgotten.
//
// # Which handle
//
//   - [Handle], from [Type.Open]: a pointer. One object a resource, exact: no other handle can delay its release. With
//     policies for use against close, parents and children.
//   - [Value], from [Pool.Open] or [Owner.Open]: 16 bytes to copy, no allocation. For high rates. The net looks at slabs
//     of 32, so a forgotten value may wait for its neighbours.
//
// # Pointer handles: a generational net
//
// [runtime.AddCleanup] pays its full price for each object when it is registered: memory beside the heap, three
// allocations, and a walk through the list of the objects registered in the same span, which is sorted by address while
// the allocator hands out ascending addresses, so that the walk goes to its end. Nearly every resource is closed within
// microseconds. So a handle is registered late:
//
//	          Open                     a GC cycle, or a full stripe
//	(nothing) ────▶ YOUNG ──────────────────────────────────────────▶ TENURED
//	                  │ Close                                            │ Close      │ forgotten
//	                  ▼                                                  ▼            ▼
//	               CLOSED                                             CLOSED       RELEASED by the net
//
//	state    young                                                    tenured
//	held by  its slot, strongly                                       nothing
//
// A young handle is one slot of the nursery of its type, which holds it strongly: it costs no registration, and cannot
// be collected. When a GC cycle was seen, or its part of the nursery is full, what is still open in it is promoted, the
// youngest first: then addresses descend within a span, and the walk is short. A promoted handle is held by
// nobody but the program.
//
// The protocol:
//
//  1. One word decides: the state of the handle. It goes from young to closed, or by way of tenured, and never back.
//     Promoters compare-and-set it; of all closers one changes it to closed, and owns the resource from then on. So a
//     handle that is closed while it is promoted is closed once. See [Handle.Close] and Handle.promote.
//  2. A handle is registered before its state says so; a promoter that loses takes the registration back. Both keep the
//     handle reachable until they are done, so the cleanup that they take back cannot have been queued.
//  3. What the cleanup gets is a copy of the raw value, made before the registration. It reads nothing that a closer
//     writes, and needs no ordering with it.
//  4. The state is closed before the resource is released. A leak is better than a double free. A close leaves the slot
//     alone: an opener may take a slot from a closed handle, and a promoter empties it.
//  5. Slots are never taken away from a nursery, so that no opener can hold one that nobody looks at.
//
// A GC cycle is seen by an object that nobody holds: its cleanup runs, and leaves the next one (cycle.go).
//
// # Value handles: one registration a slab
//
//	Value ─▶ token ─▶ record { generation and raw value of 32 slots, bits of the slots that were closed }
//	          │                    ▲
//	          └─ AddCleanup ───────┘
//
// The record outlives its token. A slot's generation is odd while it is open. Close compares-and-sets it from the
// value's own to the next, so a second close and a stale value are found; then it sets the slot's bit. The owner of the
// slab takes such bits and hands the slots out again. Only values and the owner refer to the token: when both are
// gone, every slot with an odd generation was forgotten. An owner retires a slab in which slots stay open for long, so
// that what was forgotten there can be found; a retired slab comes back, still registered, once all its slots are closed.
//
// # What is not guaranteed
//
// The net is a safety net. It does not run at exit, sets no time limit, and needs a GC cycle: a program that
// allocates little has few. [Options.Bytes] and [SetBudget] let native bytes ask for one. There is no order among
// handles but that of parents and children. A young handle, and all that it refers to, lives until the cycle after the
// one that saw it forgotten, as with [runtime.SetFinalizer].
//
// A [Handle] is 24 bytes and has pointers, so the allocator of tiny objects, which keeps several in one block, never
// gets it. It is not to be copied; vet finds copies.
//
// # Finding who forgets
//
// [Stats] counts. The environment variable OFFCUT_HANDLE_DETECTION (off, count, sample, full), or [SetDetection], says
// whether the stacks of openings are recorded, and [Snapshot.LeakReport] shows them. The packages handleprof, handlevar
// and handletest write a pprof profile, publish an expvar, and fail tests that leak.
package handle
