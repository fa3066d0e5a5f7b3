/*
 * The file and its tables. layout.h says what they hold.
 *
 * Live samples are a hash table of windows: an address can only be in the 16 slots behind its hash. A slot is claimed by a
 * compare-and-set from 0 to 1, filled, and published by a release store of the address. A block is put in before malloc returns it and
 * taken out before free gives it back, so at any time at most one thread handles an address, and an address is in the table once. (A
 * free that was not seen, as in the child of a vfork, leaves an entry; the next sample of that address replaces it.)
 *
 *   sum of filter counters below 255 = entries under them; a counter that reached 255 stays
 *
 * Stacks and frames are hash tables that only grow; an entry is found by a 64-bit hash, which is taken for the identity. Two threads
 * that bring the same stack at the same time may both write it; one of the two stays unused. So at most one entry a thread and stack is
 * wasted, and a full table takes no more of the arena.
 *
 * The file has holes. A page of it is asked for before it is first written (`is_ready`), since a disk that is full would else raise
 * SIGBUS in the program's malloc. `ready` has one bit for each page. On tmpfs a hole takes a page even if it is only read, so what may be a
 * hole is not read, either (`is_written`).
 *
 * Threads: samples, stacks, frames, roots and regions by any thread, in hooks; strings, classes, modules and rows by one thread at a time,
 * which is the sampler's, or the one that starts or ends it. table_open: by one thread, while nobody works in the tables. It unmaps the
 * tables that were there before.
 */
#include "core.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Capacities. What is written takes memory, and the rest only address space. STACK_BITS is at most 16 (struct self). A test sets all of
   them, or none. */
#ifndef SAMPLE_BITS
#define SAMPLE_BITS 16 /* 24 B each: 32 GiB live at the first mean */
#define STACK_BITS 15  /* some 300 B each */
#define FRAME_BITS 16
#define CLASSES (1 << 14)
#define REGIONS (1 << 12)
#define MODULES (1 << 11)
#define ROOTS (1 << 10)
#define ARENA_BYTES (48ull << 20) /* 2^15 stacks of the greatest depth, and 4 MiB of names */
#endif

enum { WINDOW = 16, PROBES = 64, PAGE = 4096 };
static const uint64_t HASH = 0x9E3779B97F4A7C15ull;

struct header *header;
_Atomic uint8_t filter[1 << FILTER_BITS];

static char *base;
static struct sample *samples;
static _Atomic uint64_t *stack_places; /* by number */
static char *arena;
static _Atomic uint64_t arena_used;
static struct frame *frames;
static struct class_entry *classes;
static struct region *regions;
static struct root *roots;
static struct row *rows;
/* Where hashes lead to, and which pages of the file are there; only this process needs them. */
static _Atomic uint32_t *stack_index, *frame_index;
static _Atomic uint64_t *ready;
static uint64_t mapped_bytes, private_bytes;
static void *private_memory;

static const struct {
  uint64_t capacity;
  uint32_t entry_bytes;
} SIZES[SECTION_COUNT] = {
    [SECTION_SAMPLES] = {1u << SAMPLE_BITS, sizeof(struct sample)},
    [SECTION_STACKS] = {1u << STACK_BITS, sizeof(uint64_t)},
    [SECTION_ARENA] = {ARENA_BYTES, 1},
    [SECTION_FRAMES] = {1u << FRAME_BITS, sizeof(struct frame)},
    [SECTION_CLASSES] = {CLASSES, sizeof(struct class_entry)},
    [SECTION_REGIONS] = {REGIONS, sizeof(struct region)},
    [SECTION_MODULES] = {MODULES, sizeof(struct module)},
    [SECTION_ROOTS] = {ROOTS, sizeof(struct root)},
    [SECTION_ROWS] = {ROWS, sizeof(struct row)},
};

static char *section(enum section_name name) { return base + header->sections[name].offset; }

/* Whether the page of this byte is there. Relaxed: the bit orders no data; who has the number or the address of an entry got it later. */
static bool is_written(const volatile void *at) {
  uintptr_t page = ((uintptr_t)at - (uintptr_t)base) / PAGE;
  return atomic_load_explicit(&ready[page / 64], memory_order_relaxed) >> page % 64 & 1;
}

