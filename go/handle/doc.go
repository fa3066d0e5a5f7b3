// Package handle represents native resources (C memory, descriptors, ids) by Go objects, called handles. Each resource
// is released exactly once: by Close, or by the net, a safety net, if its handle was forgotten.
//
// # Which handle
//
//   - [Handle], from [Type.Open]: a pointer. One object per resource: no other handle can delay the release. It has
//     policies for a Close during a use, and for parents and children.
//   - [Value], from [Pool.Open] or [Owner.Open]: 16 bytes to copy, no allocation. For high rates. The net works on
//     slabs of 32 values, so a forgotten value may wait for its neighbours.
//
// # Pointer handles: a generational net
//
// [runtime.AddCleanup] pays its full price when an object is registered: memory beside the heap, three allocations, and
// a walk through a list. The list holds the registered objects of one span, sorted by address. The allocator hands out
// ascending addresses, so each walk goes to the end of the list. Nearly every resource is closed within microseconds.
// So a handle is registered late:
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
// A young handle is in one slot of the nursery of its type. The slot keeps the handle reachable, so a young handle
// costs no registration. After a GC cycle, or when a stripe of the nursery is full, the open handles of the stripe are
// promoted, the youngest first: then addresses descend within a span, and the walk is short. Only the program keeps a
// promoted handle reachable.
//
// The protocol:
//
//  1. One word decides: the state of the handle. It goes from young to closed, directly or by way of tenured, and never
//     back. Promoters compare-and-set it. Only one closer changes it to closed, and this closer owns the resource from
//     then on. So a handle that is closed during its promotion is closed once. See [Handle.Close] and Handle.promote.
//  2. A handle is registered before its state becomes tenured; a promoter that loses against a closer stops the
//     cleanup. The promoter and the closer keep the handle reachable until they are done, so a cleanup that one of them
//     stops cannot have been queued.
//  3. The cleanup gets a copy of the raw value, made before the registration. It reads nothing that a closer writes, so
//     the two need no ordering.
//  4. The state is closed before the resource is released. A leak is better than a double free. A close leaves the slot
//     alone: an opener may take a slot from a closed handle, and a promoter empties it.
//  5. Slots are never removed from a nursery, so an opener cannot claim a slot that no promoter visits.
//
// The net notices a GC cycle by the cleanup of an unreachable object; the cleanup makes the next such object
// (cycle.go).
//
// # Value handles: one registration a slab
//
//	Value ─▶ token ─▶ record { generation and raw value of 32 slots }
//	          │                    ▲
//	          └─ AddCleanup ───────┘
//
// The record outlives its token. A slot's generation is odd while it is open. Close compares-and-sets it from the
// value's generation to the next, so a second close and a stale value are found. The [Owner] that uses the slab reads
// the generations: a slot with an even one is free, and the owner hands it out again. Only values and the owner refer
// to the token: when all of them are unreachable, every slot with an odd generation was forgotten. An owner retires a
// slab in which slots stay open for long, so that the net can find the forgotten values in it. A retired slab comes
// back, still registered, once all its slots are closed.
//
// # What is not guaranteed
//
// The net is a safety net. It does not run at exit, unless [ExitReport] or [Drain] is called there. It does not promise
// when it releases a handle: that needs a GC cycle, and a program that allocates little has few. With
// [Options.Bytes] and [SetBudget], native bytes start a cycle. The only order among handles is children before their
// parents. A young handle that was forgotten, and all that it refers to, lives for one more GC cycle, as with
// [runtime.SetFinalizer].
//
// A [Handle] is 24 bytes and has pointers, so Go's allocator of tiny objects, which puts several objects into one
// block, never allocates it. Do not copy a Handle; vet finds copies.
//
// # Finding who forgets
//
// [Stats] counts. The environment variable OFFCUT_HANDLE_DETECTION (off, count, sample, full), or [SetDetection], says
// whether the stacks of openings are recorded, and [Snapshot.LeakReport] shows them. The packages handleprof, handlevar
// and handletest write a pprof profile, publish an expvar, and fail tests that leak.
package handle
