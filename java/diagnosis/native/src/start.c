/*
 * How the library comes into a process, and leaves it.
 *
 *   preloaded     LD_PRELOAD, for Go and other programs: the constructor starts it, and takes the name out of the environment, so that
 *                 children do not inherit it. Without OFFCUT_NATIVE_FILE in the environment it only passes calls on.
 *   by the agent  a JVM loads it (JNI_OnLoad), at the start or while the program runs
 *
 * A child of a fork does not sample: the file is its parent's.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "jvm.h"

static const uint64_t MEAN = 512 << 10;

_Atomic bool sampling;
static uint64_t started_ms;

static uint64_t clock_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t wall_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
uint64_t now_ms(void) { return clock_ns(CLOCK_MONOTONIC_COARSE) / 1000000 - started_ms; }

void *plain_map(size_t bytes, int fd) {
  long at = syscall(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED) | MAP_NORESERVE, fd, 0);
  return at < 0 && at > -4096 ? NULL : (void *)at;
}

static void end_in_child(void) { atomic_store(&sampling, false); }

static bool begin(const char *path, uint32_t flags) {
  started_ms = clock_ns(CLOCK_MONOTONIC_COARSE) / 1000000;
  libraries_changed();
  const char *mean = getenv("OFFCUT_NATIVE_MEAN");
  long bytes = mean ? strtol(mean, NULL, 10) : 0;
  hooks_resolve();
  return table_open(path, bytes >= 1024 ? (uint64_t)bytes : MEAN, flags) && !pthread_atfork(NULL, NULL, end_in_child);
}

static bool is_off(void) {
  const char *value = getenv("OFFCUT_NATIVE");
  return value && !strcmp(value, "off");
}

/* Of the words in LD_PRELOAD, this library's is left out. */
static void leave_environment(void) {
  char *names = getenv("LD_PRELOAD");
  Dl_info own;
  if (!names || !dladdr((void *)&leave_environment, &own)) return;
  char kept[4096] = "";
  for (char *name = strtok(names, ": "); name; name = strtok(NULL, ": ")) {
    if (!strcmp(name, own.dli_fname) || strlen(kept) + strlen(name) + 2 > sizeof kept) continue;
    if (*kept) strcat(kept, ":");
    strcat(kept, name);
  }
  if (*kept) {
    setenv("LD_PRELOAD", kept, 1);
  } else {
    unsetenv("LD_PRELOAD");
  }
}

/* Whether the names of this library are the process's: it stands in the scope of the program. */
EXPORTED void offcut_native_is_here(void) {}
static bool is_preloaded(void) {
  void *program = dlopen(NULL, RTLD_LAZY);
  return program && dlsym(program, "offcut_native_is_here");
}

__attribute__((constructor)) static void start_preloaded(void) {
  const char *path = getenv("OFFCUT_NATIVE_FILE");
  if (!path || is_off() || !is_preloaded()) return;
  self.inside = 1;
  if (begin(path, FLAG_PRELOADED | (getenv("OFFCUT_NATIVE_GO") ? FLAG_GO : 0))) {
    note_modules();
    header->state = 1;
    atomic_store_explicit(&sampling, true, memory_order_release); /* the tables are there */
  }
  unsetenv("OFFCUT_NATIVE_FILE");
  leave_environment();
  self.inside = 0;
}

static bool start_in(JavaVM *vm, JNIEnv *env, const char *path) {
  if (!jvm_find(vm) || !begin(path, FLAG_JVM) || !jvm_watch(env)) return false;
  atomic_store(&patching_on, true);
  patch_new_libraries();
  header->state = 1;
  atomic_store_explicit(&sampling, true, memory_order_release); /* the tables are there */
  return names_start(env);
}

/* The agent names the file in a property before it loads the library, and looks at `state` in the file behind it. */
EXPORTED jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
  (void)reserved;
  JNIEnv *env = NULL;
  char path[4096];
  if (header || is_off() || (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK) return JNI_VERSION_1_6;
  if (!jvm_property(env, "offcut.native.file", path, sizeof path)) return JNI_VERSION_1_6;
  self.inside = 1;
  if (!start_in(vm, env, path)) atomic_store(&sampling, false);
  self.inside = 0;
  return JNI_VERSION_1_6;
}

/* What is live when the JVM ends stays in the file: what is freed from now on is freed by the end. */
void sampling_ends(void) {
  atomic_store(&sampling, false);
  header->state = 3;
}

EXPORTED void offcut_native_detach(void) {
  if (!header) return;
  atomic_store(&sampling, false);
  unpatch_libraries();
  table_clear();
  header->state = 2;
}
