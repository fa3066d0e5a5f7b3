/*
 * malloc, free, mmap and their kin, as the program calls them: by name if the library was preloaded, else through the slots that
 * patch.c changed. Each calls the real function, which is that of the allocator the process uses; what is added to a malloc is one
 * subtraction, and to a free one byte's test.
 *
 * Until the real functions are known (the loader itself may ask for memory while it looks them up), blocks come from a small array and
 * are never reused. Its addresses are in the filter for ever (counters of 255), so that free needs no further test.
 *
 * Each may be called by any thread, at any time, with any lock held, and in signal handlers, as the function that it stands for; errno is
 * as the real function left it. The real functions are written once, before a second thread or a slot can lead here. A block is taken
 * out of the table before the real free gets it, and put in after the real malloc gave it, so no other thread has its address meanwhile.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core.h"

static void *(*real_malloc)(size_t);
static void (*real_free)(void *);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void *(*real_reallocarray)(void *, size_t, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);
static void *(*real_aligned_alloc)(size_t, size_t);
static void *(*real_memalign)(size_t, size_t);
static void *(*real_valloc)(size_t);
static void (*real_free_sized)(void *, size_t);
static void (*real_free_aligned_sized)(void *, size_t, size_t);
static void *(*real_mmap)(void *, size_t, int, int, int, off_t);
static int (*real_munmap)(void *, size_t);
static void *(*real_mremap)(void *, size_t, size_t, int, ...);
static int (*real_pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static void *(*real_dlsym)(void *, const char *);

/* ---- before the real functions are known */

enum { EARLY_BYTES = 16384 };
static char early[EARLY_BYTES] __attribute__((aligned(16)));
static _Atomic size_t early_used;

static bool is_early(const void *block) { return (uintptr_t)block - (uintptr_t)early < EARLY_BYTES; }

static void *early_block(size_t size) {
  for (size_t i = 0; i < EARLY_BYTES; i += 16) atomic_store(&filter[filter_index((uintptr_t)early + i)], 255);
  size_t at = atomic_fetch_add(&early_used, (size + 31) & ~(size_t)15);
  if (size > EARLY_BYTES || at + 16 + size > EARLY_BYTES) return NULL;
  *(size_t *)(early + at) = size; /* for realloc */
  return early + at + 16;
}

static void *hook_malloc(size_t size);

static void *early_moved(void *block, size_t size) {
  size_t old = ((size_t *)block)[-2];
  void *moved_to = hook_malloc(size);
  if (moved_to) memcpy(moved_to, block, old < size ? old : size);
  return moved_to;
}

/* The definition that the process uses, if it is not ours; else the one behind ours. RTLD_DEFAULT may lead to ourselves. */
static void *real_of(const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  Dl_info its, own; /* asked of the loader: this may be before the list of libraries is there */
  bool is_own = found && dladdr(found, &its) && dladdr((void *)&hook_dlsym, &own) && its.dli_fbase == own.dli_fbase;
  return is_own ? dlsym(RTLD_NEXT, name) : found;
}

/* An allocator's own function is found by name, or it is not in this C library: then the slot stays NULL and no slot is patched. */
void hooks_resolve(void) {
  static _Atomic bool begun;
  if (real_malloc || atomic_exchange(&begun, true)) return;
  for (const struct hook *hook = hooks; hook->name; hook++) {
    void *found = hook->real != (void **)&real_malloc ? real_of(hook->name) : NULL;
    if (found) *hook->real = found; /* mmap and mmap64 are one, and a C library may know only the first */
  }
  real_malloc = (void *(*)(size_t))real_of("malloc"); /* last: it says that all are known */
}

/* ---- malloc and its kin */

static inline void *looked_at(void *block, size_t size) {
  if (LIKELY(block != NULL) && UNLIKELY((self.left -= (int64_t)taken(size)) < 0)) {
    int error = errno;
    took(block, size);
    errno = error;
  }
  return block;
}

static inline bool may_be_sampled(const void *block) {
  return UNLIKELY(atomic_load_explicit(&filter[filter_index((uintptr_t)block)], memory_order_relaxed) != 0);
  /* relaxed: see table_remove */
}

/* Before the block is given back. False: it is none of the allocator's. */
static NOT_INLINED bool let_go(void *block) {
  if (is_early(block)) return false;
  int error = errno;
  released(block);
  errno = error;
  return true;
}

static inline bool is_resolved(void) {
  if (UNLIKELY(!real_malloc)) hooks_resolve();
  return LIKELY(real_malloc != NULL);
}

