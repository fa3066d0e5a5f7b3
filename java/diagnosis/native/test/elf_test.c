/*
 * Reading of loaded libraries: those of this process, and images made here, whole, cut off, odd and changed at random. Each image ends
 * where its block of memory ends, so that a sanitizer sees what is read behind it. Linked with elf.c; the program's build id is
 * 0x0102030405060708.
 */
#include "../src/elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(what)                                             \
  do {                                                          \
    if (!(what)) {                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what); \
      exit(1);                                                  \
    }                                                           \
  } while (0)

#if defined(__x86_64__)
enum { CALL = R_X86_64_JUMP_SLOT, POINTER = R_X86_64_GLOB_DAT };
#else
enum { CALL = R_AARCH64_JUMP_SLOT, POINTER = R_AARCH64_GLOB_DAT };
#endif

struct found {
  int slots, named, defined;
  struct slot last;
};

static void count(const struct slot *slot, void *found_given) {
  struct found *found = found_given;
  found->slots++;
  found->named += !strcmp(slot->name, "malloc");
  found->defined += slot->is_defined;
  found->last = *slot;
  *(volatile uintptr_t *)slot->at; /* can be read */
}

/* ---- the libraries of this process */

static int libraries;

static int look_at_library(struct dl_phdr_info *info, size_t size, void *program) {
  (void)size;
  struct image image;
  struct found found = {0};
  uint8_t id[20];
  CHECK(image_of(info->dlpi_phdr, info->dlpi_phnum, info->dlpi_addr, (size_t)sysconf(_SC_PAGESIZE), &image));
  image_slots(&image, count, &found);
  size_t bytes = image_build_id(&image, id, sizeof id);
  CHECK(image.begin < image.end && image.locked_begin <= image.locked_end);
  if (!libraries++) {
    CHECK(image_has(&image, (uintptr_t)program, 1, PF_R | PF_X) && !image_has(&image, image.end, 1, 0));
    CHECK(bytes == 8 && !memcmp(id, "\1\2\3\4\5\6\7\10", 8));
    CHECK(image_build_id(&image, id, 7) == 0);
    CHECK(found.slots > 3 && found.named >= 1);
  }
  return 0;
}

/* ---- an image made here */

struct made {
  ElfW(Dyn) dynamic[9];
  ElfW(Sym) symbols[3];
  ElfW(Rela) relocations[3];
  char strings[16];
  uintptr_t slots[3];
  struct {
    ElfW(Nhdr) head;
    char name[4];
    char id[8];
  } note;
};

static const struct made WHOLE = {
    .dynamic = {{DT_SYMTAB, {offsetof(struct made, symbols)}},
                {DT_STRTAB, {offsetof(struct made, strings)}},
                {DT_STRSZ, {sizeof WHOLE.strings}},
                {DT_JMPREL, {offsetof(struct made, relocations)}},
                {DT_PLTRELSZ, {2 * sizeof(ElfW(Rela))}},
                {DT_PLTREL, {DT_RELA}},
                {DT_RELA, {offsetof(struct made, relocations) + 2 * sizeof(ElfW(Rela))}},
                {DT_RELASZ, {sizeof(ElfW(Rela))}},
                {DT_NULL, {0}}},
    .symbols = {{0}, {.st_name = 1}, {.st_name = 8, .st_shndx = 3}},
    .relocations = {{offsetof(struct made, slots), ELF64_R_INFO(1, CALL), 0},
                    {offsetof(struct made, slots) + 8, ELF64_R_INFO(2, CALL), 0},
                    {offsetof(struct made, slots) + 16, ELF64_R_INFO(1, POINTER), 0}},
    .strings = "\0malloc\0free",
    .note = {{4, 8, NT_GNU_BUILD_ID}, "GNU", {8, 7, 6, 5, 4, 3, 2, 1}},
};

/* How many slots are found in the first `bytes` bytes of an image, which are all that there is. */
static struct found slots_of(const struct made *made, size_t bytes, uint32_t flags, size_t *id_bytes) {
  char *memory = malloc(bytes ? bytes : 1);
  CHECK(memory);
  memcpy(memory, made, bytes);
  ElfW(Phdr) parts[] = {
      {.p_type = PT_LOAD, .p_flags = flags, .p_memsz = bytes},
      {.p_type = PT_DYNAMIC, .p_flags = PF_R, .p_memsz = sizeof made->dynamic},
      {.p_type = PT_NOTE, .p_flags = PF_R, .p_vaddr = offsetof(struct made, note), .p_memsz = sizeof made->note},
  };
  struct image image;
  struct found found = {0};
  uint8_t id[20];
  *id_bytes = 0;
  if (image_of(parts, 3, (uintptr_t)memory, 4096, &image)) {
    image_slots(&image, count, &found);
    *id_bytes = image_build_id(&image, id, sizeof id);
  }
  free(memory);
  return found;
}

