//go:build !asan && !msan

// malloc and its family for the whole process: a definition in the executable comes before those of all libraries, also of
// libraries that are loaded later. Each call goes on to the definition that would have been used without this file, then
// counts the block, and samples some.
//
//   counters  one set a thread, written by that thread alone. A thread that ends leaves its set to the next new thread:
//             counts only grow, so nothing is added up at the end.
//   sampling  a thread draws how many bytes it allocates until its next sample: exponentially distributed, so that each
//             byte has the same chance, whatever the program's rhythm.
//   chains    a table of the sampled blocks, by address: each page of 4 KiB has a chain. A free first reads, without a
//             lock, one byte: whether the chain of its page has any, which is rare. A line of the cache has the bytes of
//             256 KiB of memory.
//   stripe    a lock for each 64th chain, and a list of the sampled blocks in these chains
//
// Nothing here allocates, or calls Go. Sampling may unwind at any call of malloc: where a library holds its own locks, and
// in threads that Go does not know.

#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#define RARE(x) __builtin_expect(!!(x), 0)
#define EXPORTED __attribute__((visibility("default")))

// ---- the allocator behind it

static struct {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void *(*memalign)(size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*valloc)(size_t);
	void *(*pvalloc)(size_t);
	void (*free)(void *);
	size_t (*usable)(void *);
	bool reads_header; // glibc's: the word before a block is the block's size, with flags in its lowest bits
} real;

// glibc's own name of its malloc. Weak: other libraries have none.
extern void *__libc_malloc(size_t) __attribute__((weak));

static bool binding;

static inline size_t header_of(void *p) { return ((size_t *)p)[-1] & ~(size_t)7; }

// Whether this glibc's blocks look as those of all its versions so far, small ones and those that are mapped.
static bool headers_are_as_known(void) {
	bool known = true;
	for (size_t bytes = 1; bytes <= 1 << 20 && known; bytes = bytes * 3 + 1) {
		void *p = real.malloc(bytes);
		size_t header = p ? header_of(p) : 0, usable = p ? real.usable(p) : 0;
		known = header >= bytes + sizeof(size_t) && (header == usable + sizeof(size_t) || header == usable + 2 * sizeof(size_t));
		real.free(p);
	}
	return known;
}

// bind runs at the first call of all, in the program's only thread. What dlsym allocates meanwhile is refused: it needs
// memory for error texts alone, and does without.
static __attribute__((noinline, cold)) bool bind(void) {
	if (binding) {
		errno = ENOMEM;
		return false;
	}
	binding = true;
	real.calloc = dlsym(RTLD_NEXT, "calloc");
	real.realloc = dlsym(RTLD_NEXT, "realloc");
	real.memalign = dlsym(RTLD_NEXT, "memalign");
	real.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
	real.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
	real.valloc = dlsym(RTLD_NEXT, "valloc");
	real.pvalloc = dlsym(RTLD_NEXT, "pvalloc");
	real.free = dlsym(RTLD_NEXT, "free");
	real.usable = dlsym(RTLD_NEXT, "malloc_usable_size");
	real.malloc = dlsym(RTLD_NEXT, "malloc");
	if (!real.malloc || !real.calloc || !real.realloc || !real.free || !real.usable || !real.posix_memalign) {
		static const char text[] = "offcut.dev/go/cmemory: no malloc in the program's libraries; link it dynamically\n";
		(void)!write(2, text, sizeof text - 1);
		abort();
	}
	real.reads_header = __libc_malloc && real.malloc == __libc_malloc && headers_are_as_known();
	binding = false;
	return true;
}

static inline bool bound(void) { return !RARE(!real.malloc) || bind(); }

// ---- threads

struct thread {
	_Atomic uint64_t allocated_bytes, allocated_blocks, freed_bytes, freed_blocks; // sums, of this thread alone
	int64_t until; // bytes to the next sample
	uint64_t mean; // the rate when until was drawn; 0: nothing is sampled
	uint64_t random;
	bool busy; // in the middle of a sample: what that allocates is no sample
	struct thread *next; // of all
	struct thread *next_unused;
} __attribute__((aligned(64)));