static void *hook_malloc(size_t size) {
  return is_resolved() ? looked_at(real_malloc(size), size) : early_block(size);
}

static void hook_free(void *block) {
  if (may_be_sampled(block) && !let_go(block)) return;
  if (LIKELY(real_free != NULL)) real_free(block);
}

static void *hook_calloc(size_t count, size_t size) {
  if (is_resolved()) return looked_at(real_calloc(count, size), count * size);
  return size && count > SIZE_MAX / size ? NULL : early_block(count * size);
}

static void *hook_realloc(void *block, size_t size) {
  if (!is_resolved() || UNLIKELY(is_early(block))) return block ? early_moved(block, size) : hook_malloc(size);
  struct sample was;
  bool sampled = may_be_sampled(block) && take_back(block, &was);
  void *now = real_realloc(block, size);
  if (sampled && (now || !size)) moved(&was);
  if (sampled && !now && size) give_again(block, &was);
  return looked_at(now, size);
}

static void *hook_reallocarray(void *block, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) {
    errno = ENOMEM;
    return NULL;
  }
  return hook_realloc(block, count * size);
}

static int hook_posix_memalign(void **block, size_t alignment, size_t size) {
  if (!is_resolved()) return ENOMEM;
  int error = real_posix_memalign(block, alignment, size);
  if (!error) looked_at(*block, size);
  return error;
}

static void *hook_aligned_alloc(size_t alignment, size_t size) {
  return is_resolved() ? looked_at(real_aligned_alloc(alignment, size), size) : NULL;
}

static void *hook_memalign(size_t alignment, size_t size) {
  return is_resolved() ? looked_at(real_memalign(alignment, size), size) : NULL;
}

static void *hook_valloc(size_t size) {
  return is_resolved() ? looked_at(real_valloc(size), size) : NULL;
}

/* The same as free, by C23; the sizes are only told. */
static void hook_free_sized(void *block, size_t size) { (void)size, hook_free(block); }
static void hook_free_aligned_sized(void *block, size_t alignment, size_t size) { (void)alignment, (void)size, hook_free(block); }

/* ---- mappings of native libraries, each with its stack */

static bool is_of_interest(void *caller) {
  /* Relaxed: whoever uses the tables asks again, by work_begins. */
  return !self.inside && atomic_load_explicit(&sampling, memory_order_relaxed) && !in_jvm((uintptr_t)caller) &&
         in_native_library((uintptr_t)caller);
}

static void note_mapped(void *begin, size_t bytes) {
  if (!work_begins()) return;
  int error = errno;
  self.inside = 1;
  region_add((uintptr_t)begin, bytes, stack_here(KIND_MAPPED));
  self.inside = 0;
  errno = error;
  work_ends();
}

/* Whether any of it was known. A thread inside the sampler may hold the lock of the regions. */
static bool note_unmapped(void *begin, size_t bytes) {
  if (self.inside || !work_begins()) return false;
  int error = errno;
  self.inside = 1;
  bool known = region_remove((uintptr_t)begin, bytes);
  self.inside = 0;
  errno = error;
  work_ends();
  return known;
}

static void *hook_mmap(void *wanted, size_t bytes, int protection, int flags, int fd, off_t offset) {
  void *begin = real_mmap ? real_mmap(wanted, bytes, protection, flags, fd, offset)
                          : (void *)syscall(SYS_mmap, wanted, bytes, protection, flags, fd, offset);
  if (begin == MAP_FAILED) return begin;
  if (!(flags & MAP_ANONYMOUS)) {
    if (flags & MAP_FIXED) note_unmapped(begin, bytes); /* a file takes the place of what was there */
  } else if (is_of_interest(__builtin_return_address(0))) {
    note_mapped(begin, bytes);
  }
  return begin;
}

static int hook_munmap(void *begin, size_t bytes) {
  note_unmapped(begin, bytes); /* before: another thread may get the addresses at once */
  return real_munmap ? real_munmap(begin, bytes) : (int)syscall(SYS_munmap, begin, bytes);
}

static void *hook_mremap(void *begin, size_t old_bytes, size_t bytes, int flags, ...) {
  va_list more;
  va_start(more, flags);
  void *wanted = flags & MREMAP_FIXED ? va_arg(more, void *) : NULL;
  va_end(more);
  bool known = note_unmapped(begin, old_bytes);
  void *now = real_mremap ? real_mremap(begin, old_bytes, bytes, flags, wanted)
                          : (void *)syscall(SYS_mremap, begin, old_bytes, bytes, flags, wanted);
  if (known) note_mapped(now == MAP_FAILED ? begin : now, now == MAP_FAILED ? old_bytes : bytes);
  return now;
}

