/*
 * How the library comes into a process, and leaves it.
 *
 *   preloaded     LD_PRELOAD, for Go and other programs: the constructor starts it, and takes the name out of the environment, so that
 *                 children do not inherit it. Without OFFCUT_NATIVE_FILE in the environment it only passes calls on.
 *   by the agent  a JVM loads it (JNI_OnLoad), at the start or while the program runs. The library stays loaded (-z nodelete), since
 *                 slots and threads may lead into it.
 *
 * States: not started, sampling, detached, sampling again; or ended, with the JVM. `changing` is held while one becomes another; who finds
 * it held gives up. Detach: 1. `sampling` off; 2. slots lead to the real functions again; 3. wait until nobody works in the tables;
 * 4. the table is emptied. If 3 takes too long, the tables stay as they are, and sampling does not begin again until then.
 *
 * `working` counts threads in the tables. A thread adds itself and then reads `sampling`; detach stores `sampling` and then reads
 * `working`. Both sides are seq_cst, so one sees the other (Dekker).
 *
 * The child of a fork must not touch the tables, which are its parent's: it has another process id. No handler of fork could tell it, since
 * those of the program run before it. The child of a vfork does not sample, either; its parent waits.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "jvm.h"

static const uint64_t MEAN = 512 << 10;
enum { LEAST_MEAN = 1024, MOST_MEAN = 1 << 30, DETACH_MS = 2000 };

_Atomic bool sampling;
uint32_t generation;
static _Atomic uint32_t working;
static atomic_flag changing = ATOMIC_FLAG_INIT;
static pid_t parent;

bool is_child(void) { return getpid() != parent; }

bool work_begins(void) {
  if (!atomic_load_explicit(&sampling, memory_order_relaxed)) return false; /* the seq_cst load below decides */
  atomic_fetch_add(&working, 1);
  if (LIKELY(atomic_load(&sampling) && !is_child())) return true;
  work_ends();
  return false;
}

void work_ends(void) { atomic_fetch_sub(&working, 1); }

static bool nobody_works(void) { return atomic_load(&working) == 0; }

static bool begin(const char *path, uint32_t flags) {
  system_begins();
  libraries_changed();
  const char *mean = getenv("OFFCUT_NATIVE_MEAN");
  long bytes = mean ? strtol(mean, NULL, 10) : 0;
  hooks_resolve();
  parent = getpid();
  if (!table_open(path, bytes >= LEAST_MEAN && bytes <= MOST_MEAN ? (uint64_t)bytes : MEAN, flags)) return false;
  generation++;
  samples_begin();
  modules_begin();
  unwind_begins();
  return true;
}

static void samples_are_taken(void) {
  atomic_store(&header->state, STATE_SAMPLING);
  atomic_store(&sampling, true); /* the tables are there */
}

static bool is_off(void) {
  const char *value = getenv("OFFCUT_NATIVE");
  return value && !strcmp(value, "off");
}

/* Of the words in LD_PRELOAD, this library's is left out. */
static void leave_environment(void) {
  const char *names = getenv("LD_PRELOAD");
  Dl_info own;
  char kept[4096] = "";
  if (!names || strlen(names) >= sizeof kept || !dladdr((void *)&leave_environment, &own)) return;
  char all[sizeof kept];
  strcpy(all, names);
  char *rest = NULL;
  for (char *name = strtok_r(all, ": ", &rest); name; name = strtok_r(NULL, ": ", &rest)) {
    if (!strcmp(name, own.dli_fname)) continue;
    if (*kept) strcat(kept, ":");
    strcat(kept, name);
  }
  (void)(*kept ? setenv("LD_PRELOAD", kept, 1) : unsetenv("LD_PRELOAD"));
}

/* Of a program that is no JVM. The program's signals are not for it. */
static void *look_after(void *none UNUSED) {
  self.inside = 1;
  for (;;) {
    syscall(SYS_nanosleep, &(struct timespec){1, 0}, NULL);
    if (!work_begins()) continue;
    note_modules();
    if (now_ms() < RESIDENCE_S * 1000 || now_ms() / 1000 % RESIDENCE_S == 0) note_residence(weight); /* programs may end early */
    atomic_store_explicit(&header->now_ms, now_ms(), memory_order_relaxed); /* a figure */
    work_ends();
  }
  return NULL;
}

