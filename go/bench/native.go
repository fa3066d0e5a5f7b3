package main

/*
#include <stdlib.h>
static void *make(size_t bytes) { return malloc(bytes); }
static void release(void *p) { free(p); }
static void release_many(void **all, size_t n) { for (size_t i = 0; i < n; i++) free(all[i]); }
*/
import "C"

import (
	"sync/atomic"
	"unsafe"
)

const blockBytes = 100

func makeBlock() unsafe.Pointer     { return C.make(blockBytes) }
func releaseBlock(p unsafe.Pointer) { C.release(p) }

// freed counts what was released, on whatever goroutine.
var freed atomic.Int64

func countedRelease(p unsafe.Pointer) {
	C.release(p)
	freed.Add(1)
}

func countedReleaseMany(ps []unsafe.Pointer) {
	C.release_many((*unsafe.Pointer)(unsafe.Pointer(&ps[0])), C.size_t(len(ps)))
	freed.Add(int64(len(ps)))
}

// block is what a program without handles wraps a C pointer in: two words, so the allocator of tiny objects never gets it.
type block struct {
	p     unsafe.Pointer
	bytes uintptr
}
