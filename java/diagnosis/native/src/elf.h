/* Reads a loaded library. Nothing here calls, allocates or locks; every address is checked against the library's segments first. */
#ifndef OFFCUT_ELF_H
#define OFFCUT_ELF_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image {
  uintptr_t bias;       /* address in memory - address in the file */
  uintptr_t begin, end; /* of its segments; between two there may be a gap */
  uintptr_t locked_begin, locked_end; /* whole pages that the loader made read-only after it filled them */
  const ElfW(Phdr) *parts;
  size_t part_count;
};

/* A word through which a library calls a function, or takes its address. */
struct slot {
  uintptr_t *at;
  const char *name;
  bool is_of_call; /* it may not be bound yet, and then leads into its own library */
  bool is_defined; /* the library has a function of that name itself */
};

bool image_of(const ElfW(Phdr) *parts, size_t count, uintptr_t bias, size_t page, struct image *image); /* false: no segment */
bool image_has(const struct image *image, uintptr_t address, size_t bytes, uint32_t flags);
void image_slots(const struct image *image, void (*visit)(const struct slot *slot, void *context), void *context);
size_t image_build_id(const struct image *image, uint8_t *id, size_t most); /* bytes; 0: none */

#endif
