/*
 * The tables alone: full windows, saturated counters, threads that bring the same stack, regions that are cut, a disk without room.
 * Linked with table.c and system.c.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/core.h"
#include "layout.h"

#define CHECK(what)                                             \
  do {                                                          \
    if (!(what)) {                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what); \
      exit(1);                                                  \
    }                                                           \
  } while (0)

/* Entries that a section has room for; a test with small tables sets other capacities. */
static uint32_t room(enum section_name name) { return (uint32_t)header->sections[name].capacity; }

static bool is_in_filter(uintptr_t address) { return filter[filter_index(address)] != 0; }

static void sample_that_was_added_is_removed_once(void) {
  struct sample was;
  CHECK(!is_in_filter(0x7000));
  CHECK(table_add(0x7000, 100, 7, 3));
  CHECK(is_in_filter(0x7000));
  CHECK(table_remove(0x7000, &was));
  CHECK(was.size_and_shift == 100 && was.stack == 7 && was.born_ms == 3);
  CHECK(!table_remove(0x7000, &was));
  CHECK(!is_in_filter(0x7000));
}

/* A free that was not seen left an entry. */
static void address_that_comes_again_replaces_its_sample(void) {
  struct sample was;
  CHECK(table_add(0x7000, 100, 7, 3) && table_add(0x7000, 200, 8, 4));
  CHECK(table_remove(0x7000, &was) && was.size_and_shift == 200 && was.stack == 8 && was.born_ms == 4);
  CHECK(!table_remove(0x7000, &was) && !is_in_filter(0x7000));
  CHECK(!table_remove(0, &was) && !table_remove(1, &was));
}

static void window_that_is_full_refuses_and_counts(void) {
  CHECK(table_add(0x10000, 1, 1, 0));
  struct sample was;
  uint64_t before = header->unrecorded;
  int refused = 0;
  /* Windows of 16 slots: each gets some 128 of these addresses. */
  for (uintptr_t address = 0x20000; address < 0x20000 + 128ull * room(SECTION_SAMPLES) && !refused; address += 16) {
    if (!table_add(address, 1, 1, 0)) refused++;
  }
  CHECK(refused == 1 && header->unrecorded == before + 1);
  table_clear();
  CHECK(!table_remove(0x10000, &was));
}

/* A counter that was full has lost count, so it stays: a block under it is looked up in vain, and none is missed. */
static void filter_that_was_full_stays(void) {
  struct sample was;
  uintptr_t one = 0x1000000;
  uint32_t index = filter_index(one);
  uintptr_t blocks[300];
  int count = 0;
  for (uintptr_t address = one; count < 300; address += 16) {
    if (filter_index(address) == index && table_add(address, 1, 1, 0)) blocks[count++] = address;
  }
  CHECK(filter[index] == 255);
  for (int i = 0; i < count; i++) CHECK(table_remove(blocks[i], &was));
  CHECK(filter[index] == 255);
  CHECK(table_add(0x7000, 1, 1, 0));
  table_clear();
  CHECK(filter[index] == 255 && !is_in_filter(0x7000) && !table_remove(0x7000, &was));
}

static void stack_that_is_brought_twice_is_one(void) {
  struct stack wanted = {.native_count = 2, .java_count = 1};
  uintptr_t native[] = {0x1111, 0x2222};
  uint32_t java[] = {5};
  struct stack *first = stack_at_line(&wanted, native, java);
  CHECK(first && first == stack_at_line(&wanted, native, java) && stack_of(first->number) == first);
  CHECK(stack_java(first)[0] == 5 && ((uintptr_t *)(first + 1))[1] == 0x2222);
  java[0] = 6;
  CHECK(first != stack_at_line(&wanted, native, java));
  CHECK(stack_of(0) == NULL && stack_of(room(SECTION_STACKS)) == NULL);
}

static void stack_without_room_is_counted(void) {
  struct stack wanted = {.native_count = 1};
  uint64_t before = header->full_stacks;
  for (uintptr_t i = 1; i < 2 * room(SECTION_STACKS); i++) stack_at_line(&wanted, &i, NULL);
  CHECK(header->full_stacks > before);
  CHECK(stacks_in_use() <= room(SECTION_STACKS));
  CHECK(table_string("there is room for names still") != 0);
}

static void frame_without_room_is_none(void) {
  uint32_t found = 0;
  uint32_t most = room(SECTION_FRAMES);
  for (uint64_t method = 1000; method < 1000 + 3 * most; method++) found += frame_of(method, 0) != NO_FRAME;
  CHECK(found > most / 10 * 8 && found < most);
  CHECK(header->sections[SECTION_FRAMES].count < most);
}

static void root_gets_its_frame_later(void) {
  root_is_collectors(77);
  uint32_t root = root_of(77, NO_FRAME);
  struct root *all = (struct root *)((char *)header + header->sections[SECTION_ROOTS].offset);
  CHECK(root && all[root].frame == NO_FRAME && all[root].of_collector == 1);
  CHECK(root_of(77, 5) == root && all[root].frame == 5 && root_of(77, 6) == root && all[root].frame == 5);
}