static struct found slots_in(const struct made *made) {
  size_t id_bytes;
  return slots_of(made, sizeof *made, PF_R | PF_W, &id_bytes);
}

static void whole_image_has_its_slots(void) {
  size_t id_bytes;
  struct found found = slots_of(&WHOLE, sizeof WHOLE, PF_R | PF_W, &id_bytes);
  CHECK(found.slots == 3 && found.named == 2 && found.defined == 1 && !found.last.is_of_call && id_bytes == 8);
  CHECK(slots_of(&WHOLE, sizeof WHOLE, PF_R, &id_bytes).slots == 0 && id_bytes == 8); /* nothing of it can be written */
  CHECK(slots_of(&WHOLE, sizeof WHOLE, 0, &id_bytes).slots == 0 && id_bytes == 0);
}

static void image_that_is_cut_off_has_fewer(void) {
  size_t id_bytes;
  int before = 0;
  for (size_t bytes = 0; bytes <= sizeof WHOLE; bytes++) {
    int slots = slots_of(&WHOLE, bytes, PF_R | PF_W, &id_bytes).slots;
    CHECK(slots >= before);
    before = slots;
  }
  CHECK(before == 3);
}

static void odd_entries_are_left_out(void) {
  struct made made = WHOLE;
  made.symbols[1].st_name = sizeof made.strings; /* a name behind the strings */
  CHECK(slots_in(&made).slots == 1);
  made = WHOLE;
  memset(made.strings, 'x', sizeof made.strings); /* strings without an end */
  CHECK(slots_in(&made).slots == 0);
  made = WHOLE;
  made.relocations[0].r_info = ELF64_R_INFO(0xfffffffful, CALL); /* a symbol that is not there */
  made.relocations[1].r_offset++;                                /* a slot that is not aligned */
  made.relocations[2].r_offset = UINTPTR_MAX - 7;                /* a slot before the image */
  CHECK(slots_in(&made).slots == 0);
  made = WHOLE;
  made.dynamic[4].d_un.d_val = UINT64_MAX; /* a table without an end */
  CHECK(slots_in(&made).slots == 1);
  made = WHOLE;
  made.dynamic[5].d_un.d_val = DT_REL; /* entries of another form */
  CHECK(slots_in(&made).slots == 1);
  made = WHOLE;
  made.dynamic[8].d_tag = 12345; /* no last entry */
  CHECK(slots_in(&made).slots == 3);
  made = WHOLE;
  size_t id_bytes;
  made.note.head.n_namesz = UINT32_MAX;
  slots_of(&made, sizeof made, PF_R | PF_W, &id_bytes);
  CHECK(id_bytes == 0);
  made.note.head = (ElfW(Nhdr)){4, UINT32_MAX, NT_GNU_BUILD_ID};
  slots_of(&made, sizeof made, PF_R | PF_W, &id_bytes);
  CHECK(id_bytes == 0);
}

/* Nothing is read or visited outside, whatever the bytes are. */
static void image_of_random_bytes_is_read_within_its_bounds(void) {
  uint32_t random = 12345;
  size_t id_bytes;
  for (int round = 0; round < 100000; round++) {
    struct made made = WHOLE;
    for (int i = 0; i < 4; i++) {
      random = random * 1664525u + 1013904223u;
      ((unsigned char *)&made)[(random >> 8) % sizeof made] = (unsigned char)(random >> 4);
    }
    slots_of(&made, sizeof made - random % 64, PF_R | PF_W, &id_bytes);
  }
}

static void read_only_part_ends_with_whole_pages(void) {
  ElfW(Phdr) parts[] = {
      {.p_type = PT_LOAD, .p_vaddr = 0, .p_memsz = 0x50000},
      {.p_type = PT_GNU_RELRO, .p_vaddr = 0x21010, .p_memsz = 0x11000},
      {.p_type = PT_LOAD, .p_vaddr = UINTPTR_MAX - 5, .p_memsz = 0x50000}, /* beyond all addresses */
  };
  struct image image;
  CHECK(image_of(parts, 3, 0x100000, 4096, &image) && image.locked_begin == 0x121000 && image.locked_end == 0x132000);
  CHECK(image_of(parts, 3, 0x100000, 65536, &image) && image.locked_begin == 0x120000 && image.locked_end == 0x130000);
  CHECK(image_has(&image, 0x14fff0, 16, 0) && !image_has(&image, 0x14fff0, 17, 0) && !image_has(&image, 0xffff0, 32, 0));
  CHECK(!image_of(parts, 0, 0, 4096, &image));
}

int main(void) {
  dl_iterate_phdr(look_at_library, (void *)main);
  CHECK(libraries >= 1);
  whole_image_has_its_slots();
  image_that_is_cut_off_has_fewer();
  odd_entries_are_left_out();
  image_of_random_bytes_is_read_within_its_bounds();
  read_only_part_ends_with_whole_pages();
  printf("elf_test: ok, %d libraries\n", libraries);
  return 0;
}
