/*
 * Notes every block that a program takes and frees, through the functions of malloc. It is loaded before glibc
 * (LD_PRELOAD) and writes to the file that the variable OFFCUT_RECORD names, which is there and as long as the recording may
 * become: 16 bytes in which the first number says how many steps there were, also those for which there was no room, and
 * then 16 bytes a step: the address, and the size times two, plus one if the block was freed. Only the first process records,
 * not what it forks or starts. Threads write in the order in which they take a place; a block is noted after it was taken and
 * before it is freed, so that no address is seen twice at once.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *block, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *block);

struct step {
  uint64_t address;
  uint64_t size_and_end;
};

static struct step *steps;
static uint64_t room;
static _Atomic uint64_t *taken;
static pid_t recorded;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("OFFCUT_RECORD");
  if (name == NULL) {
    return;
  }
  unsetenv("LD_PRELOAD");
  int file = open(name, O_RDWR | O_CLOEXEC);
  unsetenv("OFFCUT_RECORD");
  struct stat about;
  void *place = MAP_FAILED;
  if (file >= 0 && fstat(file, &about) == 0) {
    place = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  if (place == MAP_FAILED) {
    static const char text[] = "offcut: the file for the recording cannot be opened\n";
    _exit(write(2, text, sizeof text - 1) < 0 ? 125 : 126);
  }
  close(file);
  recorded = getpid();
  room = (uint64_t)about.st_size / sizeof(struct step) - 1;
  taken = place;
  steps = (struct step *)place + 1;
}

static void note(void *block, uint64_t size_and_end) {
  if (steps == NULL || block == NULL || getpid() != recorded) {
    return;
  }
  uint64_t at = atomic_fetch_add_explicit(taken, 1, memory_order_relaxed);
  if (at < room) {
    steps[at].address = (uint64_t)(uintptr_t)block;
    steps[at].size_and_end = size_and_end;
  }
}

static void *took(void *block, size_t bytes) {
  note(block, (uint64_t)bytes << 1);
  return block;
}

void *malloc(size_t bytes) {
  return took(__libc_malloc(bytes), bytes);
}

void *calloc(size_t count, size_t bytes) {
  return took(__libc_calloc(count, bytes), count * bytes);
}

void free(void *block) {
  note(block, 1);
  __libc_free(block);
}

/* As if it always moved: most of these programs ask for so much more that it does. */
void *realloc(void *block, size_t bytes) {
  note(block, 1);
  return took(__libc_realloc(block, bytes), bytes);
}

void *reallocarray(void *block, size_t count, size_t bytes) {
  size_t all;
  if (__builtin_mul_overflow(count, bytes, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(block, all);
}

void *memalign(size_t alignment, size_t bytes) {
  return took(__libc_memalign(alignment, bytes), bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  return memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes) {
  void *taken_block = memalign(alignment, bytes);
  if (taken_block == NULL) {
    return ENOMEM;
  }
  *block = taken_block;
  return 0;
}