/* Bytes behind the end of a file are as those for which a disk has no room: touching them raises SIGBUS. */
static void disk_without_room_is_counted(const char *path) {
  CHECK(table_open(path, 1024, 0) && !truncate(path, 4096));
  struct stack wanted = {.native_count = 1};
  uintptr_t native = 5;
  static const uint32_t constant = 1;
  CHECK(!table_add(0x123450, 1, 1, 0) && !stack_at_line(&wanted, &native, NULL) && frame_of(9, 9) == NO_FRAME);
  CHECK(!table_string("text") && !class_add(&(struct class_entry){.name = 1}));
  region_add(0x10000, 0x1000, 1);
  CHECK(header->full_regions == 1 && header->full_disk >= 6);
  CHECK(!can_write((char *)header + 8192) && can_write(header) && !can_write(&constant) && !can_write(NULL));
  unlink(path);
}

static uint64_t mapped(uintptr_t begin) {
  struct region *all = (struct region *)((char *)header + header->sections[SECTION_REGIONS].offset);
  for (uint32_t i = 0; i < header->sections[SECTION_REGIONS].count; i++) {
    if (all[i].begin == begin) return all[i].bytes;
  }
  return 0;
}

static void region_that_is_cut_keeps_its_ends(void) {
  region_add(0x100000, 0x10000, 1);
  region_remove(0x104000, 0x4000);
  CHECK(mapped(0x100000) == 0x4000 && mapped(0x108000) == 0x8000);
  region_add(0x102000, 0x8000, 2); /* over the end of one, the gap, and the begin of the other */
  CHECK(mapped(0x100000) == 0x2000 && mapped(0x102000) == 0x8000 && mapped(0x10a000) == 0x6000);
  region_remove(0, 0x200000);
  CHECK(!mapped(0x100000) && !mapped(0x102000) && !mapped(0x10a000));
  region_add(0x100000, 5000, 1); /* the kernel takes and gives whole pages */
  region_remove(0x100000, 4097);
  CHECK(!mapped(0x100000) && !mapped(0x101000));
  uint32_t most = room(SECTION_REGIONS);
  for (uintptr_t i = 0; i < most + 900; i++) region_add(0x1000000 + i * 0x2000, 0x1000, 1);
  CHECK(header->full_regions == 900);
  region_remove(0, UINTPTR_MAX / 2);
}

static bool same_frame(uint32_t a, uint32_t b) { return a == b; }

static void row_keeps_its_last_values(void) {
  uint32_t row = row_for(3, 10, same_frame);
  CHECK(row == 1 && row_for(3, 11, same_frame) == 1 && row_for(4, 11, same_frame) == 2);
  uint64_t bytes[64] = {0};
  for (uint64_t s = 0; s < 700; s++) {
    bytes[0] = s << 10;
    rows_add(bytes, 1);
  }
  struct row *rows = (struct row *)((char *)header + header->sections[SECTION_ROWS].offset);
  CHECK(rows[0].seconds == 700 && rows[0].by_second[99] == 699 && rows[0].minutes == 11 && rows[0].by_minute[10] == 659);
}

/* Four threads add and remove blocks of their own, and bring the same stacks and frames. */
static void *work(void *seed) {
  uint32_t random = (uint32_t)(uintptr_t)seed;
  uintptr_t mine[256] = {0};
  for (int i = 0; i < 300000; i++) {
    random = random * 1664525u + 1013904223u;
    uintptr_t *slot = &mine[random >> 24];
    struct sample was;
    if (*slot) {
      CHECK(table_remove(*slot, &was) && was.size_and_shift == *slot);
      *slot = 0;
    } else {
      uintptr_t address = ((uintptr_t)(uint32_t)(uintptr_t)seed << 40) + ((uintptr_t)i << 4);
      if (table_add(address, address, 1, 0)) *slot = address;
    }
    if (i % 64) continue;
    region_add(((uintptr_t)seed << 40) + 4096, 4096, 1);
    region_remove(((uintptr_t)seed << 40) + 4096, 4096);
    CHECK(root_of(random % 50 + 1, 3));
    struct stack wanted = {.native_count = 1};
    uintptr_t native = random % 50 + 1;
    struct stack *stack = stack_at_line(&wanted, &native, NULL);
    CHECK(!stack || *(uintptr_t *)(stack + 1) == native);
    uint32_t frame = frame_of(random % 50 + 1, 2);
    CHECK(frame_at(frame)->method == random % 50 + 1);
  }
  return NULL;
}

static void threads_that_work_at_once_lose_nothing(void) {
  pthread_t threads[4];
  for (uintptr_t i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

int main(void) {
  char path[] = "/tmp/offcut-table-XXXXXX";
  system_begins();
  close(mkstemp(path));
  CHECK(!table_open(path, 1024, 0)); /* there is such a file already */
  unlink(path);
  CHECK(table_open(path, 1024, 0));
  CHECK(!memcmp(header->magic, LAYOUT_MAGIC, 8));
  sample_that_was_added_is_removed_once();
  address_that_comes_again_replaces_its_sample();
  filter_that_was_full_stays();
  stack_that_is_brought_twice_is_one();
  region_that_is_cut_keeps_its_ends();
  row_keeps_its_last_values();
  root_gets_its_frame_later();
  threads_that_work_at_once_lose_nothing();
  window_that_is_full_refuses_and_counts();
  stack_without_room_is_counted();
  frame_without_room_is_none();
  unlink(path);
  disk_without_room_is_counted(path);
  puts("table_test: ok");
  return 0;
}
