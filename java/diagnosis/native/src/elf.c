/*
 * Reads a loaded library: its extent, the slots of functions, its build id. See elf.h.
 *
 * The library's headers are the file's, so they may be damaged or odd. A table counts only if it lies whole inside a readable segment, a
 * name only if it ends inside the table of strings, a slot only if it is an aligned word in a writable segment. The caller sees to it that
 * the library stays (dl_iterate_phdr).
 */
#include "elf.h"

#include <string.h>

#if defined(__x86_64__)
enum { SLOT_OF_CALL = R_X86_64_JUMP_SLOT, SLOT_OF_POINTER = R_X86_64_GLOB_DAT, SLOT_OF_DATA = R_X86_64_64 };
#elif defined(__aarch64__)
enum { SLOT_OF_CALL = R_AARCH64_JUMP_SLOT, SLOT_OF_POINTER = R_AARCH64_GLOB_DAT, SLOT_OF_DATA = R_AARCH64_ABS64 };
#else
#error "x86-64 and aarch64 only"
#endif

bool image_of(const ElfW(Phdr) *parts, size_t count, uintptr_t bias, size_t page, struct image *image) {
  *image = (struct image){.bias = bias, .begin = UINTPTR_MAX, .parts = parts, .part_count = count};
  for (size_t i = 0; i < count; i++) {
    uintptr_t from = bias + parts[i].p_vaddr;
    uintptr_t to = from + parts[i].p_memsz;
    if (to < from) continue;
    if (parts[i].p_type == PT_GNU_RELRO) { /* the loader rounds both down */
      image->locked_begin = from & ~(page - 1);
      image->locked_end = to & ~(page - 1);
    }
    if (parts[i].p_type != PT_LOAD) continue;
    if (from < image->begin) image->begin = from;
    if (to > image->end) image->end = to;
  }
  return image->begin < image->end;
}

bool image_has(const struct image *image, uintptr_t address, size_t bytes, uint32_t flags) {
  for (size_t i = 0; i < image->part_count; i++) {
    const ElfW(Phdr) *part = &image->parts[i];
    uintptr_t at = address - (image->bias + part->p_vaddr); /* huge if it is before */
    if (part->p_type == PT_LOAD && (part->p_flags & flags) == flags && at < part->p_memsz && bytes <= part->p_memsz - at) return true;
  }
  return false;
}

struct tables {
  const ElfW(Sym) *symbols;
  const char *strings;
  size_t string_bytes;
  uintptr_t relocations[2]; /* of calls, of data */
  size_t relocation_bytes[2];
};

/* Some loaders leave addresses of a library's dynamic section as they are in the file. */
static uintptr_t address_in(const struct image *image, uintptr_t value) { return value >= image->begin ? value : value + image->bias; }

static bool find_tables(const struct image *image, struct tables *tables) {
  const ElfW(Dyn) *entry = NULL, *end = NULL;
  for (size_t i = 0; i < image->part_count; i++) {
    const ElfW(Phdr) *part = &image->parts[i];
    uintptr_t at = image->bias + part->p_vaddr;
    if (part->p_type != PT_DYNAMIC || at % sizeof(uintptr_t) || !image_has(image, at, part->p_memsz, PF_R)) continue;
    entry = (const ElfW(Dyn) *)at;
    end = entry + part->p_memsz / sizeof *entry;
  }
  bool has_addends = true;
  memset(tables, 0, sizeof *tables);
  for (; entry < end && entry->d_tag != DT_NULL; entry++) {
    uintptr_t value = entry->d_un.d_ptr;
    switch (entry->d_tag) {
      case DT_SYMTAB: tables->symbols = (const ElfW(Sym) *)address_in(image, value); break;
      case DT_STRTAB: tables->strings = (const char *)address_in(image, value); break;
      case DT_STRSZ: tables->string_bytes = value; break;
      case DT_JMPREL: tables->relocations[0] = address_in(image, value); break;
      case DT_PLTRELSZ: tables->relocation_bytes[0] = value; break;
      case DT_PLTREL: has_addends = value == DT_RELA; break;
      case DT_RELA: tables->relocations[1] = address_in(image, value); break;
      case DT_RELASZ: tables->relocation_bytes[1] = value; break;
      default: break;
    }
  }
  if (!has_addends) tables->relocation_bytes[0] = 0;
  return tables->string_bytes && (uintptr_t)tables->symbols % sizeof(uintptr_t) == 0 &&
         image_has(image, (uintptr_t)tables->strings, tables->string_bytes, PF_R) && !tables->strings[tables->string_bytes - 1];
}

static void visit_relocation(const struct image *image, const struct tables *tables, const ElfW(Rela) *relocation,
                             void (*visit)(const struct slot *, void *), void *context) {
  unsigned type = ELF64_R_TYPE(relocation->r_info);
  unsigned number = ELF64_R_SYM(relocation->r_info);
  if (!number || (type != SLOT_OF_CALL && type != SLOT_OF_POINTER && type != SLOT_OF_DATA)) return;
  if (type == SLOT_OF_DATA && relocation->r_addend) return; /* it leads behind a function's begin */
  uintptr_t symbol_at = (uintptr_t)tables->symbols + (uintptr_t)number * sizeof(ElfW(Sym));
  uintptr_t at = image->bias + relocation->r_offset;
  if (!image_has(image, symbol_at, sizeof(ElfW(Sym)), PF_R)) return;
  const ElfW(Sym) *symbol = (const ElfW(Sym) *)symbol_at;
  if (symbol->st_name >= tables->string_bytes || at % sizeof(uintptr_t) || !image_has(image, at, sizeof(uintptr_t), PF_R | PF_W)) return;
  struct slot slot = {(uintptr_t *)at, tables->strings + symbol->st_name, type == SLOT_OF_CALL, symbol->st_shndx != SHN_UNDEF};
  visit(&slot, context);
}

void image_slots(const struct image *image, void (*visit)(const struct slot *, void *), void *context) {
  struct tables tables;
  if (!find_tables(image, &tables)) return;
  for (int k = 0; k < 2; k++) {
    uintptr_t at = tables.relocations[k];
    size_t bytes = tables.relocation_bytes[k];
    if (!bytes || at % sizeof(uintptr_t) || !image_has(image, at, bytes, PF_R)) continue;
    const ElfW(Rela) *all = (const ElfW(Rela) *)at;
    for (size_t i = 0; i < bytes / sizeof *all; i++) visit_relocation(image, &tables, &all[i], visit, context);
  }
}

size_t image_build_id(const struct image *image, uint8_t *id, size_t most) {
  for (size_t i = 0; i < image->part_count; i++) {
    const ElfW(Phdr) *part = &image->parts[i];
    uintptr_t from = image->bias + part->p_vaddr;
    if (part->p_type != PT_NOTE || from % 4 || !image_has(image, from, part->p_memsz, PF_R)) continue;
    size_t left = part->p_memsz;
    const char *at = (const char *)from;
    while (left >= sizeof(ElfW(Nhdr))) {
      const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
      uint64_t name_bytes = ((uint64_t)note->n_namesz + 3) & ~3ull, content_bytes = ((uint64_t)note->n_descsz + 3) & ~3ull;
      uint64_t bytes = sizeof *note + name_bytes + content_bytes;
      if (bytes > left) break;
      const char *name = at + sizeof *note;
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && !memcmp(name, "GNU", 4) && note->n_descsz <= most) {
        memcpy(id, name + name_bytes, note->n_descsz);
        return note->n_descsz;
      }
      at += bytes;
      left -= bytes;
    }
  }
  return 0;
}
