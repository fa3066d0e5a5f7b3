/*
 * Leads the calls of loaded libraries to the hooks, by changing the slots through which a library calls functions of other libraries.
 *
 * A slot is an aligned word, so another thread calls the old function or the new one. What may be changed:
 *
 *   it leads to the real function      changed
 *   it is not bound yet                changed, unless another slot of this library leads to another allocator: then this one might, too
 *   the loader has not come to it      not yet; the library is walked again
 *   anything else                      left alone and counted: another allocator, another profiler, the library's own function
 *
 * The library that has the process's malloc is left alone, too, unless it is the C library: its mappings are what malloc hands out.
 *
 * Memory that the loader made read-only is made writable for the moment, but only if it is read-only now: a profiler that made it writable
 * would else crash later. What cannot be written is left. The loader's list is walked with its lock held (dl_iterate_phdr), so that no
 * library goes meanwhile; nothing here allocates or waits under it.
 *
 * A library that comes later is patched when somebody looks up a function (hook_dlsym), as all who load a library by hand do, and once a
 * second. One that goes takes its slots along. While a thread binds a slot, it may overwrite the hook: so the sampler's thread walks all
 * libraries again a second after something changed.
 *
 * Threads: patch_new_libraries by any; the flag `patching` lets one in, and the others go on without waiting. unpatch_libraries by the
 * thread that detaches; it waits for the flag. `seen` and the counts belong to who holds the flag.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core.h"
#include "elf.h"

enum { SEEN = 4096, MOST_RETRIES = 30, UNPATCH_MS = 2000 };

_Atomic bool patching_on;
static atomic_flag patching = ATOMIC_FLAG_INIT;
static uintptr_t seen[SEEN];              /* where libraries begin that were walked */
static unsigned long long loads, unloads; /* by the loader's count, at the last walk */
static _Atomic unsigned long long loads_seen;
static int retries; /* in a row, because of libraries that were being loaded */

struct walk {
  const struct image *image;
  bool maps_and_threads; /* these hooks are for this library */
  bool back;             /* the real pointers come back */
  bool has_foreign;
  bool unfinished;
  uint64_t patched, foreign; /* slots */
};

static const struct hook *hook_named(const char *name) {
  for (const struct hook *hook = hooks; hook->name; hook++) {
    if (*name == *hook->name && !strcmp(name, hook->name)) return hook;
  }
  return NULL;
}

static const struct hook *hook_for(const struct slot *slot, const struct walk *walk) {
  const struct hook *hook = hook_named(slot->name);
  if (!hook || !*hook->real) return NULL;
  bool map_or_thread = strstr(hook->name, "map") || !strcmp(hook->name, "pthread_create");
  return map_or_thread && !walk->maps_and_threads ? NULL : hook;
}

enum leads { LEADS_TO_REAL, LEADS_TO_HOOK, LEADS_NOWHERE_YET, NOT_RELOCATED, LEADS_ELSEWHERE };

static enum leads where(const struct slot *slot, const struct hook *hook, const struct image *image) {
  uintptr_t to = __atomic_load_n(slot->at, __ATOMIC_RELAXED); /* the value alone decides, it guards nothing */
  if (to == (uintptr_t)hook->mine) return LEADS_TO_HOOK;
  if (to == (uintptr_t)*hook->real) return LEADS_TO_REAL;
  if (slot->is_defined) return LEADS_ELSEWHERE;
  if (!to) return NOT_RELOCATED;
  bool inside = to >= image->begin && to < image->end;
  if (inside) return slot->is_of_call ? LEADS_NOWHERE_YET : LEADS_ELSEWHERE;
  return slot->is_of_call && to + image->bias >= image->begin && to + image->bias < image->end ? NOT_RELOCATED : LEADS_ELSEWHERE;
}

static bool write_slot(uintptr_t *slot, uintptr_t value, const struct image *image) {
  uintptr_t page = (uintptr_t)slot & ~(uintptr_t)(page_bytes - 1);
  bool locked = !can_write(slot);
  if (locked && (page < image->locked_begin || page >= image->locked_end)) return false;
  if (locked && syscall(SYS_mprotect, page, page_bytes, PROT_READ | PROT_WRITE)) return false;
  __atomic_store_n(slot, value, __ATOMIC_RELEASE); /* a caller finds the hooks as they were filled before */
  if (locked) syscall(SYS_mprotect, page, page_bytes, PROT_READ);
  return true;
}

static void judge(const struct slot *slot, void *walk_given) {
  struct walk *walk = walk_given;
  const struct hook *hook = hook_for(slot, walk);
  enum leads leads = hook ? where(slot, hook, walk->image) : LEADS_TO_REAL;
  if (leads == LEADS_ELSEWHERE) walk->has_foreign = true;
  if (leads == NOT_RELOCATED) walk->unfinished = true;
}

