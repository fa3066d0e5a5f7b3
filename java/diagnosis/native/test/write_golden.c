/*
 * Writes a table with known contents, by which readers in other languages are tested: write_golden FILE. Its sections are small; a reader
 * takes their sizes from the header. Linked with table.c and system.c, and built with the capacities that native.sh names.
 *
 *   stack 1  malloc  2 native frames, Engine.open (line 42) < App.main (line 7); 3,000,000 B live of 5,000,000; freed by App.main's thread
 *            and by a helper of the collector; samples of 524,288 B and of 100 B (mean doubled once)
 *   stack 2  mapped  1 native frame, no Java frames: thread "worker-#", creator 1, hint 1, cut off
 *   region   0x7f0000100000, 65,536 B, of stack 2
 *   row      App.main, from second 3: 1,024 and 2,048 KiB
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/core.h"
#include "layout.h"

static uint32_t add_class(const char *name, const char *file, const char *source) {
  struct class_entry entry = {table_string(name), file ? table_string(file) : 0, source ? table_string(source) : 0, 0};
  return class_add(&entry);
}

static uint32_t add_frame(uint64_t method, int32_t position, uint32_t class_number, const char *name, int32_t line) {
  uint32_t number = frame_of(method, position);
  struct frame *frame = frame_at(number);
  frame->name = table_string(name);
  frame->line = line;
  frame->class_number = class_number;
  return number;
}

static bool same(uint32_t a, uint32_t b) { return a == b; }

static void add_module(uintptr_t begin, uintptr_t end, const char *path, const char *id) {
  struct module module = {.begin = begin, .end = end, .bias = begin, .path = table_string(path), .build_id_bytes = 20};
  memcpy(module.build_id, id, 20);
  module_add(&module);
}

static void add_stacks(void) {
  uint32_t engine = add_class("app.Engine", "Engine.java", "file:/app.jar");
  uint32_t app = add_class("app.App", "App.java", "file:/app.jar");
  uint32_t cleaner = add_class("java.lang.ref.Finalizer$FinalizerThread", "Finalizer.java", NULL);
  uint32_t open = add_frame(0x1001, -3, engine, "open", 42);
  uint32_t main_frame = add_frame(0x1002, 12, app, "main", 7);
  uint32_t run = add_frame(0x1003, 4, cleaner, "run", 170);
  add_frame(0x1004, 1, 0, "", -1); /* of a class that was unloaded */

  struct stack wanted = {.kind = KIND_MALLOC, .native_count = 2, .java_count = 2};
  struct stack *first = stack_at_line(&wanted, (uintptr_t[]){0x7f0000001234, 0x7f0000002345}, (uint32_t[]){open, main_frame});
  first->live_bytes = 3000000;
  first->allocated_bytes = 5000000;
  first->allocations = 9;
  first->freed_elsewhere = 500000;
  uint32_t of_main = root_of(0x1002, main_frame), of_cleaner = root_of(0x1003, run);
  root_is_collectors(0x1003);
  first->freers[0].root = of_main + 1;
  first->freers[0].bytes = 1000000;
  first->freers[0].byte_ms = 250000000;
  first->freers[1].root = of_cleaner + 1;
  first->freers[1].bytes = 500000;
  first->freers[1].byte_ms = 1000000000;
  first->first_ms = 0;
  first->row = row_for(main_frame, 3, same);
  rows_add((uint64_t[]){1 << 20}, 1);
  rows_add((uint64_t[]){2 << 20}, 1);
  table_add(0x7f0000200010, 524288, first->number, 1500);
  table_add(0x7f0000300020, 100 | 1ull << 56, first->number, 2500);

  struct stack mapped = {.kind = KIND_MAPPED, .native_count = 1, .depth_cut = 1, .thread = "worker-#", .creator = 1, .hint = 1};
  struct stack *second = stack_at_line(&mapped, (uintptr_t[]){0x7f0000003456}, NULL);
  second->first_ms = 0;
  region_add(0x7f0000100000, 65536, second->number);
}

int main(int count, char **words) {
  system_begins();
  if (count != 2 || !table_open(words[1], 524288, FLAG_JVM)) {
    fprintf(stderr, "write_golden FILE: a new file\n");
    return 1;
  }
  header->start_epoch_ms = 1700000000000;
  header->pid = 4242;
  header->main_class = table_string("app.App");
  header->main_source = table_string("file:/app.jar");
  header->mean_shift = 1;
  header->state = STATE_ENDED;
  header->now_ms = 5000;
  header->sampled = 11;
  header->unrecorded = 1;
  header->without_stack = 2;
  header->full_stacks = 3;
  header->full_regions = 4;
  header->own_ns = 123456;
  header->patched = 57;
  header->foreign = 5;
  header->full_disk = 6;
  add_module(0x7f0000000000, 0x7f0000003000, "/lib/libengine.so", "0123456789abcdefghij");
  add_module(0x7f0000003000, 0x7f0000004000, "/lib/libworker.so", "jihgfedcba9876543210");
  add_stacks();
  struct region *region = (struct region *)((char *)header + header->sections[SECTION_REGIONS].offset);
  region->born_ms = 2000;
  return 0;
}