/* False: the file system has no room for these bytes. */
static bool is_ready(const volatile void *at, size_t bytes) {
  uintptr_t from = (uintptr_t)at - (uintptr_t)base, to = from + bytes - 1;
  for (uintptr_t page = from / PAGE; page <= to / PAGE; page++) {
    if (LIKELY(is_written(base + page * PAGE))) continue;
    if (!can_write(base + page * PAGE)) {
      atomic_fetch_add_explicit(&header->full_disk, 1, memory_order_relaxed); /* a figure */
      return false;
    }
    atomic_fetch_or_explicit(&ready[page / 64], 1ull << page % 64, memory_order_relaxed); /* as above */
  }
  return true;
}

/* A new file of this size, mapped; NULL if it cannot be had. */
static char *map_file(const char *path, uint64_t size) {
  int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return NULL;
  char *memory = ftruncate(fd, (off_t)size) ? NULL : plain_map(size, fd);
  close(fd);
  if (memory && !can_write(memory)) {
    plain_unmap(memory, size);
    memory = NULL;
  }
  if (!memory) unlink(path);
  return memory;
}

static void fill_header(struct header *made, uint64_t size, uint64_t mean, uint32_t flags) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  made->file_bytes = size;
  made->start_epoch_ms = (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
  made->pid = (uint32_t)getpid();
  made->flags = flags;
  made->first_mean = mean;
  uint64_t offset = PAGE;
  for (int i = 0; i < SECTION_COUNT; i++) {
    made->sections[i].offset = offset;
    made->sections[i].capacity = SIZES[i].capacity;
    made->sections[i].entry_bytes = SIZES[i].entry_bytes;
    offset = (offset + SIZES[i].capacity * SIZES[i].entry_bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
  }
}

bool table_open(const char *path, uint64_t mean, uint32_t flags) {
  uint64_t size = PAGE;
  for (int i = 0; i < SECTION_COUNT; i++) size = (size + SIZES[i].capacity * SIZES[i].entry_bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
  uint64_t ready_bytes = (size / PAGE + 63) / 64 * sizeof(uint64_t);
  uint64_t own_bytes = ready_bytes + ((1ull << STACK_BITS) + (1ull << FRAME_BITS)) * sizeof(uint32_t);
  void *own = plain_map(own_bytes, -1);
  char *memory = own ? (path ? map_file(path, size) : plain_map(size, -1)) : NULL;
  if (!memory) {
    plain_unmap(own, own_bytes);
    return false;
  }
  fill_header((struct header *)memory, size, mean, flags);
  plain_unmap(base, mapped_bytes);
  plain_unmap(private_memory, private_bytes);
  base = memory;
  mapped_bytes = size;
  private_memory = own;
  private_bytes = own_bytes;
  ready = own;
  stack_index = (_Atomic uint32_t *)((char *)own + ready_bytes);
  frame_index = stack_index + (1u << STACK_BITS);
  header = (struct header *)base;
  samples = (struct sample *)section(SECTION_SAMPLES);
  stack_places = (_Atomic uint64_t *)section(SECTION_STACKS);
  arena = section(SECTION_ARENA);
  frames = (struct frame *)section(SECTION_FRAMES);
  classes = (struct class_entry *)section(SECTION_CLASSES);
  regions = (struct region *)section(SECTION_REGIONS);
  rows = (struct row *)section(SECTION_ROWS);
  roots = (struct root *)section(SECTION_ROOTS);
  atomic_store(&arena_used, 64); /* so that 0 is no place */
  atomic_store(&header->sections[SECTION_STACKS].count, 1);
  atomic_store(&header->sections[SECTION_CLASSES].count, 1);
  atomic_thread_fence(memory_order_release); /* the magic comes last */
  memcpy(header->magic, LAYOUT_MAGIC, sizeof header->magic);
  return true;
}

/* ---- live samples */

static struct sample *window_of(uintptr_t address) {
  uint32_t hash = (uint32_t)(((address >> 4) * HASH) >> (64 - SAMPLE_BITS));
  return samples + (hash & ~(uint32_t)(WINDOW - 1));
}

static void filter_add(uintptr_t address) {
  _Atomic uint8_t *counter = &filter[filter_index(address)];
  uint8_t seen = atomic_load_explicit(counter, memory_order_relaxed); /* the compare-and-set decides */
  while (seen < 255 && !atomic_compare_exchange_weak(counter, &seen, seen + 1)) {
  }
}

static void filter_remove(uintptr_t address) {
  _Atomic uint8_t *counter = &filter[filter_index(address)];
  uint8_t seen = atomic_load_explicit(counter, memory_order_relaxed); /* the compare-and-set decides */
  /* A counter that was full has lost count, and stays. */
  while (seen > 0 && seen < 255 && !atomic_compare_exchange_weak(counter, &seen, seen - 1)) {
  }
}

static void fill(struct sample *slot, uintptr_t address, uint64_t size_and_shift, uint32_t stack, uint32_t born_ms) {
  slot->size_and_shift = size_and_shift;
  slot->stack = stack;
  slot->born_ms = born_ms;
  atomic_store_explicit(&slot->address, address, memory_order_release); /* readers of the file see the fields */
}

bool table_add(uintptr_t address, uint64_t size_and_shift, uint32_t stack, uint32_t born_ms) {
  struct sample *window = window_of(address);
  struct sample *empty = NULL;
  if (!is_ready(window, WINDOW * sizeof *window)) return false;
  for (struct sample *slot = window; slot < window + WINDOW; slot++) {
    uint64_t there = atomic_load_explicit(&slot->address, memory_order_relaxed); /* the compare-and-set decides */
    /* Of an earlier block, whose free was not seen: it is in the filter already. */
    if (UNLIKELY(there == address) && atomic_compare_exchange_strong(&slot->address, &there, 1)) {
      fill(slot, address, size_and_shift, stack, born_ms);
      return true;
    }
    if (!there && !empty) empty = slot;
  }
  for (struct sample *slot = empty; slot && slot < window + WINDOW; slot++) {
    uint64_t none = 0;
    if (!atomic_compare_exchange_strong(&slot->address, &none, 1)) continue;
    filter_add(address);
    fill(slot, address, size_and_shift, stack, born_ms);
    return true;
  }
  atomic_fetch_add_explicit(&header->unrecorded, 1, memory_order_relaxed); /* a figure */
  return false;
}

bool table_remove(uintptr_t address, struct sample *was) {
  struct sample *slot = window_of(address);
  if (address <= 1 || !is_written(slot) || !is_written(slot + WINDOW - 1)) return false; /* 0 and 1 are marks of a slot */
  for (int i = 0; i < WINDOW; i++, slot++) {
    /* Relaxed is enough: who frees the block got its address after the slot was filled, by whatever means the program used. */
    uint64_t there = atomic_load_explicit(&slot->address, memory_order_relaxed);
    if (there != address) continue;
    was->size_and_shift = slot->size_and_shift;
    was->stack = slot->stack;
    was->born_ms = slot->born_ms;
    /* After the fields were read. It fails only if the program frees a block twice. */
    if (!atomic_compare_exchange_strong(&slot->address, &there, 0)) return false;
    filter_remove(address);
    return true;
  }
  return false;
}

/* Counters of the filter that are full stay: those of blocks that hooks.c gave before it knew the real functions are among them. */
void table_clear(void) {
  for (uint32_t i = 0; i < 1u << SAMPLE_BITS; i++) {
    uint64_t there = is_written(&samples[i]) ? atomic_load(&samples[i].address) : 0;
    if (there <= 1 || !atomic_compare_exchange_strong(&samples[i].address, &there, 0)) continue;
    filter_remove(there);
  }
}

/* ---- the arena */

static uint64_t arena_take(uint64_t bytes) { /* 0: no room */
  uint64_t at = atomic_fetch_add(&arena_used, (bytes + 15) & ~15ull);
  return at + bytes <= ARENA_BYTES && is_ready(arena + at, bytes) ? at : 0;
}

uint32_t table_string(const char *text) {
  size_t length = strlen(text);
  if (length > 1000) length = 1000;
  uint64_t at = arena_take(length + 1);
  if (at) memcpy(arena + at, text, length);
  return (uint32_t)at;
}

const char *table_text(uint32_t place) { return arena + place; }

/* ---- stacks */

struct stack *stack_of(uint32_t number) {
  bool is_number = number && number < 1u << STACK_BITS && is_written(&stack_places[number]);
  uint64_t at = is_number ? atomic_load_explicit(&stack_places[number], memory_order_acquire) : 0; /* the stack is whole */
  return at ? (struct stack *)(arena + at) : NULL;
}

uint32_t *stack_java(struct stack *stack) { return (uint32_t *)((uintptr_t *)(stack + 1) + stack->native_count); }

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * HASH;
  return hash ^ (hash >> 29);
}

static uint64_t hash_of(const struct stack *s, const uintptr_t *native, const uint32_t *java) {
  uint64_t hash = mix(1469598103934665603ull, s->kind);
  for (int i = 0; i < s->native_count; i++) hash = mix(hash, native[i]);
  for (int i = 0; i < s->java_count; i++) hash = mix(hash, java[i]);
  if (!s->java_count) {
    uint64_t name[THREAD_NAME_BYTES / 8];
    memcpy(name, s->thread, sizeof name);
    hash = mix(mix(mix(hash, name[0]), name[1]), s->creator);
  }
  return hash ? hash : 1;
}

static struct stack *write_stack(const struct stack *wanted, const uintptr_t *native, const uint32_t *java, uint64_t hash) {
  uint64_t bytes = sizeof(struct stack) + wanted->native_count * sizeof *native + wanted->java_count * sizeof *java;
  if (stacks_in_use() >= 1u << STACK_BITS) return NULL; /* before the arena is used for nothing */
  uint64_t at = arena_take(bytes);
  uint32_t number = at ? atomic_fetch_add(&header->sections[SECTION_STACKS].count, 1) : 0;
  if (!number || number >= 1u << STACK_BITS || !is_ready(&stack_places[number], sizeof *stack_places)) return NULL;
  struct stack *made = (struct stack *)(arena + at);
  memcpy(made, wanted, sizeof *made);
  made->hash = hash;
  made->number = number;
  made->first_ms = (uint32_t)now_ms();
  if (wanted->native_count) memcpy(made + 1, native, wanted->native_count * sizeof *native);
  if (wanted->java_count) memcpy(stack_java(made), java, wanted->java_count * sizeof *java);
  atomic_store_explicit(&stack_places[number], at, memory_order_release); /* the stack is whole */
  return made;
}

struct stack *stack_at_line(const struct stack *wanted, const uintptr_t *native, const uint32_t *java) {
  uint64_t hash = hash_of(wanted, native, java);
  uint32_t mask = (1u << STACK_BITS) - 1;
  uint32_t i = (uint32_t)(hash >> 32) & mask;
  struct stack *made = NULL;
  for (int probe = 0; probe < PROBES; probe++, i = (i + 1) & mask) {
    uint32_t number = atomic_load_explicit(&stack_index[i], memory_order_acquire); /* the stack is whole */
    if (!number) {
      if (!made) made = write_stack(wanted, native, java, hash);
      if (!made) break;
      if (atomic_compare_exchange_strong(&stack_index[i], &number, made->number)) return made;
    }
    struct stack *found = stack_of(number);
    if (found && found->hash == hash) return found;
  }
  atomic_fetch_add_explicit(&header->full_stacks, 1, memory_order_relaxed); /* a figure */
  return NULL;
}

/* ---- frames and classes */

struct frame *frame_at(uint32_t number) { return frames + number; }
bool frame_is_there(uint32_t number) { return is_written(frames + number) && atomic_load(&frames[number].method) != 0; }

uint32_t frames_in_use(void) {
  uint32_t count = atomic_load(&header->sections[SECTION_FRAMES].count);
  return count < 1u << FRAME_BITS ? count : 1u << FRAME_BITS;
}

/* A new entry; NO_FRAME: no room. The last number is never used, so that each has a successor. */
static uint32_t write_frame(uint64_t method, int32_t position) {
  uint32_t most = (1u << FRAME_BITS) - 1;
  if (frames_in_use() >= most) return NO_FRAME; /* before the count runs away */
  uint32_t made = atomic_fetch_add(&header->sections[SECTION_FRAMES].count, 1);
  if (made >= most || !is_ready(&frames[made], sizeof *frames)) return NO_FRAME;
  frames[made].position = position;
  frames[made].line = -1;
  atomic_store_explicit(&frames[made].method, method, memory_order_release); /* the sampler's thread sees the position */
  return made;
}

uint32_t frame_of(uint64_t method, int32_t position) {
  uint64_t hash = mix(mix(HASH, method), (uint32_t)position);
  uint32_t mask = (1u << FRAME_BITS) - 1;
  uint32_t i = (uint32_t)(hash >> 32) & mask;
  uint32_t made = NO_FRAME;
  for (int probe = 0; probe < PROBES; probe++, i = (i + 1) & mask) {
    uint32_t known = atomic_load_explicit(&frame_index[i], memory_order_acquire); /* the frame is whole */
    if (!known) {
      if (made == NO_FRAME) made = write_frame(method, position);
      if (made == NO_FRAME || atomic_compare_exchange_strong(&frame_index[i], &known, made + 1)) return made;
    }
    if (frames[known - 1].method == method && frames[known - 1].position == position) return known - 1;
  }
  return NO_FRAME;
}

uint32_t root_of(uint64_t method, uint32_t frame) {
  uint32_t mask = ROOTS - 1;
  uint32_t i = (uint32_t)(mix(HASH, method) >> 32) & mask;
  for (int probe = 0; probe < PROBES; probe++, i = (i + 1) & mask) {
    if (!i || !is_ready(&roots[i], sizeof *roots)) continue; /* 0 is no root */
    uint64_t known = atomic_load(&roots[i].method);
    if (!known) {
      atomic_store(&roots[i].frame, NO_FRAME); /* a thread that is late here may take a frame back; its next free brings it again */
      if (atomic_compare_exchange_strong(&roots[i].method, &known, method)) known = method;
    }
    if (known != method) continue;
    uint32_t none = NO_FRAME; /* until a thread brings one; all that do bring one of this method */
    if (frame != NO_FRAME && atomic_load(&roots[i].frame) == NO_FRAME) atomic_compare_exchange_strong(&roots[i].frame, &none, frame);
    return i;
  }
  return 0;
}

uint32_t roots_in_use(void) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < ROOTS; i++) count += is_written(&roots[i]) && atomic_load(&roots[i].method) != 0;
  return count;
}

