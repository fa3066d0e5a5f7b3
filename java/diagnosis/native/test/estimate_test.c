/*
 * Estimates against the truth, in a program with the library preloaded: estimate_test FILE, with the same FILE in OFFCUT_NATIVE_FILE and a
 * mean of 16 KiB. It allocates blocks of several sizes in two threads, frees half of them, and reads the file behind it. A child that
 * allocates changes nothing.
 */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/core.h"

#define CHECK(what)                                             \
  do {                                                          \
    if (!(what)) {                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what); \
      exit(1);                                                  \
    }                                                           \
  } while (0)

enum { COUNT = 40000, MEAN = 16384 };
static const size_t SIZES[] = {24, 100, 1000, 3000};
static const char *base;

static const struct header *file(void) { return (const struct header *)base; }

/* Live bytes by the figures of stacks, and by the samples. */
static double live(double *by_samples) {
  const struct section *all = file()->sections;
  const uint64_t *places = (const uint64_t *)(base + all[SECTION_STACKS].offset);
  double bytes = 0;
  for (uint32_t i = 1; i < all[SECTION_STACKS].count; i++) {
    const struct stack *stack = (const struct stack *)(base + all[SECTION_ARENA].offset + places[i]);
    if (places[i] && stack->kind == KIND_MALLOC) bytes += (double)stack->live_bytes;
  }
  *by_samples = 0;
  const struct sample *samples = (const struct sample *)(base + all[SECTION_SAMPLES].offset);
  for (uint64_t i = 0; i < all[SECTION_SAMPLES].capacity; i++) {
    if (samples[i].address <= 1) continue;
    double size = (double)(samples[i].size_and_shift & ((1ull << 56) - 1));
    double mean = MEAN * (double)(1ull << (samples[i].size_and_shift >> 56));
    *by_samples += size >= mean ? size : size / -expm1(-size / mean);
  }
  return bytes;
}

static void *allocate(void *blocks_given) {
  void **blocks = blocks_given;
  for (int i = 0; i < COUNT; i++) blocks[i] = malloc(SIZES[i % 4]);
  return NULL;
}

static double truth;

static void compare(const char *when) {
  double by_samples, bytes = live(&by_samples);
  double margin = 4 * sqrt(truth * MEAN * (1 << file()->mean_shift)) + 200000; /* what the C library holds itself */
  printf("estimate_test: %s: %.0f KiB of %.0f, margin %.0f\n", when, bytes / 1024, truth / 1024, margin / 1024);
  CHECK(fabs(bytes - truth) < margin && fabs(by_samples - bytes) < 100000);
}

int main(int count, char **words) {
  CHECK(count == 2 && !getenv("OFFCUT_NATIVE_FILE") && !getenv("LD_PRELOAD")); /* children inherit neither */
  int fd = open(words[1], O_RDONLY);
  CHECK(fd >= 0);
  off_t bytes = lseek(fd, 0, SEEK_END);
  base = mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, fd, 0);
  CHECK(base != MAP_FAILED && !memcmp(file()->magic, LAYOUT_MAGIC, 8) && file()->state == STATE_SAMPLING);
  static void *blocks[2][COUNT];
  pthread_t other;
  CHECK(!pthread_create(&other, NULL, allocate, blocks[1]));
  allocate(blocks[0]);
  pthread_join(other, NULL);
  for (int i = 0; i < COUNT; i++) truth += 2 * (double)taken(SIZES[i % 4]);
  compare("allocated");
  pid_t child = fork();
  if (!child) {
    for (int i = 0; i < COUNT; i++) free(blocks[0][i]);
    for (int i = 0; i < 1000; i++) blocks[0][i] = malloc(100000);
    _exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  compare("behind a child");
  for (int i = 0; i < COUNT; i++) free(blocks[i % 8 / 4][i]);
  truth /= 2;
  compare("half of it freed");
  char *large = malloc(5 << 20); /* a block of at least the mean is exact, also after realloc */
  *(volatile char *)large = 1; /* else a compiler may do without it */
  large = realloc(large, 9 << 20);
  *(volatile char *)large = 1;
  truth += (double)taken(9 << 20);
  compare("and a large block");
  free(large);
  truth -= (double)taken(9 << 20);
  compare("which was freed");
  puts("estimate_test: ok");
  return 0;
}
