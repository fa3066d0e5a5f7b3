/*
 * Which allocation is sampled, and what is noted of it.
 *
 * Each thread draws how many bytes it may allocate until its next sample: exponentially distributed with the mean, so that each byte has
 * the same chance, whatever the sizes of blocks. A block of at least the mean is always sampled. A sampled block of `size` bytes stands
 * for size / (1 - e^(-size / mean)) bytes, which is right on average; a block that is always sampled stands for itself.
 *
 * `left` never exceeds the mean, so the one comparison that malloc makes also finds every block of the mean. What the draw has beyond
 * waits in `beyond`.
 *
 * The mean doubles when samples took more than 1 % of a core for a second; each sample keeps the mean it was drawn with.
 *
 * All functions run in the thread that allocates or frees, with any locks of the program held, also in signal handlers. A stack needs
 * 6 KiB for a moment, which a small thread or a signal stack may not have: so it is one of SCRATCHES buffers that all threads share, and
 * a thread that finds none leaves its stack out.
 */
#include "core.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

enum { MOST_SHIFTS = 12, SCRATCHES = 16, LOOK_AGAIN_BYTES = 1 << 16 };
static const uint64_t OWN_NS_A_SECOND = 10000000; /* 1 % of a core */
static const uint64_t SIZE_MASK = (1ull << 56) - 1;

__thread struct self self THREAD_MODEL;

static int64_t mean_of(uint32_t shift) { return (int64_t)(header->first_mean << shift); }

static uint32_t shift_now(void) { return atomic_load_explicit(&header->mean_shift, memory_order_relaxed); } /* any recent value will do */

double weight(uint64_t size, uint32_t shift) {
  double mean = (double)mean_of(shift);
  return (double)size >= mean ? (double)size : (double)size / -expm1(-(double)size / mean);
}

static void seed(void) { /* splitmix64 */
  static _Atomic uint64_t threads;
  uint64_t z = (atomic_fetch_add(&threads, 1) + 1) * 0x9E3779B97F4A7C15ull + header->start_epoch_ms;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  self.random = (z ^ (z >> 31)) | 1;
}

static double uniform(void) { /* in (0, 1]; xorshift64 */
  self.random ^= self.random << 13;
  self.random ^= self.random >> 7;
  self.random ^= self.random << 17;
  return (double)((self.random >> 11) + 1) * 0x1p-53;
}

static void draw(int64_t mean) {
  double bytes = -log(uniform()) * (double)mean;
  int64_t drawn = bytes < 1e15 ? (int64_t)bytes + 1 : (int64_t)1e15;
  self.left = drawn < mean ? drawn : mean;
  self.beyond = drawn - self.left;
}

/* The bytes of `left` are used up: whether a sample is due, or the draw has more. */
static bool is_due(uint64_t size, int64_t mean) {
  if (!self.random) {
    seed();
    draw(mean);
    self.left -= (int64_t)size; /* what was allocated before the first draw */
    if (self.left >= 0) return (int64_t)size >= mean;
  }
  int64_t all = self.left + self.beyond;
  if (all < 0) {
    draw(mean); /* the distribution has no memory, so what was overdrawn is forgotten */
    return true;
  }
  self.left = all < mean ? all : mean;
  self.beyond = all - self.left;
  return (int64_t)size >= mean;
}

/* ---- stacks */

struct scratch {
  atomic_flag taken;
  struct native_stack native;
  struct java_stack java;
};
static struct scratch scratches[SCRATCHES]; /* a flag of zero bytes is clear */

/* The stacks of this thread; NULL if there is no room for them, or the thread stands on a small stack for signals. */
static struct scratch *look_around(void) {
  stack_t signals;
  if (sigaltstack(NULL, &signals) || signals.ss_flags & SS_ONSTACK) return NULL;
  for (int i = 0; i < SCRATCHES; i++) {
    struct scratch *mine = &scratches[i];
    if (atomic_flag_test_and_set_explicit(&mine->taken, memory_order_acquire)) continue; /* the last owner has read it */
    unwind(&mine->native);
    java_frames(&mine->java, &mine->native);
    return mine;
  }
  return NULL;
}

static void give_back(struct scratch *mine) {
  atomic_flag_clear_explicit(&mine->taken, memory_order_release); /* after all was read */
}