static void start_thread(void) {
  sigset_t all, before;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  if (!pthread_create(&thread, NULL, look_after, NULL)) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

__attribute__((constructor)) static void start_preloaded(void) {
  const char *given = getenv("OFFCUT_NATIVE_FILE");
  if (!given || is_off()) return;
  self.inside = 1;
  char path[4096];
  const char *number = strstr(given, "%p");
  snprintf(path, sizeof path, "%.*s", number ? (int)(number - given) : (int)sizeof path - 1, given);
  if (number) snprintf(path + strlen(path), sizeof path - strlen(path), "%d%s", (int)getpid(), number + 2);
  if (begin(path, FLAG_PRELOADED | (getenv("OFFCUT_NATIVE_GO") ? FLAG_GO : 0))) {
    note_modules();
    samples_are_taken();
    start_thread();
  }
  unsetenv("OFFCUT_NATIVE_FILE");
  leave_environment();
  self.inside = 0;
}

/* ---- in a JVM */

static void leave(void) {
  atomic_store(&sampling, false);
  names_end();
  jvm_unwatch();
  bool whole = unpatch_libraries();
  if (wait_until(nobody_works, DETACH_MS)) table_clear();
  if (whole) atomic_store(&header->state, STATE_DETACHED);
}

static bool start_in(JavaVM *vm, JNIEnv *env, const char *path) {
  if (!jvm_find(vm) || !begin(path, FLAG_JVM)) return false;
  if (!jvm_watch(env)) {
    leave();
    return false;
  }
  atomic_store(&patching_on, true);
  patch_new_libraries(true);
  samples_are_taken();
  if (names_start(env)) return true;
  leave();
  return false;
}

static bool attach(JavaVM *vm, JNIEnv *env, const char *path) {
  if (is_off() || atomic_flag_test_and_set(&changing)) return false;
  bool ready = !header || (atomic_load(&header->state) == STATE_DETACHED && nobody_works() && names_have_ended());
  self.inside++;
  if (ready && header) table_clear(); /* if detach could not */
  bool done = ready && start_in(vm, env, path);
  self.inside--;
  atomic_flag_clear(&changing);
  return done;
}

static void JNICALL detach0(JNIEnv *env UNUSED, jclass type UNUSED) {
  if (!header || atomic_flag_test_and_set(&changing)) return;
  self.inside++;
  if (atomic_load(&sampling) && header->flags & FLAG_JVM) leave(); /* a preloaded library has no slots */
  self.inside--;
  atomic_flag_clear(&changing);
}

static jboolean JNICALL attach0(JNIEnv *env, jclass type UNUSED, jstring file) {
  JavaVM *vm = NULL;
  const char *path = file && (*env)->GetJavaVM(env, &vm) == JNI_OK ? (*env)->GetStringUTFChars(env, file, NULL) : NULL;
  if (!path) return JNI_FALSE;
  bool done = attach(vm, env, path);
  (*env)->ReleaseStringUTFChars(env, file, path);
  return done ? JNI_TRUE : JNI_FALSE;
}

/* About how many bytes of malloc are live that native libraries took for Java, other than the JVM. */
static jlong JNICALL held0(JNIEnv *env UNUSED, jclass type UNUSED) {
  int64_t bytes = 0;
  for (uint32_t i = 1; header && i < stacks_in_use(); i++) {
    struct stack *stack = stack_of(i);
    bool is_its = stack && stack->kind == KIND_MALLOC && stack->java_count && stack->native_count;
    if (is_its && !in_jvm(*(uintptr_t *)(stack + 1))) bytes += atomic_load(&stack->live_bytes);
  }
  return bytes;
}

/* The class is the agent's; other programs that load the library have none. */
static void register_methods(JNIEnv *env) {
  static const JNINativeMethod methods[] = {
      {(char *)"detach0", (char *)"()V", (void *)detach0},
      {(char *)"held0", (char *)"()J", (void *)held0},
      {(char *)"attach0", (char *)"(Ljava/lang/String;)Z", (void *)attach0},
  };
  jclass type = (*env)->FindClass(env, "dev/offcut/agent/publish/NativeMemory");
  if (jni_failed(env) || !type) return;
  (*env)->RegisterNatives(env, type, methods, sizeof methods / sizeof *methods);
  jni_failed(env);
}

EXPORTED jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved UNUSED) {
  JNIEnv *env = NULL;
  if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK) register_methods(env);
  return JNI_VERSION_1_6;
}

/* What is live when the JVM ends stays in the file: what is freed from now on is freed by the end. Frames that are new get their names
   now; who comes here while another thread starts or detaches leaves all as it is. */
void jvm_ends(JNIEnv *env) {
  if (atomic_flag_test_and_set(&changing)) return;
  self.inside++;
  if (atomic_exchange(&sampling, false)) {
    names_end();
    atomic_store(&patching_on, false);
    names_finish(env);
    atomic_store(&header->state, STATE_ENDED);
  }
  self.inside--;
  atomic_flag_clear(&changing);
}
