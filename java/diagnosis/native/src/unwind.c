/*
 * Native stacks: by the unwind tables of libraries; in the JVM's own code by frame pointers, which it keeps; in Go's code by those that Go
 * keeps on a goroutine's stack.
 *
 * The list of libraries is our own, since the C library's may only be walked with the loader's lock. It is replaced as a whole by the
 * thread that patches (patch.c), and an old one stays for readers that are still in it: of two lists, the one that is not in use is
 * filled. A reader would have to stand in a list during two changes to see a mixture, which costs it a wrong name and nothing else.
 */
#include "core.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

enum { LIBRARIES = 2048, DEPTH = 14, PAGE = 4096 };

enum library_kind { LIBRARY_OTHER, LIBRARY_OF_C };

struct library {
  uintptr_t begin, end;
  enum library_kind kind;
};

struct library_list {
  int count;
  struct library of[LIBRARIES];
};

static struct library_list lists[2];
static _Atomic(struct library_list *) libraries = &lists[0];
static _Atomic uintptr_t jvm_begin, jvm_end, program_begin, program_end;
uintptr_t own_begin, own_end;

static bool has(const char *name, const char *part) { return strstr(name, part) != NULL; }

static void extent_of(const struct dl_phdr_info *info, uintptr_t *begin, uintptr_t *end) {
  *begin = UINTPTR_MAX;
  *end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    uintptr_t to = from + info->dlpi_phdr[i].p_memsz;
    if (from < *begin) *begin = from;
    if (to > *end) *end = to;
  }
}

static int add_library(struct dl_phdr_info *info, size_t size, void *list_given) {
  (void)size;
  struct library_list *list = list_given;
  uintptr_t begin, end;
  extent_of(info, &begin, &end);
  if (!end || list->count == LIBRARIES) return 0;
  const char *name = info->dlpi_name ? info->dlpi_name : "";
  bool of_c = has(name, "/libc.so") || has(name, "/libc.musl") || has(name, "/ld-") || has(name, "/libpthread");
  if (has(name, "/libjvm.so")) {
    jvm_begin = begin;
    jvm_end = end;
  }
  if (list->count == 0) { /* the first is the program */
    program_begin = begin;
    program_end = end;
  }
  if ((uintptr_t)&add_library >= begin && (uintptr_t)&add_library < end) {
    own_begin = begin;
    own_end = end;
  }
  list->of[list->count++] = (struct library){begin, end, of_c ? LIBRARY_OF_C : LIBRARY_OTHER};
  return 0;
}

void libraries_changed(void) {
  struct library_list *unused = atomic_load(&libraries) == &lists[0] ? &lists[1] : &lists[0];
  unused->count = 0;
  dl_iterate_phdr(add_library, unused);
  atomic_store(&libraries, unused);
}

static bool is_there(uintptr_t begin) {
  const struct library_list *list = atomic_load(&libraries);
  for (int i = 0; i < list->count; i++) {
    if (list->of[i].begin == begin) return true;
  }
  return false;
}

static void read_build_id(const struct dl_phdr_info *info, struct module *module) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_NOTE) continue;
    const char *at = (const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    const char *end = at + info->dlpi_phdr[i].p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
      const char *name = at + sizeof *note;
      const char *content = name + ((note->n_namesz + 3) & ~3u);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4) && note->n_descsz <= sizeof module->build_id) {
        memcpy(module->build_id, content, note->n_descsz);
        module->build_id_bytes = note->n_descsz;
        return;
      }
      at = content + ((note->n_descsz + 3) & ~3u);
    }
  }
}

static int note_module(struct dl_phdr_info *info, size_t size, void *first) {
  (void)size;
  struct module module;
  memset(&module, 0, sizeof module);
  uintptr_t begin, end;
  extent_of(info, &begin, &end);
  if (!end) return 0;
  module.begin = begin;
  module.end = end;
  module.bias = info->dlpi_addr;
  char path[4096];
  const char *name = info->dlpi_name;
  if (*(bool *)first) { /* the program has no name here */
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    name = path;
    *(bool *)first = false;
  }
  module.path = name && *name ? table_string(name) : 0;
  read_build_id(info, &module);
  module_add(&module);
  return 0;
}

