//go:build linux

// Package load is C code that allocates, for the tests and for the measurement: tests cannot use cgo themselves.
package load

/*
#cgo CFLAGS: -O2 -g
#cgo LDFLAGS: -lpthread -ldl
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// deeper is a frame of C that is not inlined.
static __attribute__((noinline)) void *deeper(size_t bytes) {
	char *p = malloc(bytes);
	if (p) p[0] = 1;
	return p;
}

static void fill(void **to, size_t count, size_t bytes) {
	for (size_t i = 0; i < count; i++) to[i] = deeper(bytes);
}

static void drop(void **from, size_t count) {
	for (size_t i = 0; i < count; i++) free(from[i]);
}

static uint64_t in_use(void) {
	struct mallinfo2 m = mallinfo2();
	return m.uordblks + m.hblkhd;
}

// each calls every function of the family once, and frees what it got; the number that failed.
static int each(void) {
	int failed = 0;
	void *p = malloc(100), *q = NULL;
	failed += !p;
	p = realloc(p, 200000), failed += !p;
	p = realloc(p, 10), failed += !p;
	errno = 0;
	failed += realloc(p, SIZE_MAX / 4) != NULL || errno != ENOMEM; // refused: p is as it was
	p = reallocarray(p, 10, 10), failed += !p;
	free(p);
	p = realloc(NULL, 100), failed += !p;
	failed += realloc(p, 0) != NULL;
	p = calloc(10, 10), failed += !p || ((char *)p)[99];
	free(p);
	failed += posix_memalign(&q, 4096, 100) || (uintptr_t)q % 4096;
	free(q);
	p = aligned_alloc(256, 512), failed += !p || (uintptr_t)p % 256;
	free(p);
	p = memalign(64, 100), failed += !p || (uintptr_t)p % 64;
	free(p);
	p = valloc(100), failed += !p || (uintptr_t)p % 4096;
	free(p);
	p = strdup("text"), failed += !p;
	free(p);
	free(NULL);
	errno = 7;
	free(malloc(1 << 20));
	failed += errno != 7;
	return failed;
}

struct work { void **to; size_t count, bytes; };

static void *fill_thread(void *arg) {
	struct work *w = arg;
	fill(w->to, w->count, w->bytes);
	return NULL;
}

// on_a_thread fills on a thread that Go does not know.
static int on_a_thread(void **to, size_t count, size_t bytes) {
	struct work w = {to, count, bytes};
	pthread_t t;
	return pthread_create(&t, NULL, fill_thread, &w) || pthread_join(t, NULL);
}

static void *churn_thread(void *arg) {
	for (size_t i = 0; i < (size_t)arg; i++) free(deeper(16 + i % 3000));
	return NULL;
}

// threads starts threads that allocate, free and end, some at a time.
static int threads(int count, size_t blocks) {
	enum { TOGETHER = 4 };
	for (int i = 0; i < count; i += TOGETHER) {
		pthread_t t[TOGETHER];
		for (int j = 0; j < TOGETHER; j++)
			if (pthread_create(&t[j], NULL, churn_thread, (void *)blocks)) return 1;
		for (int j = 0; j < TOGETHER; j++) pthread_join(t[j], NULL);
	}
	return 0;
}

static volatile int stop;

static void *churn_until_stop(void *arg) {
	for (size_t i = 0; !stop; i++) free(deeper(16 + i % 3000));
	return NULL;
}

// forked forks while other threads allocate, and allocates in the child; the first exit status that is not 0.
static int forked(int count) {
	enum { THREADS = 4 };
	pthread_t t[THREADS];
	stop = 0;
	for (int j = 0; j < THREADS; j++)
		if (pthread_create(&t[j], NULL, churn_until_stop, NULL)) return -1;
	int result = 0;
	for (int i = 0; i < count && result == 0; i++) {
		pid_t child = fork();
		if (child == 0) {
			alarm(20);
			churn_thread((void *)100);
			_exit(0);
		}
		int status = -1;
		waitpid(child, &status, 0);
		result = status;
	}
	stop = 1;
	for (int j = 0; j < THREADS; j++) pthread_join(t[j], NULL);
	return result;
}

// library has a library allocate that is loaded now.
static void *library(const char *path, const char *function, size_t bytes) {
	void *l = dlopen(path, RTLD_NOW);
	if (!l) return NULL;
	void *(*f)(size_t) = (void *(*)(size_t))dlsym(l, function);
	return f ? f(bytes) : NULL;
}
*/
import "C"

import "unsafe"

// Blocks are blocks of C memory.
type Blocks []unsafe.Pointer

func (b Blocks) c() *unsafe.Pointer { return unsafe.SliceData(b) }

// Fill allocates blocks in C.
//
//go:noinline
func Fill(count, bytes int) Blocks {
	b := table(count)
	C.fill(b.c(), C.size_t(count), C.size_t(bytes))
	return b
}

// OnThread allocates them on a thread that C started.
func OnThread(count, bytes int) Blocks {
	b := table(count)
	if C.on_a_thread(b.c(), C.size_t(count), C.size_t(bytes)) != 0 {
		panic("no thread")
	}
	return b
}

func table(count int) Blocks { return make(Blocks, count) }

// Free frees them.
func (b Blocks) Free() { C.drop(b.c(), C.size_t(len(b))) }

// InUse is what glibc has in use, by mallinfo2.
func InUse() int { return int(C.in_use()) }

// Each calls each function of malloc's family; it returns the number that failed.
func Each() int { return int(C.each()) }

// Threads starts and ends threads that allocate.
func Threads(count, blocks int) bool { return C.threads(C.int(count), C.size_t(blocks)) == 0 }

// Forked forks while threads allocate; it returns the first status of a child that is not 0.
func Forked(count int) int { return int(C.forked(C.int(count))) }

// Library has a function of a library allocate a block; the library is loaded for it. Nil if that fails.
func Library(path, function string, bytes int) unsafe.Pointer {
	p, f := C.CString(path), C.CString(function)
	defer C.free(unsafe.Pointer(p))
	defer C.free(unsafe.Pointer(f))
	return C.library(p, f, C.size_t(bytes))
}

// FreeOne frees a block.
func FreeOne(p unsafe.Pointer) { C.free(p) }
