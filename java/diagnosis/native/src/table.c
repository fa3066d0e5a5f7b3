/*
 * The file and its tables. layout.h says what they hold.
 *
 * Live samples are a hash table of windows: an address can only be in the 16 slots behind its hash. A slot is claimed by a
 * compare-and-set from 0 to 1, filled, and published by a release store of the address. A block is put in before malloc returns it and
 * taken out before free gives it back, so at any time at most one thread handles an address, and an address is in the table once.
 *
 * Stacks and frames are hash tables that only grow; an entry is found by a 64-bit hash, which is taken for the identity. Two threads
 * that bring the same stack at the same time may both write it; one of the two stays unused.
 */
#include "core.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  SAMPLE_BITS = 17,
  WINDOW = 16,
  STACK_BITS = 15,
  FRAME_BITS = 16,
  CLASSES = 1 << 14,
  REGIONS = 1 << 12,
  MODULES = 1 << 11,
  ROOTS = 1 << 10,
  ROWS = 64,
  PROBES = 64,
  PAGE = 4096
};
static const uint64_t ARENA_BYTES = 48u << 20; /* of address space; memory is taken when it is written */
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
/* Where hashes lead to; only this process needs them. */
static _Atomic uint32_t *stack_index, *frame_index;

static const struct {
  uint64_t capacity;
  uint32_t entry_bytes;
} SIZES[SECTION_COUNT] = {
    [SECTION_SAMPLES] = {1u << SAMPLE_BITS, sizeof(struct sample)},
    [SECTION_STACKS] = {1u << STACK_BITS, sizeof(uint64_t)},
    [SECTION_ARENA] = {48u << 20, 1},
    [SECTION_FRAMES] = {1u << FRAME_BITS, sizeof(struct frame)},
    [SECTION_CLASSES] = {CLASSES, sizeof(struct class_entry)},
    [SECTION_REGIONS] = {REGIONS, sizeof(struct region)},
    [SECTION_MODULES] = {MODULES, sizeof(struct module)},
    [SECTION_ROOTS] = {ROOTS, sizeof(struct root)},
    [SECTION_ROWS] = {ROWS, sizeof(struct row)},
};

static char *section(enum section_name name) { return base + header->sections[name].offset; }