/* The last stack with Java frames that was seen in a library: for threads of the library's own, which have none. */
enum { HINTS = 64 };
static struct {
  _Atomic uintptr_t library;
  _Atomic uint32_t stack;
} hints[HINTS];

static uint32_t hint_for(uintptr_t library) {
  uint32_t i = (uint32_t)(library >> 12) % HINTS;
  /* Relaxed: a pair that is just changing gives a wrong hint or none, and a hint is only "probably". */
  return library && atomic_load_explicit(&hints[i].library, memory_order_relaxed) == library
             ? atomic_load_explicit(&hints[i].stack, memory_order_relaxed)
             : 0;
}

static void leave_hint(uintptr_t library, uint32_t stack) {
  if (!library) return;
  uint32_t i = (uint32_t)(library >> 12) % HINTS;
  atomic_store_explicit(&hints[i].stack, stack, memory_order_relaxed); /* see hint_for */
  atomic_store_explicit(&hints[i].library, library, memory_order_relaxed);
}

static void name_thread(char *name) {
  prctl(PR_GET_NAME, name);
  for (int i = 0; i < THREAD_NAME_BYTES && name[i]; i++) {
    if (name[i] >= '0' && name[i] <= '9') name[i] = '#';
  }
}

NOT_INLINED uint32_t stack_here(uint8_t kind) {
  struct stack wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.kind = kind;
  wanted.java_error = JAVA_NOT_ASKED;
  struct scratch *seen = look_around();
  uintptr_t library = seen ? first_library(&seen->native) : 0;
  if (seen) {
    int java = seen->java.count;
    wanted.native_count = (uint16_t)seen->native.count;
    wanted.java_count = (uint16_t)(java > 0 ? java : 0);
    wanted.java_error = (int16_t)(java < 0 ? java : 0);
    wanted.depth_cut = seen->native.cut || seen->java.cut;
  }
  if (!wanted.java_count) {
    bool missed = wanted.java_error == -2 || wanted.java_error == JAVA_NOT_ASKED; /* -2: a collection is running */
    if (missed) atomic_fetch_add_explicit(&header->without_stack, 1, memory_order_relaxed); /* a figure */
    name_thread(wanted.thread);
    wanted.creator = self.creator >> 16 == (generation & 0xffff) ? self.creator & 0xffff : 0;
    wanted.hint = hint_for(library);
  }
  struct stack *stack = stack_at_line(&wanted, seen ? seen->native.pc : NULL, seen ? seen->java.frame : NULL);
  if (stack && wanted.java_count) leave_hint(library, stack->number);
  if (seen) give_back(seen);
  return stack ? stack->number : 0;
}

/* ---- restraint */

static _Atomic uint64_t second_seen, own_ns_before;

void samples_begin(void) {
  atomic_store(&second_seen, 0);
  atomic_store(&own_ns_before, 0);
  for (int i = 0; i < HINTS; i++) atomic_store(&hints[i].library, 0);
}

static void restrain(uint64_t begun_ns) {
  uint64_t took_ns = cpu_ns() - begun_ns;
  uint64_t own = atomic_fetch_add(&header->own_ns, took_ns) + took_ns;
  uint64_t now = now_ms() / 1000;
  uint64_t last = atomic_load(&second_seen);
  if (now <= last || !atomic_compare_exchange_strong(&second_seen, &last, now)) return;
  uint64_t before = atomic_exchange(&own_ns_before, own);
  uint32_t shift = shift_now();
  if (own > before && own - before > OWN_NS_A_SECOND * (now - last) && shift < MOST_SHIFTS) atomic_store(&header->mean_shift, shift + 1);
}

/* ---- allocations */

static void note_taken(uintptr_t block, uint64_t size, uint32_t shift) {
  uint64_t begun = cpu_ns();
  uint32_t number = stack_here(KIND_MALLOC);
  struct stack *stack = stack_of(number);
  if (table_add(block, (size & SIZE_MASK) | (uint64_t)shift << 56, number, (uint32_t)now_ms()) && stack) {
    int64_t bytes = (int64_t)weight(size, shift);
    /* Relaxed: figures, each by itself. A reader needs no order between them. */
    atomic_fetch_add_explicit(&stack->live_bytes, bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&stack->allocated_bytes, (uint64_t)bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&stack->allocations, 1, memory_order_relaxed);
  }
  atomic_fetch_add_explicit(&header->sampled, 1, memory_order_relaxed); /* a figure */
  restrain(begun);
}

