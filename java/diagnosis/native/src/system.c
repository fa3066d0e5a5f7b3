/*
 * What the sampler asks the kernel itself: clocks, mappings, whether memory can be written. Any thread may call it, in hooks, too, except
 * for wait_until. It changes errno; hooks put that right.
 */
#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core.h"

size_t page_bytes = 4096;
static uint64_t started_ms;

static uint64_t clock_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void system_begins(void) {
  long page = sysconf(_SC_PAGESIZE);
  if (page > 0) page_bytes = (size_t)page;
  started_ms = clock_ns(CLOCK_MONOTONIC_COARSE) / 1000000;
}

uint64_t cpu_ns(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }
uint64_t now_ms(void) { return clock_ns(CLOCK_MONOTONIC_COARSE) / 1000000 - started_ms; }

void *plain_map(size_t bytes, int fd) {
  int flags = (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED) | MAP_NORESERVE;
  long at = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0L); /* of an int, the upper half would be anything */
  return at < 0 && at > -4096 ? NULL : (void *)at;
}

void plain_unmap(void *at, size_t bytes) {
  if (at) syscall(SYS_munmap, at, bytes);
}

/* The kernel adds 0 to the word atomically, and answers EFAULT where a write would raise SIGSEGV or SIGBUS; a signal may interrupt it. */
bool can_write(const volatile void *at) {
  static uint32_t nobody;
  const int add_0 = FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_LT, 0);
  for (int i = 0; i < 100; i++) {
    if (syscall(SYS_futex, &nobody, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0, 0L, at, add_0) >= 0) return true;
    if (errno != EINTR) return errno == ENOSYS;
  }
  return false;
}

bool wait_until(bool (*done)(void), int ms) {
  struct timespec pause = {0, 1000000};
  for (int i = 0; i < ms; i++) {
    if (done()) return true;
    nanosleep(&pause, NULL);
  }
  return done();
}
