/*
 * What the parts of the sampler know of each other.
 *
 *   hooks.c   malloc, free, mmap and their kin, as the program calls them
 *   sample.c  which allocation is sampled, and what is noted of it
 *   table.c   the file: live samples, stacks, names, regions, series
 *   unwind.c  native stacks, and the list of loaded libraries
 *   elf.c     reads a loaded library: its slots, its build id
 *   patch.c   leads the calls of loaded libraries to the hooks
 *   jvm.c     Java stacks
 *   names.c   the sampler's thread: names of methods, series
 *   start.c   how the library comes into a process, and leaves it
 *   system.c  clocks, mappings, whether memory can be written
 *
 * Rules that hold everywhere:
 *
 *   - In a hook, nothing calls malloc or a function of the C library that does. The sampler's thread, JNI_OnLoad and detach may.
 *   - `self.inside` is set while a thread works for the sampler. Its allocations are not sampled then; its frees are still looked up.
 *   - A hook that reads or writes the tables does it between work_begins and work_ends. The tables stay as long as someone works.
 *   - A hook waits for no lock but that of the regions, whose holder calls nothing, and for it only a bounded time. A hook may run
 *     with any lock of the program, the allocator or the loader held; so it takes no other one, except by the unwinder, which may read
 *     the loader's list (a lock that the loader's own threads take last).
 *   - What finds no place is counted in the header and left out.
 */
#ifndef OFFCUT_CORE_H
#define OFFCUT_CORE_H

#include <stdbool.h>
#include <stddef.h>

#include "layout.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define EXPORTED __attribute__((visibility("default")))
#define NOT_INLINED __attribute__((noinline))
#define UNUSED __attribute__((unused)) /* a parameter that a caller's type asks for */

/* On musl a library that is loaded late has no room in the static block of a thread. */
#ifdef __GLIBC__
#define THREAD_MODEL __attribute__((tls_model("initial-exec")))
#else
#define THREAD_MODEL __attribute__((tls_model("global-dynamic")))
#endif

/* A thread's own state. Only the thread itself, and signal handlers in it, read and write it. All zero at first; it needs no destructor,
   so it can be used until the thread's last instruction. */
struct self {
  int64_t left;     /* bytes until the next look; at most the mean, so that a block of the mean always leads to one */
  int64_t beyond;   /* bytes that the draw had beyond `left` */
  uint64_t random;  /* 0: not seeded */
  uint32_t inside;  /* how deep the thread is in the sampler */
  uint32_t creator; /* stack that started the thread, in the lower 16 bits; above, the generation of the table */
};
extern __thread struct self self THREAD_MODEL;

/* ---- start.c */
extern _Atomic bool sampling;
bool work_begins(void); /* false: no samples are taken, or this is the child of a fork; then nothing may be touched */
void work_ends(void);
bool is_child(void);            /* of a fork: the tables are its parent's */
extern uint32_t generation;     /* of the table: how often sampling began */

/* ---- system.c */
void system_begins(void);
extern size_t page_bytes;
bool can_write(const volatile void *at); /* 4 aligned bytes; false where a write would raise a signal */
uint64_t now_ms(void);                   /* since the start, coarse */
uint64_t cpu_ns(void);                   /* of this thread */
void *plain_map(size_t bytes, int fd);   /* not through a hook; NULL if there is none */
void plain_unmap(void *at, size_t bytes);
bool wait_until(bool (*done)(void), int ms); /* not from a hook */

/* ---- table.c */
extern struct header *header; /* NULL until a table was opened; afterwards always one that can be read */
#define FILTER_BITS 17
extern _Atomic uint8_t filter[1 << FILTER_BITS];
#ifndef ROWS
#define ROWS 64
#endif