void root_is_collectors(uint64_t method) {
  uint32_t root = root_of(method, NO_FRAME);
  if (root) atomic_store(&roots[root].of_collector, 1);
}

bool classes_full(void) { return atomic_load(&header->sections[SECTION_CLASSES].count) >= CLASSES; }

uint32_t class_add(const struct class_entry *entry) {
  uint32_t number = atomic_load(&header->sections[SECTION_CLASSES].count); /* one thread adds */
  if (number >= CLASSES || !is_ready(&classes[number], sizeof *classes)) return 0;
  classes[number] = *entry;
  atomic_store_explicit(&header->sections[SECTION_CLASSES].count, number + 1, memory_order_release); /* the entry is whole */
  return number;
}

struct class_entry *class_at(uint32_t number) { return classes + number; }

/* ---- regions: rare, and kept in one array behind a lock */

static atomic_flag regions_locked = ATOMIC_FLAG_INIT;

/* False: whoever holds it does not come on, as a child of a vfork that was killed there. Hooks wait for a while, and not for ever. */
static bool lock_regions(void) {
  for (int i = 0; i < 1000; i++) {
    if (!atomic_flag_test_and_set_explicit(&regions_locked, memory_order_acquire)) return true; /* what the last holder wrote is seen */
    syscall(SYS_sched_yield);
  }
  atomic_fetch_add_explicit(&header->full_regions, 1, memory_order_relaxed); /* a figure */
  return false;
}