bool table_open(const char *path, uint64_t mean, uint32_t flags) {
  uint64_t size = PAGE;
  uint64_t offsets[SECTION_COUNT];
  for (int i = 0; i < SECTION_COUNT; i++) {
    offsets[i] = size;
    size = (size + SIZES[i].capacity * SIZES[i].entry_bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
  }
  int fd = -1;
  if (path) {
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return false;
    if (ftruncate(fd, (off_t)size)) {
      close(fd);
      unlink(path);
      return false;
    }
  }
  char *memory = plain_map(size, fd);
  if (fd >= 0) close(fd);
  uint64_t index_bytes = ((1ull << STACK_BITS) + (1ull << FRAME_BITS)) * sizeof(uint32_t);
  void *index = plain_map(index_bytes, -1);
  if (!memory || !index) return false;
  base = memory;
  stack_index = index;
  frame_index = stack_index + (1u << STACK_BITS);
  struct header *made = (struct header *)base;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  made->file_bytes = size;
  made->start_epoch_ms = (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
  made->pid = (uint32_t)getpid();
  made->flags = flags;
  made->first_mean = mean;
  for (int i = 0; i < SECTION_COUNT; i++) {
    made->sections[i].offset = offsets[i];
    made->sections[i].capacity = SIZES[i].capacity;
    made->sections[i].entry_bytes = SIZES[i].entry_bytes;
  }
  header = made;
  samples = (struct sample *)section(SECTION_SAMPLES);
  stack_places = (_Atomic uint64_t *)section(SECTION_STACKS);
  arena = section(SECTION_ARENA);
  frames = (struct frame *)section(SECTION_FRAMES);
  classes = (struct class_entry *)section(SECTION_CLASSES);
  regions = (struct region *)section(SECTION_REGIONS);
  rows = (struct row *)section(SECTION_ROWS);
  roots = (struct root *)section(SECTION_ROOTS);
  arena_used = 64; /* so that 0 is no place */
  header->sections[SECTION_STACKS].count = 1;
  header->sections[SECTION_CLASSES].count = 1;
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

bool table_add(uintptr_t address, uint64_t size_and_shift, uint32_t stack, uint32_t born_ms) {
  struct sample *slot = window_of(address);
  for (int i = 0; i < WINDOW; i++, slot++) {
    uint64_t none = 0;
    if (atomic_load_explicit(&slot->address, memory_order_relaxed) || /* the compare-and-set decides */
        !atomic_compare_exchange_strong(&slot->address, &none, 1)) {
      continue;
    }
    slot->size_and_shift = size_and_shift;
    slot->stack = stack;
    slot->born_ms = born_ms;
    filter_add(address);
    atomic_store_explicit(&slot->address, address, memory_order_release); /* readers of the file see the fields */
    return true;
  }
  atomic_fetch_add_explicit(&header->unrecorded, 1, memory_order_relaxed); /* a figure */
  return false;
}

bool table_remove(uintptr_t address, struct sample *was) {
  struct sample *slot = window_of(address);
  for (int i = 0; i < WINDOW; i++, slot++) {
    /* Relaxed is enough: who frees the block got its address after the slot was filled, by whatever means the program used. */
    if (atomic_load_explicit(&slot->address, memory_order_relaxed) != address) continue;
    was->size_and_shift = slot->size_and_shift;
    was->stack = slot->stack;
    was->born_ms = slot->born_ms;
    atomic_store_explicit(&slot->address, 0, memory_order_release); /* after the fields were read */
    filter_remove(address);
    return true;
  }
  return false;
}

void table_clear(void) {
  for (uint32_t i = 0; i < 1u << SAMPLE_BITS; i++) atomic_store(&samples[i].address, 0);
  memset((void *)filter, 0, sizeof filter);
}

/* ---- the arena */

static uint64_t arena_take(uint64_t bytes) { /* 0: no room */
  uint64_t at = atomic_fetch_add(&arena_used, (bytes + 15) & ~15ull);
  return at + bytes <= ARENA_BYTES ? at : 0;
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
  uint64_t at = number && number < 1u << STACK_BITS ? atomic_load_explicit(&stack_places[number], memory_order_acquire) : 0;
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
  uint64_t at = arena_take(bytes);
  uint32_t number = at ? atomic_fetch_add(&header->sections[SECTION_STACKS].count, 1) : 0;
  if (!number || number >= 1u << STACK_BITS) return NULL;
  struct stack *made = (struct stack *)(arena + at);
  memcpy(made, wanted, sizeof *made);
  made->hash = hash;
  made->number = number;
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
    uint32_t number = atomic_load_explicit(&stack_index[i], memory_order_acquire);
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

uint32_t frame_of(uint64_t method, int32_t position) {
  uint64_t hash = mix(mix(HASH, method), (uint32_t)position);
  uint32_t mask = (1u << FRAME_BITS) - 1;
  uint32_t i = (uint32_t)(hash >> 32) & mask;
  uint32_t made = NO_FRAME;
  for (int probe = 0; probe < PROBES; probe++, i = (i + 1) & mask) {
    uint32_t known = atomic_load_explicit(&frame_index[i], memory_order_acquire);
    if (!known) {
      if (made == NO_FRAME) {
        made = atomic_fetch_add(&header->sections[SECTION_FRAMES].count, 1);
        if (made >= mask) return NO_FRAME;
        frames[made] = (struct frame){.method = method, .position = position, .line = -1};
      }
      if (atomic_compare_exchange_strong(&frame_index[i], &known, made + 1)) return made;
    }
    if (frames[known - 1].method == method && frames[known - 1].position == position) return known - 1;
  }
  return NO_FRAME;
}

uint32_t root_of(uint64_t method, uint32_t frame) {
  uint32_t mask = ROOTS - 1;
  uint32_t i = (uint32_t)(mix(HASH, method) >> 32) & mask;
  for (int probe = 0; probe < PROBES; probe++, i = (i + 1) & mask) {
    if (!i) continue;
    uint64_t known = atomic_load(&roots[i].method);
    if (!known && atomic_compare_exchange_strong(&roots[i].method, &known, method)) {
      roots[i].frame = frame;
      return i;
    }
    if (known == method) return i;
  }
  return 0;
}

uint32_t roots_in_use(void) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < ROOTS; i++) count += atomic_load_explicit(&roots[i].method, memory_order_relaxed) != 0; /* a figure */
  return count;
}

void root_is_collectors(uint64_t method) {
  uint32_t root = root_of(method, NO_FRAME);
  if (root) atomic_store(&roots[root].of_collector, 1);
}

uint32_t class_add(struct class_entry entry) {
  uint32_t number = atomic_load(&header->sections[SECTION_CLASSES].count); /* one thread adds */
  if (number >= CLASSES) return 0;
  classes[number] = entry;
  atomic_store_explicit(&header->sections[SECTION_CLASSES].count, number + 1, memory_order_release); /* the entry is whole */
  return number;
}

struct class_entry *class_at(uint32_t number) { return classes + number; }

/* ---- regions: rare, and kept in one array behind a lock */

static atomic_flag regions_locked = ATOMIC_FLAG_INIT;

static void lock_regions(void) {
  while (atomic_flag_test_and_set_explicit(&regions_locked, memory_order_acquire)) syscall(SYS_sched_yield);
}

static void unlock_regions(void) { atomic_flag_clear_explicit(&regions_locked, memory_order_release); }

static void put_region(uintptr_t begin, uint64_t bytes, uint32_t stack, uint32_t born_ms) {
  struct section *all = &header->sections[SECTION_REGIONS];
  uint32_t count = all->count;
  uint32_t i = 0;
  while (i < count && regions[i].begin) i++;
  if (i == REGIONS) {
    atomic_fetch_add_explicit(&header->full_regions, 1, memory_order_relaxed); /* a figure */
    return;
  }
  regions[i].bytes = bytes;
  regions[i].stack = stack;
  regions[i].born_ms = born_ms;
  atomic_store_explicit(&regions[i].begin, begin, memory_order_release); /* readers of the file see the fields */
  if (i == count) all->count = count + 1;
}

/* What of the regions lies within these bytes is gone; a region may lose its begin, its end or its middle. */
static void cut_regions(uintptr_t begin, size_t bytes) {
  uintptr_t end = begin + bytes;
  uint32_t count = header->sections[SECTION_REGIONS].count;
  for (uint32_t i = 0; i < count; i++) {
    struct region was = regions[i];
    uintptr_t was_end = was.begin + was.bytes;
    if (!was.begin || was_end <= begin || was.begin >= end) continue;
    atomic_store(&regions[i].begin, 0);
    if (was.begin < begin) put_region(was.begin, begin - was.begin, was.stack, was.born_ms);
    if (was_end > end) put_region(end, was_end - end, was.stack, was.born_ms);
  }
}

void region_add(uintptr_t begin, size_t bytes, uint32_t stack) {
  lock_regions();
  cut_regions(begin, bytes); /* MAP_FIXED replaces what was there */
  put_region(begin, bytes, stack, (uint32_t)now_ms());
  unlock_regions();
}

void region_remove(uintptr_t begin, size_t bytes) {
  if (!header->sections[SECTION_REGIONS].count) return;
  lock_regions();
  cut_regions(begin, bytes);
  unlock_regions();
}

/* ---- modules: one thread writes them */

static struct module *modules(void) { return (struct module *)section(SECTION_MODULES); }

void module_add(const struct module *module) {
  struct section *all = &header->sections[SECTION_MODULES];
  for (uint32_t i = 0; i < all->count; i++) {
    if (modules()[i].begin == module->begin && !modules()[i].gone_ms) return;
  }
  if (all->count == MODULES) return;
  modules()[all->count] = *module;
  atomic_store_explicit(&all->count, all->count + 1, memory_order_release); /* the entry is whole */
}

void modules_sweep(bool (*is_there)(uintptr_t)) {
  uint32_t count = header->sections[SECTION_MODULES].count;
  for (uint32_t i = 0; i < count; i++) {
    if (!modules()[i].gone_ms && !is_there(modules()[i].begin)) atomic_store(&modules()[i].gone_ms, (uint32_t)now_ms());
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
  if (count == ROWS) return 0;
  rows[count].frame = frame;
  rows[count].first_s = second;
  atomic_store_explicit(&all->count, count + 1, memory_order_release); /* the row is whole */
  return count + 1;
}

void rows_add(const uint64_t *bytes) {
  uint32_t count = header->sections[SECTION_ROWS].count;
  for (uint32_t i = 0; i < count; i++) {
    struct row *row = &rows[i];
    uint64_t kib = bytes[i] >> 10;
    row->by_second[row->seconds % ROW_SECONDS] = kib < UINT32_MAX ? (uint32_t)kib : UINT32_MAX;
    atomic_store_explicit(&row->seconds, row->seconds + 1, memory_order_release); /* the value is there */
    if (row->seconds % 60) continue;
    row->by_minute[row->minutes % ROW_MINUTES] = row->by_second[(row->seconds - 1) % ROW_SECONDS];
    atomic_store_explicit(&row->minutes, row->minutes + 1, memory_order_release);
  }
}