static void patch(const struct slot *slot, void *walk_given) {
  struct walk *walk = walk_given;
  const struct hook *hook = hook_for(slot, walk);
  if (!hook) return;
  enum leads leads = where(slot, hook, walk->image);
  bool may_lead_here = leads == LEADS_TO_REAL || (leads == LEADS_NOWHERE_YET && !walk->has_foreign);
  if (walk->back) {
    if (leads == LEADS_TO_HOOK) write_slot(slot->at, (uintptr_t)*hook->real, walk->image);
    return;
  }
  walk->foreign += leads == LEADS_ELSEWHERE;
  walk->patched += leads == LEADS_TO_HOOK || (may_lead_here && write_slot(slot->at, (uintptr_t)hook->mine, walk->image));
}

static bool was_seen(uintptr_t begin) {
  uint32_t i = (uint32_t)(begin >> 12) % SEEN;
  for (int probe = 0; probe < 64 && seen[i]; probe++, i = (i + 1) % SEEN) {
    if (seen[i] == begin) return true;
  }
  return false;
}

static void see(uintptr_t begin) { /* without room it is walked each time */
  uint32_t i = (uint32_t)(begin >> 12) % SEEN;
  for (int probe = 0; probe < 64; probe++, i = (i + 1) % SEEN) {
    if (seen[i]) continue;
    seen[i] = begin;
    return;
  }
}

static int patch_library(struct dl_phdr_info *info, size_t size UNUSED, void *walk_given) {
  struct walk *all = walk_given;
  const char *name = info->dlpi_name ? info->dlpi_name : "";
  struct image image;
  loads = info->dlpi_adds;
  if (strstr(name, "/ld-") || strstr(name, "linux-vdso")) return 0;
  if (!image_of(info->dlpi_phdr, info->dlpi_phnum, info->dlpi_addr, page_bytes, &image) || was_seen(image.begin)) return 0;
  bool has_malloc = image_has(&image, (uintptr_t)*hooks->real, 1, 0);
  struct walk walk = {&image, !is_c_library(name) && !strstr(name, "/libjvm.so"), all->back, false, false, 0, 0};
  if (!image_has(&image, own_begin, 1, 0) && (!has_malloc || is_c_library(name))) {
    image_slots(&image, judge, &walk);
    image_slots(&image, patch, &walk);
  }
  all->unfinished |= walk.unfinished;
  all->patched += walk.patched;
  all->foreign += walk.foreign;
  if (!walk.unfinished) see(image.begin);
  return 0;
}

static int count_changes(struct dl_phdr_info *info, size_t size UNUSED, void *changes) {
  ((unsigned long long *)changes)[0] = info->dlpi_adds;
  ((unsigned long long *)changes)[1] = info->dlpi_subs;
  return 1;
}

static void walk_all(unsigned long long removed, bool all_again) {
  if (removed != unloads || all_again) { /* another library may stand where one was */
    memset(seen, 0, sizeof seen);
    unloads = removed;
  }
  struct walk walk = {NULL, false, false, false, false, 0, 0};
  dl_iterate_phdr(patch_library, &walk);
  /* A library that went is counted until all are counted again. */
  atomic_store(&header->patched, walk.patched + (all_again ? 0 : header->patched));
  atomic_store(&header->foreign, walk.foreign + (all_again ? 0 : header->foreign));
  libraries_changed();
  retries = walk.unfinished ? retries + 1 : 0;
  atomic_store(&loads_seen, walk.unfinished && retries < MOST_RETRIES ? 0 : loads);
}

void patch_new_libraries(bool all_again) {
  if (!atomic_load(&patching_on) || is_child()) return;
  int error = errno;
  unsigned long long changes[2] = {0, 0};
  self.inside++;
  dl_iterate_phdr(count_changes, changes);
  if ((changes[0] != atomic_load(&loads_seen) || all_again) && !atomic_flag_test_and_set(&patching)) {
    if (atomic_load(&patching_on)) walk_all(changes[1], all_again); /* else it was detached meanwhile */
    atomic_flag_clear(&patching);
  }
  self.inside--;
  errno = error;
}

static bool may_patch(void) { return !atomic_flag_test_and_set(&patching); }

/* The library stays: a thread may be in a hook, and the program may have kept a pointer to one. */
bool unpatch_libraries(void) {
  atomic_store(&patching_on, false);
  if (!wait_until(may_patch, UNPATCH_MS)) return false;
  memset(seen, 0, sizeof seen);
  struct walk walk = {NULL, false, true, false, false, 0, 0};
  dl_iterate_phdr(patch_library, &walk);
  memset(seen, 0, sizeof seen);
  atomic_store(&header->patched, 0);
  atomic_store(&loads_seen, 0);
  atomic_flag_clear(&patching);
  return true;
}