static void unlock_regions(void) { atomic_flag_clear_explicit(&regions_locked, memory_order_release); /* the next holder sees it all */ }

static void put_region(uintptr_t begin, uint64_t bytes, uint32_t stack, uint32_t born_ms) {
  struct section *all = &header->sections[SECTION_REGIONS];
  uint32_t count = all->count;
  uint32_t i = 0;
  while (i < count && regions[i].begin) i++;
  if (i == REGIONS || !is_ready(&regions[i], sizeof *regions)) {
    atomic_fetch_add_explicit(&header->full_regions, 1, memory_order_relaxed); /* a figure */
    return;
  }
  regions[i].bytes = bytes;
  regions[i].resident = 0;
  regions[i].stack = stack;
  regions[i].born_ms = born_ms;
  atomic_store_explicit(&regions[i].begin, begin, memory_order_release); /* readers of the file see the fields */
  if (i == count) all->count = count + 1;
}

/* What of the regions lies within these bytes is gone; a region may lose its begin, its end or its middle. */
static bool cut_regions(uintptr_t begin, size_t bytes) {
  bool known = false;
  uintptr_t end = begin + bytes;
  uint32_t count = header->sections[SECTION_REGIONS].count;
  for (uint32_t i = 0; i < count; i++) {
    struct region was = {.begin = regions[i].begin, .bytes = regions[i].bytes, .born_ms = regions[i].born_ms, .stack = regions[i].stack};
    uintptr_t was_end = was.begin + was.bytes;
    if (!was.begin || was_end <= begin || was.begin >= end) continue;
    known = true;
    atomic_store(&regions[i].begin, 0);
    if (was.begin < begin) put_region(was.begin, begin - was.begin, was.stack, was.born_ms);
    if (was_end > end) put_region(end, was_end - end, was.stack, was.born_ms);
  }
  return known;
}

