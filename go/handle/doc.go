// Package handle represents native resources (C memory, descriptors, ids) by Go objects, called handles. Each resource
// is released exactly once: by Close, or by the safety net if the program forgot its handle. This text calls the safety
// net the net.
//
// # Which handle
//
//   - [Of], from [TypeOf.Open], is a pointer to one object per resource, so no other handle can delay the release. It gives
//     out the resource as a pointer to C memory or as an id, of a Go type that the program chooses. It has policies for a
//     Close during a use, and for parents and children.
//   - [Value], from [Pool.Open] or [Owner.Open], is 16 bytes to copy and needs no allocation. It is for high rates. The
//     net works on slabs of 32 values, so a forgotten value may wait for its neighbours.
//
// # Pointer handles: a generational net
//
// A finalizer or a cleanup has its full price when an object is registered: memory beside the heap, and a walk through
// a list. The list holds the registered objects of one span, sorted by address. The allocator hands out ascending
// addresses, so each walk goes to the end of the list. But nearly every resource is closed within microseconds. So a
// handle is registered late:
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
// A young handle is in one slot of the nursery of its type; a nursery has up to 64 parts, its stripes. The slot keeps
// the handle reachable, so a young handle costs no registration. After a GC cycle, the open handles of all stripes are
// promoted. An opener that finds its stripe full promotes some of the oldest. The youngest of a group is promoted
// first: then addresses descend within a span, and the walk is short. Only the program keeps a promoted handle
// reachable.
//
// The protocol:
//
//  1. One word decides: the state of the handle, and the number of its uses (guard.go). Everybody changes it by
//     compare-and-set. Only one change leads to closed, and whoever makes it owns the resource from then on. So a handle
//     that is closed during its promotion or during a use is closed once. See anyHandle.close and anyHandle.promote.
//  2. A handle is registered before its word says that it is tenured. A promoter that loses against a closer takes the
//     registration back. The promoter and the closer keep the handle reachable until they are done, so its finalizer
//     cannot have been queued.
//  3. The registration is a finalizer of the handle itself. So nothing is allocated for it, and it needs no copy of the raw
//     value. It, too, acts only if it is the one that closes the word.
//  4. The word says closed before the resource is released. A leak is better than a double free. A close does not
//     empty the slot. The next opener reuses a slot whose handle is closed, or a promoter empties the slot.
//  5. Slots are never removed from a nursery, so an opener cannot claim a slot that no promoter visits.
//
// The net notices a GC cycle by the cleanup of an unreachable object. That cleanup makes the next such object
// (cycle.go).
//
// # Value handles: one registration a slab
//
//	Value ─▶ token ─▶ record { generation and raw value of 32 slots }
//	          │                    ▲
//	          └─ AddCleanup ───────┘
//
// The record outlives its token. A slot's generation is odd while the slot is open. Close compares-and-sets it from the
// value's generation to the next, so a second close and a stale value are found.
//
// The [Owner] that uses the slab reads the generations: it hands a slot out again if the generation is even. Only
// values and the owner refer to the token. When all of them are unreachable, every slot with an odd generation was
// forgotten.
//
// An owner retires a slab in which slots stay open for long, so that the net can find the forgotten values in it. A
// retired slab comes back, still registered, once all its slots are closed.
//
// # What is not guaranteed
//
// The net is a safety net. It does not run at exit, unless the program calls [ExitReport] or [Drain] there. It does not
// promise when it releases a handle: that needs a GC cycle, and a program that allocates little has few. With
// [Options.Bytes] and [SetBudget], native memory starts cycles, too. The only order among handles is children before
// their parents. A handle that is forgotten while it is young lives for one more GC cycle, and so does everything that
// it refers to.
//
// The runtime runs all finalizers of a program on one goroutine. The net's finalizers only put resources on a list, and
// other goroutines release them. But a finalizer of other code that blocks keeps the net from finding pointer handles.
// Do not call [runtime.SetFinalizer] for an Of: the runtime allows one finalizer for each object, and ends the
// program at a second one. [runtime.AddCleanup] for an Of is allowed.
//
// Go's tiny allocator puts several small objects without pointers into one block, and a neighbour in the block would
// delay a finalizer. A handle is 24 bytes and has pointers, so the tiny allocator never allocates it. Do not copy an
// Of: vet finds copies, and a copy knows by its address that it is none.
//
// # Finding who forgets
//
// [Stats] returns the counts. The environment variable OFFCUT_HANDLE_DETECTION (off, count, sample, full) or
// [SetDetection] selects whether the stacks of openings are recorded, and [Snapshot.LeakReport] shows them. The
// packages handleprof, handlevar and handletest write a pprof profile, publish an expvar, and fail tests that leak.
package handle