NOT_INLINED void took(void *block, size_t asked) {
  if (self.inside) {
    self.left += (int64_t)taken(asked); /* the sampler's own memory does not count */
    return;
  }
  if (!work_begins()) {
    self.left = LOOK_AGAIN_BYTES;
    self.beyond = 0;
    return;
  }
  self.inside = 1;
  uint64_t size = taken(asked);
  uint32_t shift = shift_now();
  if (is_due(size, mean_of(shift)) && block) note_taken((uintptr_t)block, size, shift);
  self.inside = 0;
  work_ends();
}

/* ---- frees */

static void note_freer(struct stack *stack, uint32_t root, uint64_t bytes, uint64_t lived_ms) {
  for (int i = 0; root && i < STACK_FREERS; i++) {
    struct freer *freer = &stack->freers[i];
    uint32_t known = atomic_load(&freer->root);
    if (!known && atomic_compare_exchange_strong(&freer->root, &known, root + 1)) known = root + 1;
    if (known == root + 1) {
      uint64_t more = 0;
      atomic_fetch_add_explicit(&freer->bytes, bytes, memory_order_relaxed); /* figures, each by itself */
      if (!__builtin_mul_overflow(bytes, lived_ms, &more)) atomic_fetch_add_explicit(&freer->byte_ms, more, memory_order_relaxed);
      return;
    }
  }
  atomic_fetch_add_explicit(&stack->freed_elsewhere, bytes, memory_order_relaxed); /* a figure */
}

static uint32_t root_here(void) {
  struct scratch *seen = jvm_is_here() ? look_around() : NULL;
  if (!seen) return 0;
  const struct java_stack *java = &seen->java;
  int i = java->cut ? -1 : java->count - 1;
  while (i > 0 && is_run_of_thread(frame_at(java->frame[i])->method)) i--;
  for (int k = 0; k < i; k++) { /* in a finalizer, whatever thread runs it */
    if (is_of_references(frame_at(java->frame[k])->method)) i = k;
  }
  uint64_t method = i >= 0 ? frame_at(java->frame[i])->method : 0;
  uint32_t root = i >= 0 ? root_of(method, java->frame[i]) : 0;
  if (root && is_of_references(method)) root_is_collectors(method);
  give_back(seen);
  return root;
}

static void note_released(const struct sample *was, bool with_freer) {
  struct stack *stack = stack_of(was->stack);
  if (!stack) return;
  uint64_t bytes = (uint64_t)weight(was->size_and_shift & SIZE_MASK, (uint32_t)(was->size_and_shift >> 56));
  atomic_fetch_sub_explicit(&stack->live_bytes, (int64_t)bytes, memory_order_relaxed); /* a figure */
  if (with_freer) note_freer(stack, root_here(), bytes, (uint32_t)((uint32_t)now_ms() - was->born_ms));
}

/* A thread inside the sampler, and a signal handler in it, may free blocks of the program, too: these leave the table without a stack. */
NOT_INLINED void released(void *block) {
  if (!work_begins()) return;
  struct sample was;
  bool alone = !self.inside++;
  if (table_remove((uintptr_t)block, &was)) {
    uint64_t begun = cpu_ns();
    note_released(&was, alone);
    restrain(begun);
  }
  self.inside--;
  work_ends();
}

/* True: the thread works in the tables until it calls one of the next two, so that the sample's stack is one of this table. */
NOT_INLINED bool take_back(void *block, struct sample *was) {
  if (!work_begins()) return false;
  if (table_remove((uintptr_t)block, was)) return true;
  work_ends();
  return false;
}

/* realloc gave another block for it, which is looked at by itself. */
NOT_INLINED void moved(const struct sample *was) {
  note_released(was, false);
  work_ends();
}

/* realloc failed, and the block is as it was. */
NOT_INLINED void give_again(void *block, const struct sample *was) {
  if (!table_add((uintptr_t)block, was->size_and_shift, was->stack, was->born_ms)) note_released(was, false);
  work_ends();
}
