/*
 * Leads the calls of loaded libraries to the hooks, by changing the slots through which a library calls functions of other libraries.
 *
 * A slot is an aligned word, so another thread calls the old function or the new one. It is changed only if it leads to the real function,
 * or is not bound yet (it leads into its own library); what leads to another allocator is left alone and counted. Slots in memory that the
 * loader made read-only are made writable for the moment. The loader's lists are walked with its lock held (dl_iterate_phdr), in which
 * nothing here allocates.
 *
 * A library that comes later is patched when somebody looks up a function (hook_dlsym), as all who load a library by hand do, and once a
 * second. One that goes takes its slots along.
 */
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core.h"

enum { SEEN = 4096, PAGE = 4096 };

#if defined(__x86_64__)
enum { SLOT_OF_CALL = R_X86_64_JUMP_SLOT, SLOT_OF_POINTER = R_X86_64_GLOB_DAT, SLOT_OF_DATA = R_X86_64_64 };
#else
enum { SLOT_OF_CALL = R_AARCH64_JUMP_SLOT, SLOT_OF_POINTER = R_AARCH64_GLOB_DAT, SLOT_OF_DATA = R_AARCH64_ABS64 };
#endif

_Atomic bool patching_on;
static atomic_flag patching = ATOMIC_FLAG_INIT; /* one thread at a time; another one goes on without waiting */
static uintptr_t seen[SEEN];                    /* where libraries begin that were walked */
static unsigned long long loads, unloads;       /* by the loader's count, at the last walk */
static _Atomic unsigned long long loads_seen;

struct image {
  uintptr_t bias, begin, end;
  uintptr_t locked_begin, locked_end; /* what the loader made read-only */
  const ElfW(Dyn) *dynamic;
};

static struct image image_of(const struct dl_phdr_info *info) {
  struct image image = {.bias = info->dlpi_addr, .begin = UINTPTR_MAX};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t from = info->dlpi_addr + part->p_vaddr;
    uintptr_t to = from + part->p_memsz;
    if (part->p_type == PT_DYNAMIC) image.dynamic = (const ElfW(Dyn) *)from;
    if (part->p_type == PT_GNU_RELRO) {
      image.locked_begin = from & ~(uintptr_t)(PAGE - 1);
      image.locked_end = to & ~(uintptr_t)(PAGE - 1);
    }
    if (part->p_type == PT_LOAD && from < image.begin) image.begin = from;
    if (part->p_type == PT_LOAD && to > image.end) image.end = to;
  }
  return image;
}

static bool write_slot(uintptr_t *slot, uintptr_t value, const struct image *image) {
  uintptr_t page = (uintptr_t)slot & ~(uintptr_t)(PAGE - 1);
  bool locked = page >= image->locked_begin && page < image->locked_end;
  if (locked && syscall(SYS_mprotect, page, PAGE, PROT_READ | PROT_WRITE)) return false;
  __atomic_store_n(slot, value, __ATOMIC_RELEASE);
  if (locked) syscall(SYS_mprotect, page, PAGE, PROT_READ);
  return true;
}

static void patch_slot(uintptr_t *slot, const struct hook *hook, const struct image *image, bool back) {
  uintptr_t mine = (uintptr_t)hook->mine;
  uintptr_t real = (uintptr_t)*hook->real;
  uintptr_t leads_to = __atomic_load_n(slot, __ATOMIC_RELAXED); /* nobody but the loader and we write it */
  if (!real || (leads_to == mine) != back) return;
  if (back) {
    write_slot(slot, real, image);
  } else if (leads_to != real && (leads_to < image->begin || leads_to >= image->end)) {
    atomic_fetch_add_explicit(&header->foreign, 1, memory_order_relaxed); /* figures */
  } else if (write_slot(slot, mine, image)) {
    atomic_fetch_add_explicit(&header->patched, 1, memory_order_relaxed);
  }
}

static const struct hook *hook_named(const char *name) {
  for (const struct hook *hook = hooks; hook->name; hook++) {
    if (!strcmp(name, hook->name)) return hook;
  }
  return NULL;
}

/* The JVM's own mappings and threads are not of interest, and the C library's mappings are those of its malloc. */
static bool is_wanted(const struct hook *hook, const char *library) {
  bool memory = strstr(hook->name, "map") != NULL;
  bool thread = !strcmp(hook->name, "pthread_create");
  return !(memory || thread) || (!strstr(library, "/libjvm.so") && !strstr(library, "/libc.so") && !strstr(library, "/libc.musl"));
}