/* ---- threads that libraries start: their creator's stack says whose they are */

struct beginning {
  void *(*run)(void *);
  void *argument;
  uint32_t creator;
};

static void *begin_thread(void *given) {
  struct beginning beginning = *(struct beginning *)given;
  real_free(given);
  self.creator = beginning.creator;
  return beginning.run(beginning.argument);
}

static int hook_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  if (!is_resolved() || UNLIKELY(!real_pthread_create)) return EAGAIN; /* while they are looked up; no program is so early */
  struct beginning *beginning = is_of_interest(__builtin_return_address(0)) ? real_malloc(sizeof *beginning) : NULL;
  if (!beginning) return real_pthread_create(thread, attributes, run, argument);
  *beginning = (struct beginning){run, argument, 0};
  if (work_begins()) {
    self.inside = 1;
    beginning->creator = stack_here(KIND_THREAD) | (generation & 0xffff) << 16;
    self.inside = 0;
    work_ends();
  }
  int error = real_pthread_create(thread, attributes, begin_thread, beginning);
  if (error) real_free(beginning);
  return error;
}

/* ---- who looks functions up by name gets the hooks, too; and a library that was just loaded is patched before its first call */

static NOT_INLINED void *found_by_name(void *library, const char *name) {
  void *found = real_dlsym(library, name);
  for (const struct hook *hook = hooks; found && hook->name; hook++) {
    if (found == *hook->real && hook->mine != (void *)&hook_dlsym && !strcmp(name, hook->name)) return hook->mine;
  }
  return found;
}

#ifdef __clang__
#define JUMP __attribute__((musttail)) return
#else
#define JUMP return /* gcc makes a jump of it with -O2 */
#endif

void *hook_dlsym(void *library, const char *name) {
  patch_new_libraries(false);
  /* These two depend on who calls, so the call must be the caller's own: a jump. */
  if (library == RTLD_NEXT || library == RTLD_DEFAULT || !name) JUMP real_dlsym(library, name);
  return found_by_name(library, name);
}

/* The names by which a preloaded library is called. Inside this library a name would lead to the first definition of the process. */
#define NAMED(name) extern __typeof__(hook_##name) name __attribute__((alias("hook_" #name), visibility("default")))
NAMED(malloc); NAMED(free); NAMED(calloc); NAMED(realloc); NAMED(reallocarray);
NAMED(posix_memalign); NAMED(aligned_alloc); NAMED(memalign); NAMED(valloc); NAMED(free_sized); NAMED(free_aligned_sized);
NAMED(mmap); NAMED(munmap); NAMED(mremap); NAMED(pthread_create);
extern __typeof__(hook_mmap) mmap64 __attribute__((alias("hook_mmap"), visibility("default")));

const struct hook hooks[] = {
    {"malloc", (void *)hook_malloc, (void **)&real_malloc},
    {"free", (void *)hook_free, (void **)&real_free},
    {"calloc", (void *)hook_calloc, (void **)&real_calloc},
    {"realloc", (void *)hook_realloc, (void **)&real_realloc},
    {"reallocarray", (void *)hook_reallocarray, (void **)&real_reallocarray},
    {"posix_memalign", (void *)hook_posix_memalign, (void **)&real_posix_memalign},
    {"aligned_alloc", (void *)hook_aligned_alloc, (void **)&real_aligned_alloc},
    {"memalign", (void *)hook_memalign, (void **)&real_memalign},
    {"valloc", (void *)hook_valloc, (void **)&real_valloc},
    {"free_sized", (void *)hook_free_sized, (void **)&real_free_sized},
    {"free_aligned_sized", (void *)hook_free_aligned_sized, (void **)&real_free_aligned_sized},
    {"mmap", (void *)hook_mmap, (void **)&real_mmap},
    {"mmap64", (void *)hook_mmap, (void **)&real_mmap},
    {"munmap", (void *)hook_munmap, (void **)&real_munmap},
    {"mremap", (void *)hook_mremap, (void **)&real_mremap},
    {"pthread_create", (void *)hook_pthread_create, (void **)&real_pthread_create},
    {"dlsym", (void *)hook_dlsym, (void **)&real_dlsym},
    {NULL, NULL, NULL}};
