/*
 * Load for the hooks: threads that call each function of malloc's family and check what they get. A block's first and last bytes are its
 * mark, its usable size is at least what was asked, zeroed blocks are zero, and alignment is kept. Signals come all the time.
 *
 * A program (load SECONDS THREADS), and a library for the JVM (Load.java), which it also loads under the name with .2 behind it. Linked
 * with elf.c.
 */
#include <dlfcn.h>
#include <errno.h>
#include <jni.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../src/elf.h"

enum { BLOCKS = 512 };

struct block {
  unsigned char *at;
  size_t size;
  unsigned char mark;
};

static uint32_t next(uint32_t *random) {
  *random = *random * 1664525u + 1013904223u;
  return *random >> 8;
}

static long check(const struct block *block) {
  if (!block->at) return 0;
  return (block->at[0] != block->mark) + (block->at[block->size - 1] != block->mark) + (malloc_usable_size(block->at) < block->size);
}

static long take(struct block *block, uint32_t *random) {
  size_t size = next(random) % 16 ? 1 + next(random) % 600 : 1 + next(random) % 300000;
  long errors = 0;
  void *aligned = NULL;
  switch (next(random) % 8) {
    case 0:
      block->at = calloc(1, size);
      for (size_t i = 0; i < size; i += 61) errors += block->at[i] != 0;
      break;
    case 1:
      size = (size + 63) & ~(size_t)63;
      block->at = aligned_alloc(64, size);
      errors += (uintptr_t)block->at % 64 != 0;
      break;
    case 2:
      errors += posix_memalign(&aligned, 4096, size) != 0 || (uintptr_t)aligned % 4096 != 0;
      block->at = aligned;
      break;
    case 3: block->at = memalign(128, size); break;
    case 4: block->at = realloc(NULL, size); break;
    default: block->at = malloc(size); break;
  }
  block->size = size;
  block->mark = (unsigned char)next(random);
  block->at[0] = block->at[size - 1] = block->mark;
  return errors;
}

static long change(struct block *block, uint32_t *random) {
  size_t size = 1 + next(random) % 3000;
  unsigned char *now = next(random) % 2 ? realloc(block->at, size) : reallocarray(block->at, 1, size);
  long errors = now[0] != block->mark;
  *block = (struct block){now, size, block->mark};
  now[size - 1] = block->mark;
  return errors;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Number of errors; *done counts operations. */
static long churn(uint32_t random, double limit, long *done) {
  struct block *blocks = calloc(BLOCKS, sizeof *blocks);
  long errors = 0;
  for (double end = seconds() + limit; seconds() < end;) {
    for (int i = 0; i < 1000; i++, ++*done) {
      struct block *block = &blocks[next(&random) % BLOCKS];
      errors += check(block);
      if (block->at && next(&random) % 4 == 0) {
        errors += change(block, &random);
      } else {
        free(block->at);
        errors += take(block, &random);
      }
    }
  }
  for (int i = 0; i < BLOCKS; i++) free(blocks[i].at);
  free(blocks);
  return errors;
}

static void *short_thread(void *none) {
  free(malloc(600000));
  return none;
}

/* Raised by a thread itself, so no lock of malloc is held; on a stack of its own, which is small. */
static void allocate_in_handler(int number) {
  (void)number;
  free(malloc(700000));
}

static void count_only(int number) { /* comes at any moment */
  (void)number;
  errno = EINTR;
}

static void *small_thread(void *stack) {
  stack_t signals = {.ss_sp = stack, .ss_size = 16384};
  long errors = sigaltstack(&signals, NULL) != 0 || raise(SIGUSR1) != 0;
  signals.ss_flags = SS_DISABLE;
  errors += sigaltstack(&signals, NULL) != 0;
  free(malloc(900000));
  return (void *)errors;
}

/* A thread with a small stack, and an even smaller one for signals. */
static long signals(void) {
  struct sigaction allocate = {.sa_handler = allocate_in_handler, .sa_flags = SA_ONSTACK};
  long errors = sigaction(SIGUSR1, &allocate, NULL) != 0;
  void *stack = malloc(16384), *result = NULL;
  pthread_attr_t small;
  size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN);
  pthread_t thread;
  errors += pthread_attr_init(&small) || pthread_attr_setstacksize(&small, least < 32768 ? 32768 : least);
  errors += pthread_create(&thread, &small, small_thread, stack) != 0 || pthread_join(thread, &result) != 0;
  pthread_attr_destroy(&small);
  free(stack);
  return errors + (long)result;
}

static void interrupt_often(void) {
  struct sigaction count = {.sa_handler = count_only, .sa_flags = SA_RESTART};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 5};
  struct itimerspec each = {{0, 700000}, {0, 700000}};
  timer_t timer;
  sigaction(SIGRTMIN + 5, &count, NULL);
  if (!timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer)) timer_settime(timer, 0, &each, NULL);
}

/* Lookups that depend on who calls: NEXT is behind this library, where only the C library has it. */
static long lookups(void) {
  void *next = dlsym(RTLD_NEXT, "getline"), *first = dlsym(RTLD_DEFAULT, "getline");
  long errors = !next || next != first;
  errors += dlsym(RTLD_NEXT, "taken_by_library") != NULL;
  void *(*by_name)(size_t) = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "malloc");
  void (*free_by_name)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "free"); /* of the same allocator */
  void *block = by_name ? by_name(2000000) : NULL;
  if (!block || !free_by_name) return errors + 1;
  memset(block, 1, 2000000);
  free_by_name(block);
  return errors;
}