/* Written when libraries came or went; a name takes room in the arena only then. */
void note_modules(void) {
  static const struct library_list *noted;
  if (noted == atomic_load(&libraries)) return;
  noted = atomic_load(&libraries);
  bool first = true;
  dl_iterate_phdr(note_module, &first);
  modules_sweep(is_there);
}

static const struct library *library_of(uintptr_t pc) {
  const struct library_list *list = atomic_load_explicit(&libraries, memory_order_acquire); /* its entries are whole */
  for (int i = 0; i < list->count; i++) {
    if (pc >= list->of[i].begin && pc < list->of[i].end) return &list->of[i];
  }
  return NULL;
}

bool in_library(uintptr_t pc) { return library_of(pc) != NULL; }

bool in_native_library(uintptr_t pc) {
  const struct library *found = library_of(pc);
  return found && found->kind != LIBRARY_OF_C && found->begin != own_begin;
}

bool in_jvm(uintptr_t pc) { return pc >= jvm_begin && pc < jvm_end; }

uintptr_t first_library(const struct native_stack *stack) {
  for (int i = 0; i < stack->count; i++) {
    const struct library *found = library_of(stack->pc[i] - 1);
    if (found && found->kind != LIBRARY_OF_C) return found->begin;
  }
  return 0;
}

#if defined(__x86_64__)
enum { FRAME_POINTER = 6 };
#elif defined(__aarch64__)
enum { FRAME_POINTER = 29 };
#else
#error "x86-64 and aarch64 only"
#endif

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *stack_given) {
  struct native_stack *stack = stack_given;
  uintptr_t pc = _Unwind_GetIP(context);
  if (!pc) return _URC_END_OF_STACK;
  if (pc >= own_begin && pc < own_end) return _URC_NO_REASON;
  if (stack->count == DEPTH) {
    stack->cut = true;
    return _URC_END_OF_STACK;
  }
  stack->pc[stack->count++] = pc;
  stack->last_pc = pc;
  stack->last_sp = _Unwind_GetCFA(context);
  stack->last_fp = _Unwind_GetGR(context, FRAME_POINTER);
  return _URC_NO_REASON;
}

static bool is_mapped(uintptr_t address, size_t bytes, uintptr_t *known_page) {
  unsigned char resident[2];
  for (uintptr_t page = address & ~(uintptr_t)(PAGE - 1); page < address + bytes; page += PAGE) {
    if (page == *known_page) continue;
    if (mincore((void *)page, PAGE, resident)) return false;
    *known_page = page;
  }
  return true;
}

/* Where unwind data ends at Go's code, the frame pointer is the goroutine's: C functions restored it. */
static void walk_go(struct native_stack *stack) {
  uintptr_t frame = stack->last_fp;
  uintptr_t page = 1;
  while (stack->count < NATIVE_FRAMES && frame && frame % 8 == 0 && is_mapped(frame, 16, &page)) {
    uintptr_t next = ((uintptr_t *)frame)[0];
    uintptr_t pc = ((uintptr_t *)frame)[1];
    if (pc < program_begin || pc >= program_end) return;
    stack->pc[stack->count++] = pc;
    if (next <= frame || next - frame > 1 << 20) return;
    frame = next;
  }
}

/* The JVM's code has frame pointers, and walking them is much cheaper than its unwind tables. */
static bool walk_jvm(struct native_stack *stack, uintptr_t caller, uintptr_t *frame) {
  if (!in_jvm(caller)) return false;
  uintptr_t lowest = (uintptr_t)frame;
  stack->pc[stack->count++] = caller;
  while (stack->count < DEPTH && (uintptr_t)frame >= lowest && (uintptr_t)frame < lowest + (256 << 10) && (uintptr_t)frame % 8 == 0) {
    uintptr_t *next = (uintptr_t *)frame[0];
    uintptr_t pc = frame[1];
    if (!pc) break;
    stack->pc[stack->count++] = pc;
    stack->last_pc = pc;
    if (!in_jvm(pc) || next <= frame) break;
    frame = next;
  }
  return true;
}

void unwind(struct native_stack *stack) {
  stack->count = 0;
  stack->cut = false;
  stack->last_pc = stack->last_sp = stack->last_fp = 0;
  (void)walk_jvm; /* needs the hook's frame; see below */
  _Unwind_Backtrace(add_frame, stack);
  if (header->flags & FLAG_GO) walk_go(stack);
}
