/*
 * Native stacks: by the unwind tables of libraries; in Go's code by the frame pointers that Go keeps on a goroutine's stack.
 *
 * The list of libraries is our own, since the C library's may only be walked with the loader's lock. It is replaced as a whole by the
 * thread that patches (patch.c), and an old one stays for readers that are still in it: of two lists, the one that is not in use is
 * filled. A reader would have to stand in a list during two changes to see a mixture, which costs it a wrong name and nothing else.
 *
 * Threads: unwind and the questions about addresses by any, in hooks. The unwinder takes the loader's lock on C libraries before glibc
 * 2.35; that lock is recursive, and nobody allocates from another thread's memory under it. LLVM's calls dlsym, too, the first time it
 * unwinds. In a hook that dlerror called, this would free what dlerror holds, so unwind_begins is called before samples are taken.
 * libraries_changed by who holds the flag of patch.c, or by the thread that starts; note_modules by the sampler's or the one that starts.
 */
#include "core.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include "elf.h"

enum { LIBRARIES = 2048, DEPTH = 14 };

enum library_kind { LIBRARY_OTHER, LIBRARY_OF_C };

/* All relaxed: the pointer to the list orders them, and a reader that comes late may see a mixture, as said above. */
struct library {
  _Atomic uintptr_t begin, end;
  _Atomic enum library_kind kind;
};

struct library_list {
  _Atomic int count;
  struct library of[LIBRARIES];
};

static struct library_list lists[2];
static _Atomic(struct library_list *) libraries = &lists[0];
static _Atomic uintptr_t jvm_begin, jvm_end, program_begin, program_end;
uintptr_t own_begin, own_end;

static uintptr_t relaxed(const _Atomic uintptr_t *value) { return atomic_load_explicit(value, memory_order_relaxed); } /* see above */

static bool has(const char *name, const char *part) { return strstr(name, part) != NULL; }

bool is_c_library(const char *name) {
  return has(name, "/libc.so") || has(name, "/libc.musl") || has(name, "/libc-2.") || has(name, "/ld-") || has(name, "/libpthread");
}

static int add_library(struct dl_phdr_info *info, size_t size UNUSED, void *list_given) {
  struct library_list *list = list_given;
  struct image image;
  int count = atomic_load_explicit(&list->count, memory_order_relaxed); /* one thread fills a list */
  if (!image_of(info->dlpi_phdr, info->dlpi_phnum, info->dlpi_addr, page_bytes, &image) || count == LIBRARIES) return 0;
  const char *name = info->dlpi_name ? info->dlpi_name : "";
  if (has(name, "/libjvm.so")) {
    jvm_begin = image.begin;
    jvm_end = image.end;
  }
  if (count == 0) { /* the first is the program */
    program_begin = image.begin;
    program_end = image.end;
  }
  if (!own_end && image_has(&image, (uintptr_t)&add_library, 1, 0)) {
    own_begin = image.begin;
    own_end = image.end;
  }
  struct library *library = &list->of[count];
  atomic_store_explicit(&library->begin, image.begin, memory_order_relaxed); /* libraries_changed publishes the list */
  atomic_store_explicit(&library->end, image.end, memory_order_relaxed);
  atomic_store_explicit(&library->kind, is_c_library(name) ? LIBRARY_OF_C : LIBRARY_OTHER, memory_order_relaxed);
  atomic_store_explicit(&list->count, count + 1, memory_order_relaxed);
  return 0;
}