static void patch_relocations(const ElfW(Rela) *relocations, size_t count, const ElfW(Sym) *symbols, const char *strings,
                              const struct image *image, const char *library, bool back) {
  for (size_t i = 0; i < count; i++) {
    unsigned type = ELF64_R_TYPE(relocations[i].r_info);
    unsigned symbol = ELF64_R_SYM(relocations[i].r_info);
    if (!symbol || (type != SLOT_OF_CALL && type != SLOT_OF_POINTER && type != SLOT_OF_DATA)) continue;
    if (type == SLOT_OF_DATA && relocations[i].r_addend) continue;
    const struct hook *hook = hook_named(strings + symbols[symbol].st_name);
    if (hook && is_wanted(hook, library)) {
      patch_slot((uintptr_t *)(image->bias + relocations[i].r_offset), hook, image, back);
    }
  }
}

/* Some loaders leave addresses of a library's dynamic section as they are in the file. */
static const void *address_in(const struct image *image, uintptr_t value) {
  return (const void *)(value >= image->begin ? value : value + image->bias);
}

static void patch_image(const struct image *image, const char *library, bool back) {
  const ElfW(Sym) *symbols = NULL;
  const char *strings = NULL;
  const ElfW(Rela) *of_calls = NULL, *of_data = NULL;
  size_t calls = 0, data = 0;
  bool has_addends = true;
  for (const ElfW(Dyn) *entry = image->dynamic; entry->d_tag != DT_NULL; entry++) {
    uintptr_t value = entry->d_un.d_ptr;
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = address_in(image, value); break;
      case DT_STRTAB: strings = address_in(image, value); break;
      case DT_JMPREL: of_calls = address_in(image, value); break;
      case DT_PLTRELSZ: calls = value / sizeof(ElfW(Rela)); break;
      case DT_PLTREL: has_addends = value == DT_RELA; break;
      case DT_RELA: of_data = address_in(image, value); break;
      case DT_RELASZ: data = value / sizeof(ElfW(Rela)); break;
      default: break;
    }
  }
  if (!symbols || !strings) return;
  if (of_calls && has_addends) patch_relocations(of_calls, calls, symbols, strings, image, library, back);
  if (of_data) patch_relocations(of_data, data, symbols, strings, image, library, back);
}

static bool was_seen(uintptr_t begin) {
  uint32_t i = (uint32_t)(begin >> 12) % SEEN;
  for (int probe = 0; probe < 64; probe++, i = (i + 1) % SEEN) {
    if (seen[i] == begin) return true;
    if (!seen[i]) {
      seen[i] = begin;
      return false;
    }
  }
  return false;
}

static int patch_library(struct dl_phdr_info *info, size_t size, void *back) {
  (void)size;
  const char *name = info->dlpi_name ? info->dlpi_name : "";
  struct image image = image_of(info);
  loads = info->dlpi_adds;
  bool is_loader = strstr(name, "/ld-") || strstr(name, "linux-vdso") || strstr(name, "linux-gate");
  bool is_own = own_begin >= image.begin && own_begin < image.end;
  if (image.dynamic && !is_loader && !is_own && !was_seen(image.begin)) patch_image(&image, name, *(bool *)back);
  return 0;
}

static int count_changes(struct dl_phdr_info *info, size_t size, void *changes) {
  (void)size;
  ((unsigned long long *)changes)[0] = info->dlpi_adds;
  ((unsigned long long *)changes)[1] = info->dlpi_subs;
  return 1;
}

void patch_new_libraries(void) {
  unsigned long long changes[2] = {0, 0};
  dl_iterate_phdr(count_changes, changes);
  if (changes[0] == atomic_load(&loads_seen) || atomic_flag_test_and_set(&patching)) return;
  self.inside++;
  if (changes[1] != unloads) { /* another library may stand where one was */
    memset(seen, 0, sizeof seen);
    unloads = changes[1];
  }
  bool back = false;
  dl_iterate_phdr(patch_library, &back);
  libraries_changed();
  atomic_store(&loads_seen, loads);
  self.inside--;
  atomic_flag_clear(&patching);
}

/* The library stays: a thread may be in a hook, and the program may have kept a pointer to one. */
void unpatch_libraries(void) {
  while (atomic_flag_test_and_set(&patching)) syscall(SYS_sched_yield);
  atomic_store(&patching_on, false);
  memset(seen, 0, sizeof seen);
  bool back = true;
  dl_iterate_phdr(patch_library, &back);
  memset(seen, 0, sizeof seen);
  atomic_store(&loads_seen, 0);
  atomic_flag_clear(&patching);
}