bool table_open(const char *path, uint64_t mean, uint32_t flags); /* path NULL: memory without a file */
bool table_add(uintptr_t address, uint64_t size_and_shift, uint32_t stack, uint32_t born_ms);
bool table_remove(uintptr_t address, struct sample *was);
void table_clear(void);
uint32_t table_string(const char *text); /* its place in the arena; 0: no room. Not from a hook */
const char *table_text(uint32_t place);
struct stack *stack_of(uint32_t number);
struct stack *stack_at_line(const struct stack *wanted, const uintptr_t *native, const uint32_t *java);
uint32_t frame_of(uint64_t method, int32_t position);
struct frame *frame_at(uint32_t number);
bool frame_is_there(uint32_t number); /* its writer has come to it */
uint32_t frames_in_use(void);
uint32_t root_of(uint64_t method, uint32_t frame); /* 0: no room */
uint32_t class_add(const struct class_entry *entry); /* its number; 0: no room */
bool classes_full(void);
struct class_entry *class_at(uint32_t number);
void region_add(uintptr_t begin, size_t bytes, uint32_t stack);
bool region_remove(uintptr_t begin, size_t bytes); /* whether any of it was known */
uint32_t *stack_java(struct stack *stack);
uint32_t stacks_in_use(void); /* one more than the highest number */
uint32_t roots_in_use(void);
void module_add(const struct module *module);
bool module_is_noted(uintptr_t begin);
void modules_sweep(bool (*is_there)(uintptr_t begin));
void root_is_collectors(uint64_t method);
uint32_t row_for(uint32_t frame, uint32_t second, bool (*same)(uint32_t, uint32_t)); /* its number + 1; 0: no room */
void rows_add(const uint64_t *bytes, uint32_t seconds); /* one value for each row, and so many seconds since the last one */
enum { RESIDENCE_S = 10 }; /* so often */
void note_residence(double (*weight_of)(uint64_t, uint32_t)); /* of large blocks and of regions. Not from a hook */

static inline uint32_t filter_index(uintptr_t address) {
  /* blocks that lie side by side share a cache line of the filter */
  return (uint32_t)((address >> 4) ^ (address >> 23) ^ (address >> 37)) & ((1u << FILTER_BITS) - 1);
}

/* ---- sample.c */
void samples_begin(void);                    /* forgets what was known of an earlier table */
double weight(uint64_t size, uint32_t shift); /* how many bytes a sampled block of this size stands for */
void took(void *block, size_t size);      /* a look is due */
void released(void *block);               /* the filter says that it may be sampled */
bool take_back(void *block, struct sample *was); /* before realloc; if true, exactly one of the next two follows */
void moved(const struct sample *was);
void give_again(void *block, const struct sample *was);
uint32_t stack_here(uint8_t kind);        /* 0: none. Between work_begins and work_ends */

static inline size_t taken(size_t asked) { /* what glibc takes for a block of this size */
  return asked < 25 ? 32 : (asked + 23) & ~(size_t)15;
}

/* ---- unwind.c */
enum { NATIVE_FRAMES = 40 };
struct native_stack {
  uintptr_t pc[NATIVE_FRAMES];
  int count;
  bool cut;
  bool in_signal; /* a signal handler is among the frames */
  uintptr_t last_pc, last_sp, last_fp; /* registers in the outermost frame that could be unwound */
};
void unwind_begins(void); /* once, before samples are taken */
void unwind(struct native_stack *stack);
void libraries_changed(void); /* builds the list of libraries anew; one thread at a time, not from a hook */
void note_modules(void);      /* writes those that came or went; not from a hook */
void modules_begin(void);     /* a new table knows none */
bool is_c_library(const char *name);
bool in_jvm(uintptr_t pc);
bool in_library(uintptr_t pc);
bool in_native_library(uintptr_t pc); /* neither the C library, nor the loader, nor this one */
uintptr_t first_library(const struct native_stack *stack); /* where the innermost library begins that is not the C library; 0: none */
extern uintptr_t own_begin, own_end;

/* ---- jvm.c */
enum { JAVA_FRAMES = 256 };
struct java_stack {
  uint32_t frame[JAVA_FRAMES];
  int count; /* negative: an error of AsyncGetCallTrace */
  bool cut;
  uint64_t room[2 * JAVA_FRAMES]; /* for answers of the JVM */
};
bool jvm_is_here(void);
void java_frames(struct java_stack *stack, const struct native_stack *native);
bool is_run_of_thread(uint64_t method); /* a run method of java.lang.Thread, where every thread begins */
bool is_of_references(uint64_t method); /* where a thread waits that the collector wakes */

/* ---- hooks.c */
void hooks_resolve(void);
void *hook_dlsym(void *library, const char *name);

/* ---- patch.c */
struct hook {
  const char *name;
  void *mine;
  void **real;
};
extern const struct hook hooks[]; /* hooks.c; the first is malloc */
void patch_new_libraries(bool all_again);
bool unpatch_libraries(void); /* false: a thread that patches did not end in time */
extern _Atomic bool patching_on;

#endif