void libraries_changed(void) {
  struct library_list *unused = atomic_load(&libraries) == &lists[0] ? &lists[1] : &lists[0];
  atomic_store(&unused->count, 0);
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

static int note_module(struct dl_phdr_info *info, size_t size UNUSED, void *first) {
  struct image image;
  bool is_program = *(bool *)first;
  *(bool *)first = false;
  if (!image_of(info->dlpi_phdr, info->dlpi_phnum, info->dlpi_addr, page_bytes, &image) || module_is_noted(image.begin)) return 0;
  struct module module = {.begin = image.begin, .end = image.end, .bias = image.bias};
  char path[4096];
  const char *name = info->dlpi_name;
  if (is_program) { /* it has no name here */
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    name = path;
  }
  module.path = name && *name ? table_string(name) : 0;
  module.build_id_bytes = (uint32_t)image_build_id(&image, module.build_id, sizeof module.build_id);
  module_add(&module);
  return 0;
}

static const struct library_list *noted;

void modules_begin(void) { noted = NULL; }

/* Those that went, first: another may stand where one was. */
void note_modules(void) {
  if (noted == atomic_load(&libraries)) return;
  noted = atomic_load(&libraries);
  bool first = true;
  modules_sweep(is_there);
  dl_iterate_phdr(note_module, &first);
}

static const struct library *library_of(uintptr_t pc) {
  const struct library_list *list = atomic_load_explicit(&libraries, memory_order_acquire); /* its entries are whole */
  int count = atomic_load_explicit(&list->count, memory_order_relaxed);                     /* see above */
  for (int i = 0; i < count; i++) {
    if (pc >= relaxed(&list->of[i].begin) && pc < relaxed(&list->of[i].end)) return &list->of[i];
  }
  return NULL;
}

static bool is_of_c(const struct library *library) {
  return atomic_load_explicit(&library->kind, memory_order_relaxed) == LIBRARY_OF_C; /* see above */
}

bool in_library(uintptr_t pc) { return library_of(pc) != NULL; }

bool in_native_library(uintptr_t pc) {
  const struct library *found = library_of(pc);
  return found && !is_of_c(found) && relaxed(&found->begin) != own_begin;
}

bool in_jvm(uintptr_t pc) { return pc >= relaxed(&jvm_begin) && pc < relaxed(&jvm_end); }

uintptr_t first_library(const struct native_stack *stack) {
  for (int i = 0; i < stack->count; i++) {
    const struct library *found = library_of(stack->pc[i] - 1);
    if (found && !is_of_c(found)) return relaxed(&found->begin);
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

/* The frame pointer in the caller. LLVM's unwinder ends before a frame without unwind data; its context is a cursor, which goes there. */
static uintptr_t callers_frame(struct _Unwind_Context *context UNUSED, uintptr_t own) {
#ifdef __clang__
  int unw_step(void *cursor), unw_get_reg(void *cursor, int number, uintptr_t *value);
  uintptr_t cursor[64]; /* more than it has */
  memcpy(cursor, context, sizeof cursor);
  if (unw_step(cursor) <= 0) unw_get_reg(cursor, FRAME_POINTER, &own);
#endif
  return own;
}

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *stack_given) {
  struct native_stack *stack = stack_given;
  int before_instruction = 0;
  uintptr_t pc = _Unwind_GetIPInfo(context, &before_instruction);
  if (!pc) return _URC_END_OF_STACK;
  if (before_instruction) stack->in_signal = true; /* this frame was interrupted, and did not call */
  if (pc >= own_begin && pc < own_end) return _URC_NO_REASON;
  if (stack->count == DEPTH) {
    stack->cut = true;
    return _URC_END_OF_STACK;
  }
  stack->pc[stack->count++] = pc;
  stack->last_pc = pc;
  stack->last_sp = _Unwind_GetCFA(context);
  stack->last_fp = _Unwind_GetGR(context, FRAME_POINTER);
  if (header->flags & FLAG_GO) stack->last_fp = callers_frame(context, stack->last_fp);
  return _URC_NO_REASON;
}

static bool is_mapped(uintptr_t address, uintptr_t *known_page) {
  unsigned char resident;
  uintptr_t page = address & ~(uintptr_t)(page_bytes - 1);
  if (page != *known_page && mincore((void *)page, page_bytes, &resident)) return false;
  *known_page = page;
  return true;
}

/* Where unwind data ends at Go's code, the frame pointer is the goroutine's: C functions restored it. */
static void walk_go(struct native_stack *stack) {
  uintptr_t frame = stack->last_fp;
  uintptr_t page = 1;
  while (stack->count < NATIVE_FRAMES && frame && frame % 8 == 0 && is_mapped(frame, &page) && is_mapped(frame + 8, &page)) {
    uintptr_t next = ((uintptr_t *)frame)[0];
    uintptr_t pc = ((uintptr_t *)frame)[1];
    if (pc < program_begin || pc >= program_end) return;
    stack->pc[stack->count++] = pc;
    if (next <= frame || next - frame > 1 << 20) return;
    frame = next;
  }
}

void unwind(struct native_stack *stack) {
  stack->count = 0;
  stack->cut = stack->in_signal = false;
  stack->last_pc = stack->last_sp = stack->last_fp = 0;
  _Unwind_Backtrace(add_frame, stack);
  if (header->flags & FLAG_GO) walk_go(stack);
}

void unwind_begins(void) {
  struct native_stack none;
  unwind(&none);
}