static size_t whole_pages(size_t bytes) { return (bytes + page_bytes - 1) & ~(page_bytes - 1); }

void region_add(uintptr_t begin, size_t bytes, uint32_t stack) {
  if (!lock_regions()) return;
  cut_regions(begin, whole_pages(bytes)); /* MAP_FIXED replaces what was there */
  put_region(begin, whole_pages(bytes), stack, (uint32_t)now_ms());
  unlock_regions();
}

bool region_remove(uintptr_t begin, size_t bytes) {
  if (!atomic_load(&header->sections[SECTION_REGIONS].count) || !lock_regions()) return false;
  bool known = cut_regions(begin, whole_pages(bytes));
  unlock_regions();
  return known;
}

/* ---- modules: one thread writes them */

static struct module *modules(void) { return (struct module *)section(SECTION_MODULES); }

bool module_is_noted(uintptr_t begin) {
  for (uint32_t i = 0; i < header->sections[SECTION_MODULES].count; i++) {
    if (modules()[i].begin == begin && !modules()[i].gone_ms) return true;
  }
  return false;
}

void module_add(const struct module *module) {
  struct section *all = &header->sections[SECTION_MODULES];
  if (module_is_noted(module->begin) || all->count == MODULES || !is_ready(&modules()[all->count], sizeof *module)) return;
  modules()[all->count] = *module;
  atomic_store_explicit(&all->count, all->count + 1, memory_order_release); /* the entry is whole */
}