/* Short threads, children by fork and vfork, mappings. */
static long others(void) {
  long errors = signals() + lookups();
  pthread_t thread;
  errors += pthread_create(&thread, NULL, short_thread, NULL) != 0 || pthread_join(thread, NULL) != 0;
  int status = 0;
  pid_t child = fork();
  if (!child) {
    free(malloc(1 << 20));
    _exit(7);
  }
  waitpid(child, &status, 0);
  errors += WEXITSTATUS(status) != 7;
  child = vfork();
  if (!child) {
    execl("/bin/true", "true", (char *)NULL);
    _exit(9);
  }
  waitpid(child, &status, 0);
  errors += WEXITSTATUS(status) != 0;
  void *pages = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  errors += pages == MAP_FAILED;
  pages = mremap(pages, 1 << 16, 1 << 18, MREMAP_MAYMOVE);
  errors += pages == MAP_FAILED || munmap(pages, 1 << 18) != 0;
  return errors;
}

/* A library that comes and goes. */
static long library(const char *path) {
  void *loaded = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!loaded) return 1;
  void *(*found)(size_t) = (void *(*)(size_t))dlsym(loaded, "taken_by_library");
  long errors = !found;
  if (found) free(found(1000));
  return errors + (dlclose(loaded) != 0);
}

JNIEXPORT void *taken_by_library(size_t size) { return malloc(size); }

struct search {
  const char *path;
  uintptr_t begin, end;
  long slots;
};

static void count_slot(const struct slot *slot, void *search_given) {
  struct search *search = search_given;
  uintptr_t to = __atomic_load_n(slot->at, __ATOMIC_RELAXED);
  search->slots += to >= search->begin && to < search->end;
}

static int find_library(struct dl_phdr_info *info, size_t size, void *search_given) {
  (void)size;
  struct search *search = search_given;
  struct image image;
  if (!info->dlpi_name || strcmp(info->dlpi_name, search->path)) return 0;
  if (!image_of(info->dlpi_phdr, info->dlpi_phnum, info->dlpi_addr, 4096, &image)) return 0;
  search->begin = image.begin;
  search->end = image.end;
  return 0;
}

static int search_library(struct dl_phdr_info *info, size_t size, void *search_given) {
  (void)size;
  struct search *search = search_given;
  struct image image;
  if (!image_of(info->dlpi_phdr, info->dlpi_phnum, info->dlpi_addr, 4096, &image) || image.begin == search->begin) return 0;
  image_slots(&image, count_slot, search);
  return 0;
}

JNIEXPORT jlong JNICALL Java_Load_slotsInto(JNIEnv *env, jclass type, jstring path) {
  (void)type;
  struct search search = {(*env)->GetStringUTFChars(env, path, NULL), 0, 0, 0};
  dl_iterate_phdr(find_library, &search);
  if (search.end) dl_iterate_phdr(search_library, &search);
  (*env)->ReleaseStringUTFChars(env, path, search.path);
  return search.end ? search.slots : -1;
}

JNIEXPORT void JNICALL Java_Load_fail(JNIEnv *env, jclass type) {
  (void)type;
  void *block = malloc(800000);
  (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/IllegalStateException"), "from native code");
  free(block);
}

JNIEXPORT void JNICALL Java_Load_crash(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  free(malloc(1000000));
  static int *volatile nowhere;
  *nowhere = 1;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
  (void)vm;
  (void)reserved;
  interrupt_often();
  return JNI_VERSION_1_6;
}

JNIEXPORT jlong JNICALL Java_Load_churn(JNIEnv *env, jclass type, jint seed, jint ms) {
  (void)env;
  (void)type;
  long done = 0;
  long errors = churn((uint32_t)seed, ms / 1000.0, &done);
  return errors ? -errors : done;
}

JNIEXPORT jlong JNICALL Java_Load_others(JNIEnv *env, jclass type) {
  (void)env;
  (void)type;
  return others();
}

JNIEXPORT jlong JNICALL Java_Load_library(JNIEnv *env, jclass type, jstring path) {
  (void)type;
  const char *bytes = (*env)->GetStringUTFChars(env, path, NULL);
  long errors = library(bytes);
  (*env)->ReleaseStringUTFChars(env, path, bytes);
  return errors;
}

static double limit;

static void *churn_thread(void *seed) {
  long done = 0;
  return (void *)churn((uint32_t)(uintptr_t)seed, limit, &done);
}

int main(int count, char **words) {
  limit = count > 1 ? atof(words[1]) : 1;
  int threads = count > 2 ? atoi(words[2]) : 2;
  pthread_t all[64];
  interrupt_often();
  for (int i = 0; i < threads; i++) pthread_create(&all[i], NULL, churn_thread, (void *)(uintptr_t)(i + 1));
  long errors = others();
  for (int i = 0; i < threads; i++) {
    void *found;
    pthread_join(all[i], &found);
    errors += (long)found;
  }
  printf("load: %ld errors\n", errors);
  return errors != 0;
}