// In the executable's own block of thread-local memory: reading it never allocates.
#define OWN_OF_THREAD static __thread __attribute__((tls_model("initial-exec")))
OWN_OF_THREAD struct thread *mine;
OWN_OF_THREAD bool ended;

static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *_Atomic all_threads;
static struct thread *unused_threads;
static struct thread late; // of all threads that are ending: these add atomically
static pthread_key_t at_end;
static bool has_key;

static _Atomic uint64_t rate = 512 << 10;

static void end_thread(void *t) {
	mine = NULL;
	ended = true;
	pthread_mutex_lock(&threads_lock);
	((struct thread *)t)->next_unused = unused_threads;
	unused_threads = t;
	pthread_mutex_unlock(&threads_lock);
}

// A key of the lowest numbers, for which pthread_setspecific allocates nothing.
static __attribute__((constructor)) void make_key(void) { has_key = !pthread_key_create(&at_end, end_thread); }

// Memory of the shim's own, which stays.
static void *take_pages(size_t bytes) {
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

static uint64_t next_random(struct thread *t) { // splitmix64
	uint64_t x = t->random += 0x9E3779B97F4A7C15;
	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
	x = (x ^ x >> 27) * 0x94D049BB133111EB;
	return x ^ x >> 31;
}

static void draw(struct thread *t) {
	enum { LOOK_AGAIN = 1 << 20 };
	t->mean = atomic_load_explicit(&rate, memory_order_relaxed); // a setting: a late reader draws once more by the old one
	double u = ((next_random(t) >> 11) + 1) * 0x1p-53; // in (0, 1]
	t->until = t->mean ? (int64_t)(-log(u) * (double)t->mean) : LOOK_AGAIN;
}

static __attribute__((noinline, cold)) struct thread *attach(void) {
	if (ended) return NULL;
	int error = errno;
	pthread_mutex_lock(&threads_lock);
	struct thread *t = unused_threads;
	if (t) {
		unused_threads = t->next_unused;
	} else {
		static struct thread *block;
		static size_t left;
		if (!left && (block = take_pages(64 * sizeof *block))) left = 64;
		if (left) {
			t = block++;
			left--;
			t->next = atomic_load_explicit(&all_threads, memory_order_relaxed); // written under this lock alone
			atomic_store_explicit(&all_threads, t, memory_order_release);
		}
	}
	pthread_mutex_unlock(&threads_lock);
	if (t) {
		struct timespec now;
		clock_gettime(CLOCK_MONOTONIC, &now);
		t->random ^= (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^ (uintptr_t)t;
		draw(t);
		t->busy = false;
		mine = t;
		if (has_key) pthread_setspecific(at_end, t);
	}
	errno = error;
	return t;
}

// ---- sampled blocks

struct record {
	uintptr_t address;
	struct record *next; // in the chain, or unused
	struct record *before, *after; // in the stripe
	struct offcut_sample sample;
};

enum { CHAINS = 1 << 20, STRIPES = 64 };

static struct record *heads[CHAINS];
static _Atomic uint8_t has_any[CHAINS];
static struct stripe {
	pthread_mutex_t lock;
	struct record *first;
	uint64_t count;
} __attribute__((aligned(64))) stripes[STRIPES] = {[0 ... STRIPES - 1] = {PTHREAD_MUTEX_INITIALIZER, NULL, 0}};

static pthread_mutex_t records_lock = PTHREAD_MUTEX_INITIALIZER;
static struct record *unused_records;

static inline size_t chain_of(uintptr_t address) { return (address >> 12 ^ address >> 32) & (CHAINS - 1); }

static struct record *take_record(void) {
	pthread_mutex_lock(&records_lock);
	if (!unused_records) {
		enum { COUNT = 128 };
		struct record *more = take_pages(COUNT * sizeof *more);
		for (int i = 0; more && i < COUNT; i++) {
			more[i].next = unused_records;
			unused_records = &more[i];
		}
	}
	struct record *r = unused_records;
	if (r) unused_records = r->next;
	pthread_mutex_unlock(&records_lock);
	return r;
}

static void leave_record(struct record *r) {
	pthread_mutex_lock(&records_lock);
	r->next = unused_records;
	unused_records = r;
	pthread_mutex_unlock(&records_lock);
}

static void insert(struct record *r) {
	size_t chain = chain_of(r->address);
	struct stripe *s = &stripes[chain % STRIPES];
	pthread_mutex_lock(&s->lock);
	r->next = heads[chain];
	heads[chain] = r;
	// Relaxed: who frees the block got its address from who allocated it, and with it, this.
	atomic_store_explicit(&has_any[chain], 1, memory_order_relaxed);
	r->before = NULL;
	r->after = s->first;
	if (s->first) s->first->before = r;
	s->first = r;
	s->count++;
	pthread_mutex_unlock(&s->lock);
}

static __attribute__((noinline, cold)) struct record *take_out(uintptr_t address, size_t chain) {
	int error = errno;
	struct stripe *s = &stripes[chain % STRIPES];
	struct record *r = NULL, *before = NULL;
	pthread_mutex_lock(&s->lock);
	for (r = heads[chain]; r && r->address != address; r = r->next) before = r;
	if (r) {
		if (before) before->next = r->next;
		else heads[chain] = r->next;
		if (!heads[chain]) atomic_store_explicit(&has_any[chain], 0, memory_order_relaxed); // who frees one that is left sees 1
		if (r->before) r->before->after = r->after;
		else s->first = r->after;
		if (r->after) r->after->before = r->before;
		s->count--;
	}
	pthread_mutex_unlock(&s->lock);
	errno = error;
	return r;
}

// ---- stacks

extern const char __executable_start[], etext[];

struct walk {
	struct offcut_sample *sample;
	int skip;
	uintptr_t frame_pointer; // of the last frame that was found
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *arg) {
	struct walk *w = arg;
	w->frame_pointer = _Unwind_GetGR(context, 6); // RBP
	if (w->skip-- > 0) return _URC_NO_REASON;
	if (w->sample->c_frames == OFFCUT_C_FRAMES) return _URC_NORMAL_STOP;
	uintptr_t pc = _Unwind_GetIP(context);
	if (pc) w->sample->pcs[w->sample->c_frames++] = pc;
	return _URC_NO_REASON;
}

// Whether two words there can be read. A stack has many frames in one page, so the system is asked rarely.
static bool readable(uintptr_t address, uintptr_t *page) {
	unsigned char in_core;
	uintptr_t last = (address + 2 * sizeof(uintptr_t) - 1) & ~(uintptr_t)4095;
	for (uintptr_t at = address & ~(uintptr_t)4095; at <= last; at += 4096) {
		if (at == *page) continue;
		if (mincore((void *)at, 4096, &in_core) != 0) return false;
		*page = at;
	}
	return true;
}

// The unwinder knows C, whose frames are described in .eh_frame. It ends where Go called C: Go has no such section, but
// frame pointers on all its stacks. The register of the frame pointer is the goroutine's there, because C restores it.
// The stack of a goroutine that is in C neither moves nor shrinks. If C was compiled without descriptions, the register may
// have any value, so each frame is looked at before it is read, and lies above the one before.
static __attribute__((noinline)) void record_stack(struct offcut_sample *sample) {
	enum { LARGEST_FRAME = 1 << 20 };
	struct walk w = {sample, 3, 0};
	sample->c_frames = sample->go_frames = 0;
	_Unwind_Backtrace(step, &w);
	uintptr_t at = w.frame_pointer, page = 1;
	while (sample->c_frames + sample->go_frames < OFFCUT_FRAMES && at && at % sizeof at == 0 && readable(at, &page)) {
		uintptr_t above = ((uintptr_t *)at)[0], pc = ((uintptr_t *)at)[1];
		if (pc < (uintptr_t)__executable_start || pc >= (uintptr_t)etext) break;
		sample->pcs[sample->c_frames + sample->go_frames++] = pc;
		if (above <= at || above - at > LARGEST_FRAME) break;
		at = above;
	}
}

static __attribute__((noinline, cold)) void take_sample(struct thread *t, void *p, size_t bytes) {
	if (t->busy) return; // the next one is a sample, then
	t->busy = true;
	int error = errno;
	struct record *r = t->mean ? take_record() : NULL;
	if (r) {
		r->address = (uintptr_t)p;
		r->sample.bytes = bytes;
		r->sample.rate = t->mean;
		record_stack(&r->sample);
		insert(r);
	}
	draw(t);
	errno = error;
	t->busy = false;
}

// ---- counting

// The size of a block in use. With glibc this is what mallinfo2 counts, and takes no call.
static inline size_t size_of(void *p) { return RARE(!real.reads_header) ? real.usable(p) : header_of(p); }

// Only the thread itself writes, so no locked instruction is needed; readers see some value in between.
static inline void add(_Atomic uint64_t *sum, uint64_t more) {
	atomic_store_explicit(sum, atomic_load_explicit(sum, memory_order_relaxed) + more, memory_order_relaxed);
}

static inline __attribute__((always_inline)) void allocated(void *p) {
	if (RARE(!p)) return;
	size_t bytes = size_of(p);
	struct thread *t = mine;
	if (RARE(!t) && !(t = attach())) {
		atomic_fetch_add_explicit(&late.allocated_bytes, bytes, memory_order_relaxed); // a sum
		atomic_fetch_add_explicit(&late.allocated_blocks, 1, memory_order_relaxed);
		return;
	}
	add(&t->allocated_bytes, bytes);
	add(&t->allocated_blocks, 1);
	if (RARE((t->until -= (int64_t)bytes) < 0)) take_sample(t, p, bytes);
}

// forgets a block that is about to be freed; its record, if it was sampled.
static inline __attribute__((always_inline)) struct record *freed(void *p, size_t bytes) {
	struct thread *t = mine;
	if (RARE(!t) && !(t = attach())) {
		atomic_fetch_add_explicit(&late.freed_bytes, bytes, memory_order_relaxed);
		atomic_fetch_add_explicit(&late.freed_blocks, 1, memory_order_relaxed);
	} else {
		add(&t->freed_bytes, bytes);
		add(&t->freed_blocks, 1);
	}
	size_t chain = chain_of((uintptr_t)p);
	if (!RARE(atomic_load_explicit(&has_any[chain], memory_order_relaxed))) return NULL; // see insert
	return take_out((uintptr_t)p, chain);
}

EXPORTED void *malloc(size_t bytes) {
	if (!bound()) return NULL;
	void *p = real.malloc(bytes);
	allocated(p);
	return p;
}

EXPORTED void *calloc(size_t count, size_t bytes) {
	if (!bound()) return NULL;
	void *p = real.calloc(count, bytes);
	allocated(p);
	return p;
}

EXPORTED void free(void *p) {
	if (!p) return;
	struct record *r = freed(p, size_of(p));
	if (RARE(r != NULL)) leave_record(r);
	real.free(p);
}

// What is forgotten before the call may be another thread's block after it.
EXPORTED void *realloc(void *p, size_t bytes) {
	if (!bound()) return NULL;
	if (!p) {
		void *q = real.malloc(bytes);
		allocated(q);
		return q;
	}
	size_t had = size_of(p);
	struct record *r = freed(p, had);
	void *q = real.realloc(p, bytes);
	if (RARE(!q && bytes)) { // refused: the block is as it was
		struct thread *t = mine ? mine : &late;
		atomic_fetch_sub_explicit(&t->freed_bytes, had, memory_order_relaxed);
		atomic_fetch_sub_explicit(&t->freed_blocks, 1, memory_order_relaxed);
		if (r) insert(r);
		return q;
	}
	if (RARE(r != NULL)) leave_record(r);
	allocated(q);
	return q;
}

EXPORTED int posix_memalign(void **to, size_t alignment, size_t bytes) {
	if (!bound()) return ENOMEM;
	int result = real.posix_memalign(to, alignment, bytes);
	if (result == 0) allocated(*to);
	return result;
}

EXPORTED void *aligned_alloc(size_t alignment, size_t bytes) {
	if (!bound()) return NULL;
	void *p = real.aligned_alloc(alignment, bytes);
	allocated(p);
	return p;
}

EXPORTED void *memalign(size_t alignment, size_t bytes) {
	if (!bound()) return NULL;
	void *p = real.memalign(alignment, bytes);
	allocated(p);
	return p;
}

EXPORTED void *valloc(size_t bytes) {
	if (!bound()) return NULL;
	void *p = real.valloc(bytes);
	allocated(p);
	return p;
}

EXPORTED void *pvalloc(size_t bytes) {
	if (!bound()) return NULL;
	void *p = real.pvalloc(bytes);
	allocated(p);
	return p;
}

// Of C23. A library's own would free past this file.
EXPORTED void free_sized(void *p, size_t bytes) {
	(void)bytes;
	free(p);
}

EXPORTED void free_aligned_sized(void *p, size_t alignment, size_t bytes) {
	(void)alignment, (void)bytes;
	free(p);
}

// ---- fork: the child has one thread, and the locks of all

static void lock_all(void) {
	for (int i = 0; i < STRIPES; i++) pthread_mutex_lock(&stripes[i].lock);
	pthread_mutex_lock(&records_lock);
	pthread_mutex_lock(&threads_lock);
}

static void unlock_all(void) {
	pthread_mutex_unlock(&threads_lock);
	pthread_mutex_unlock(&records_lock);
	for (int i = 0; i < STRIPES; i++) pthread_mutex_unlock(&stripes[i].lock);
}

static __attribute__((constructor)) void survive_fork(void) { pthread_atfork(lock_all, unlock_all, unlock_all); }

// ---- what Go asks

uint64_t offcut_cmemory_rate(void) { return atomic_load_explicit(&rate, memory_order_relaxed); }

void offcut_cmemory_set_rate(uint64_t bytes) { atomic_store_explicit(&rate, bytes, memory_order_relaxed); }

struct offcut_live offcut_cmemory_live(void) {
	uint64_t bytes = 0, blocks = 0;
	struct thread *first = atomic_load_explicit(&all_threads, memory_order_acquire);
	// Frees before allocations: a block that is freed meanwhile counts as live, and none counts less than nothing.
	for (struct thread *t = first; t; t = t->next) {
		bytes -= atomic_load_explicit(&t->freed_bytes, memory_order_relaxed);
		blocks -= atomic_load_explicit(&t->freed_blocks, memory_order_relaxed);
	}
	bytes -= atomic_load_explicit(&late.freed_bytes, memory_order_relaxed);
	blocks -= atomic_load_explicit(&late.freed_blocks, memory_order_relaxed);
	bytes += atomic_load_explicit(&late.allocated_bytes, memory_order_relaxed);
	blocks += atomic_load_explicit(&late.allocated_blocks, memory_order_relaxed);
	first = atomic_load_explicit(&all_threads, memory_order_acquire);
	for (struct thread *t = first; t; t = t->next) {
		bytes += atomic_load_explicit(&t->allocated_bytes, memory_order_relaxed);
		blocks += atomic_load_explicit(&t->allocated_blocks, memory_order_relaxed);
	}
	return (struct offcut_live){bytes, blocks};
}

uint64_t offcut_cmemory_samples(struct offcut_sample *to, uint64_t most) {
	uint64_t count = 0;
	for (int i = 0; i < STRIPES; i++) {
		struct stripe *s = &stripes[i];
		pthread_mutex_lock(&s->lock);
		for (struct record *r = s->first; r; r = r->after)
			if (count++ < most) to[count - 1] = r->sample;
		pthread_mutex_unlock(&s->lock);
	}
	return count;
}