void modules_sweep(bool (*is_there)(uintptr_t)) {
  uint32_t count = header->sections[SECTION_MODULES].count;
  for (uint32_t i = 0; i < count; i++) {
    if (modules()[i].gone_ms || is_there(modules()[i].begin)) continue;
    atomic_store(&modules()[i].gone_ms, (uint32_t)now_ms() | 1); /* 0 is not yet */
  }
}

uint32_t stacks_in_use(void) {
  uint32_t count = atomic_load(&header->sections[SECTION_STACKS].count);
  return count < 1u << STACK_BITS ? count : 1u << STACK_BITS;
}

/* ---- rows: one thread writes them */

uint32_t row_for(uint32_t frame, uint32_t second, bool (*same)(uint32_t, uint32_t)) {
  struct section *all = &header->sections[SECTION_ROWS];
  uint32_t count = all->count;
  for (uint32_t i = 0; i < count; i++) {
    if (same(rows[i].frame, frame)) return i + 1;
  }
  if (count == ROWS || !is_ready(&rows[count], sizeof *rows)) return 0;
  rows[count].frame = frame;
  rows[count].first_s = second;
  atomic_store_explicit(&all->count, count + 1, memory_order_release); /* the row is whole */
  return count + 1;
}

void rows_add(const uint64_t *bytes, uint32_t seconds) {
  uint32_t count = header->sections[SECTION_ROWS].count;
  for (uint32_t i = 0; i < count; i++) {
    struct row *row = &rows[i];
    uint32_t kib = bytes[i] >> 10 < UINT32_MAX ? (uint32_t)(bytes[i] >> 10) : UINT32_MAX;
    if (kib > row->peak) row->peak = kib;
    for (uint32_t k = 0; k < seconds; k++) {
      row->by_second[row->seconds % ROW_SECONDS] = kib;
      atomic_store_explicit(&row->seconds, row->seconds + 1, memory_order_release); /* the value is there */
      if (row->seconds % 60) continue;
      row->by_minute[row->minutes % ROW_MINUTES] = kib;
      atomic_store_explicit(&row->minutes, row->minutes + 1, memory_order_release); /* as above */
    }
  }
}

/* ---- what of large blocks and of regions is in memory: one thread looks */

enum { LARGE = 128 << 10, PAGES_AT_ONCE = 1024, MOST_PAGES = 1 << 22 /* in one go: 16 GiB */ };

/* Memory that goes meanwhile is in none. */
static uint64_t bytes_in_memory(uintptr_t begin, uintptr_t end, uint64_t *pages_left) {
  unsigned char in[PAGES_AT_ONCE];
  uint64_t pages = 0;
  for (uint64_t left = (end - begin) / page_bytes, count; left && *pages_left; left -= count, *pages_left -= count) {
    count = left < PAGES_AT_ONCE ? left : PAGES_AT_ONCE;
    if (count > *pages_left) count = *pages_left;
    if (syscall(SYS_mincore, end - left * page_bytes, count * page_bytes, in)) break;
    for (uint64_t i = 0; i < count; i++) pages += in[i] & 1;
  }
  return pages * page_bytes;
}

void note_residence(double (*weight_of)(uint64_t, uint32_t)) {
  static uint64_t untouched[1u << STACK_BITS];
  uint64_t pages_left = MOST_PAGES;
  uint32_t count = stacks_in_use();
  memset(untouched, 0, count * sizeof *untouched);
  for (uint32_t i = 0; i < 1u << SAMPLE_BITS; i++) {
    if (!is_written(&samples[i])) continue;
    uintptr_t address = atomic_load_explicit(&samples[i].address, memory_order_acquire); /* with its fields */
    uint64_t size = samples[i].size_and_shift & ((1ull << 56) - 1);
    if (address <= 1 || size < LARGE || samples[i].stack >= count) continue;
    uintptr_t begin = whole_pages(address), end = (address + size) & ~(page_bytes - 1);
    double missing = (double)(end - begin - bytes_in_memory(begin, end, &pages_left));
    untouched[samples[i].stack] += (uint64_t)(missing * weight_of(size, (uint32_t)(samples[i].size_and_shift >> 56)) / (double)size);
  }
  for (uint32_t i = 1; i < count; i++) {
    struct stack *stack = stack_of(i);
    if (stack && stack->untouched != untouched[i]) atomic_store_explicit(&stack->untouched, untouched[i], memory_order_relaxed); /* a figure */
  }
  for (uint32_t i = 0; i < header->sections[SECTION_REGIONS].count; i++) {
    uintptr_t begin = atomic_load_explicit(&regions[i].begin, memory_order_acquire); /* with its bytes */
    /* A figure. The region may have become another one; then it is right the next time. */
    if (begin) atomic_store_explicit(&regions[i].resident, bytes_in_memory(begin, begin + regions[i].bytes, &pages_left), memory_order_relaxed);
  }
}
