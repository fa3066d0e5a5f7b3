/*
 * The sampler's own thread. Ten times a second it names new frames, notes which roots wait for the collector's references, and looks at
 * the rows; once a second it patches libraries that came, and adds to the series. A turn of it is one pass over these.
 *
 * It is a thread of the JVM (RunAgentThread). A class may be unloaded before its methods were named; then its frames stay without a name.
 * What this thread allocates is not looked at. It works in the tables (work_begins) for each turn, so that detach waits for its end.
 *
 * `stop` is 0 while the thread is wanted; names_end sets it to 1 and wakes the thread, which ends its turn early and returns to the JVM.
 * When the JVM ends, the thread that ends it takes the last turn (names_finish; 2). `turning` lets one of the two in; all other state here
 * is theirs, in turn.
 */
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "jvm.h"

enum { ROW_FROM_BYTES = 1 << 20, STACK_DEPTH = 64, MOST_THREADS = 4096, END_MS = 2000, TICK_NS = 100000000, TICKS_A_SECOND = 10, LOOKS_AT_ROOTS = 20 };

static _Atomic uint32_t stop = 1;
static _Atomic bool thread_is_there;
static atomic_flag turning = ATOMIC_FLAG_INIT;

/* ---- what JNI gives; an exception means that there is nothing */

static bool has_room(JNIEnv *env, jint references) { /* for these; PopLocalFrame gives it back */
  bool refused = (*env)->PushLocalFrame(env, references) != 0;
  if (refused) jni_failed(env);
  return !refused;
}

static jobject call(JNIEnv *env, jobject on, const char *class_name, const char *method, const char *signature) {
  jclass type = on ? (*env)->FindClass(env, class_name) : NULL;
  if (jni_failed(env) || !type) return NULL;
  jmethodID id = (*env)->GetMethodID(env, type, method, signature);
  if (jni_failed(env)) return NULL;
  jobject found = (*env)->CallObjectMethod(env, on, id);
  return jni_failed(env) ? NULL : found;
}

enum { SOURCES = 64 };
static uint32_t sources[SOURCES];
static uint32_t next_source;

/* Where a class was loaded from; 0 for classes of the JDK. Places of equal sources are equal as long as few sources alternate. */
static uint32_t source_of(JNIEnv *env, jclass type) {
  jobject domain = call(env, type, "java/lang/Class", "getProtectionDomain", "()Ljava/security/ProtectionDomain;");
  jobject source = call(env, domain, "java/security/ProtectionDomain", "getCodeSource", "()Ljava/security/CodeSource;");
  jobject location = call(env, source, "java/security/CodeSource", "getLocation", "()Ljava/net/URL;");
  jstring text = call(env, location, "java/lang/Object", "toString", "()Ljava/lang/String;");
  const char *bytes = text ? (*env)->GetStringUTFChars(env, text, NULL) : NULL;
  if (!bytes) {
    jni_failed(env);
    return 0;
  }
  uint32_t place = 0;
  for (int i = 0; i < SOURCES && !place; i++) {
    if (sources[i] && !strcmp(table_text(sources[i]), bytes)) place = sources[i];
  }
  if (!place && strncmp(bytes, "jrt:/java.", 10) && strncmp(bytes, "jrt:/jdk.", 9)) {
    place = table_string(bytes);
    sources[next_source++ % SOURCES] = place;
  }
  (*env)->ReleaseStringUTFChars(env, text, bytes);
  return place;
}

/* ---- classes and frames */

/* Numbers of classes, by their names' hashes. A class is known by name and source; two of one name and loader differ in nothing shown. */
enum { CLASS_HASHES = 1 << 15 };
static uint32_t class_index[CLASS_HASHES];

static uint32_t hash_text(const char *text) {
  uint32_t hash = 2166136261u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

static uint32_t class_number(JNIEnv *env, jclass type) {
  char *signature = NULL;
  if ((*tools)->GetClassSignature(tools, type, &signature, NULL) != JVMTI_ERROR_NONE) return 0;
  char name[1000];
  snprintf(name, sizeof name, "%s", signature + (*signature == 'L'));
  (*tools)->Deallocate(tools, (unsigned char *)signature);
  for (char *c = name; *c; c++) {
    if (*c == '/') *c = '.';
    if (*c == ';') *c = 0;
  }
  jobject loader = NULL;
  (*tools)->GetClassLoader(tools, type, &loader);
  struct class_entry entry = {.source = loader ? source_of(env, type) : 0};
  uint32_t i = hash_text(name) % CLASS_HASHES;
  for (; class_index[i]; i = (i + 1) % CLASS_HASHES) { /* one is free, since there are fewer classes */
    struct class_entry *known = class_at(class_index[i]);
    if (known->source == entry.source && !strcmp(table_text(known->name), name)) return class_index[i];
  }
  if (classes_full()) return 0; /* before the arena is used for nothing */
  entry.name = table_string(name);
  char *file = NULL;
  if ((*tools)->GetSourceFileName(tools, type, &file) == JVMTI_ERROR_NONE) {
    entry.file = table_string(file);
    (*tools)->Deallocate(tools, (unsigned char *)file);
  }
  return class_index[i] = class_add(&entry);
}

static int line_of(jmethodID method, int32_t position) {
  jvmtiLineNumberEntry *lines = NULL;
  jint count = 0;
  int line = -1;
  if (position < 0 || (*tools)->GetLineNumberTable(tools, method, &count, &lines) != JVMTI_ERROR_NONE) return -1;
  jlocation best = -1;
  for (jint i = 0; i < count; i++) {
    if (lines[i].start_location <= position && lines[i].start_location > best) {
      best = lines[i].start_location;
      line = lines[i].line_number;
    }
  }
  (*tools)->Deallocate(tools, (unsigned char *)lines);
  return line;
}

static void name_frame(JNIEnv *env, struct frame *frame) {
  jmethodID method = (jmethodID)(uintptr_t)atomic_load_explicit(&frame->method, memory_order_acquire); /* the frame is whole */
  jclass type = NULL;
  char *name = NULL;
  if (!method || (*tools)->GetMethodDeclaringClass(tools, method, &type) != JVMTI_ERROR_NONE) return;
  if ((*tools)->GetMethodName(tools, method, &name, NULL, NULL) == JVMTI_ERROR_NONE) {
    frame->name = table_string(name);
    (*tools)->Deallocate(tools, (unsigned char *)name);
    frame->line = line_of(method, frame->position);
    atomic_store_explicit(&frame->class_number, class_number(env, type), memory_order_release); /* the name is whole */
  }
}

static uint32_t named; /* so many frames were looked at */
static int turns_waited; /* for the next one */

static void name_new_frames(JNIEnv *env) {
  uint32_t count = frames_in_use();
  for (; named < count && atomic_load(&stop) != 1; named++) {
    if (!has_room(env, 16)) return;
    /* Its writer may not have come to the method yet, or has never got room for it. */
    bool whole = frame_is_there(named);
    if (whole) name_frame(env, frame_at(named));
    (*env)->PopLocalFrame(env, NULL);
    if (!whole && turns_waited++ < 5) return;
    turns_waited = 0;
  }
}

/* ---- roots: whose outermost method waits for references? */

static uint32_t roots_seen, looks_due;

static void look_at_thread(jthread thread) {
  jvmtiFrameInfo frames[STACK_DEPTH];
  jint count = 0;
  bool waits = false;
  if ((*tools)->GetStackTrace(tools, thread, 0, STACK_DEPTH, frames, &count) != JVMTI_ERROR_NONE || count == STACK_DEPTH) return;
  for (jint i = 0; i < count && !waits; i++) waits = is_of_references((uint64_t)(uintptr_t)frames[i].method);
  if (!waits) return;
  while (count > 1 && is_run_of_thread((uint64_t)(uintptr_t)frames[count - 1].method)) count--;
  root_is_collectors((uint64_t)(uintptr_t)frames[count - 1].method);
}

/* Asked for some time after a root came: its thread may be freeing just then. And at first: the agent replaces methods while they run,
   and the old form of one has no id, and is missing in stacks, until JVMTI has seen it. One thread at a time stands still, and never all. */
static void find_collectors_roots(JNIEnv *env, bool ends) {
  uint32_t count = roots_in_use();
  if (count != roots_seen) looks_due = LOOKS_AT_ROOTS;
  if ((!looks_due && !ends) || !has_room(env, 512)) return;
  jthread *threads = NULL;
  jint thread_count = 0;
  if ((*tools)->GetAllThreads(tools, &thread_count, &threads) == JVMTI_ERROR_NONE) {
    for (jint i = 0; i < thread_count && i < MOST_THREADS && atomic_load(&stop) != 1; i++) look_at_thread(threads[i]);
    (*tools)->Deallocate(tools, (unsigned char *)threads);
  }
  roots_seen = count;
  looks_due -= looks_due > 0;
  (*env)->PopLocalFrame(env, NULL);
}

/* ---- series of lines */

static bool is_of_program(const struct class_entry *type) {
  return type->source && header->main_source && type->source == header->main_source;
}

/* A rough form of the rule by which the command chooses lines: a series only has to be of one line. */
static uint32_t line_frame(struct stack *stack) {
  uint32_t *frames = stack_java(stack);
  uint32_t outside = NO_FRAME;
  for (int i = 0; i < stack->java_count; i++) {
    uint32_t number = atomic_load_explicit(&frame_at(frames[i])->class_number, memory_order_acquire);
    if (!number || !class_at(number)->source) continue;
    if (is_of_program(class_at(number))) return frames[i];
    if (outside == NO_FRAME) outside = frames[i];
  }
  return outside;
}

static bool is_same_line(uint32_t a, uint32_t b) {
  const struct frame *one = frame_at(a), *other = frame_at(b);
  return one->class_number == other->class_number && one->line == other->line && one->name == other->name;
}

static uint64_t second_added; /* the last that the series have */

/* A look at each row, and one value for each second, also for those in which the thread did not run. */
static void add_to_series(uint64_t second) {
  uint64_t sums[ROWS] = {0};
  uint64_t missing = second > second_added ? second - second_added : 0;
  second_added = second;
  uint32_t stacks = stacks_in_use();
  for (uint32_t i = 1; i < stacks; i++) {
    struct stack *stack = stack_of(i);
    if (!stack || stack->kind != KIND_MALLOC) continue;
    int64_t live = atomic_load_explicit(&stack->live_bytes, memory_order_relaxed); /* a figure */
    uint32_t row = atomic_load_explicit(&stack->row, memory_order_relaxed);        /* only this thread writes it */
    if (!row && live >= ROW_FROM_BYTES) {
      uint32_t frame = line_frame(stack);
      if (frame != NO_FRAME) row = row_for(frame, (uint32_t)(second - missing + 1), is_same_line);
      atomic_store_explicit(&stack->row, row, memory_order_relaxed);
    }
    if (row && live > 0) sums[row - 1] += (uint64_t)live;
  }
  rows_add(sums, (uint32_t)missing);
}

/* The main class, and where it is from: with -jar the class is known only once the launcher has loaded it. */
static void note_main(JNIEnv *env) {
  char *command = NULL;
  if ((*tools)->GetSystemProperty(tools, "sun.java.command", &command) != JVMTI_ERROR_NONE) return;
  char *blank = strchr(command, ' ');
  if (blank) *blank = 0;
  if (!header->main_class) header->main_class = table_string(command);
  (*tools)->Deallocate(tools, (unsigned char *)command);
  jclass launcher = (*env)->FindClass(env, "sun/launcher/LauncherHelper");
  if (jni_failed(env) || !launcher) return;
  jfieldID field = (*env)->GetStaticFieldID(env, launcher, "appClass", "Ljava/lang/Class;");
  jclass type = jni_failed(env) ? NULL : (*env)->GetStaticObjectField(env, launcher, field);
  if (!type) return;
  uint32_t number = class_number(env, type);
  if (!number) return;
  header->main_class = class_at(number)->name;
  header->main_source = class_at(number)->source;
}

/* ---- the thread */

static void turn(JNIEnv *env, bool ends) {
  static uint64_t residence_noted;
  if (!header->main_source && has_room(env, 32)) {
    note_main(env);
    (*env)->PopLocalFrame(env, NULL);
  }
  name_new_frames(env);
  if (now_ms() / 1000 != second_added || ends) note_modules();
  find_collectors_roots(env, ends);
  add_to_series(now_ms() / 1000);
  if (ends || (second_added % RESIDENCE_S == 0 && second_added != residence_noted)) {
    residence_noted = second_added;
    note_residence(weight);
  }
  atomic_store_explicit(&header->now_ms, now_ms(), memory_order_relaxed); /* a figure */
}

static void take_turn(JNIEnv *env) {
  if (atomic_flag_test_and_set(&turning)) return;
  if (work_begins()) {
    turn(env, false);
    work_ends();
  }
  atomic_flag_clear(&turning);
}

static void JNICALL run(jvmtiEnv *own UNUSED, JNIEnv *env, void *none UNUSED) {
  self.inside = 1;
  uint64_t patched = 0;
  bool again = false;
  for (int tick = 0; !atomic_load(&stop); tick++) {
    if (tick % TICKS_A_SECOND == 0) {
      patch_new_libraries(again); /* see patch.c: slots that were bound meanwhile */
      again = atomic_load(&header->patched) != patched;
      patched = atomic_load(&header->patched);
    }
    take_turn(env);
    struct timespec pause = {0, TICK_NS};
    syscall(SYS_futex, &stop, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, &pause, NULL, 0); /* returns at once if `stop` is set */
  }
  atomic_store(&thread_is_there, false);
}

void names_end(void) {
  atomic_store(&stop, 1);
  syscall(SYS_futex, &stop, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0);
}

static bool thread_is_gone(void) { return !atomic_load(&thread_is_there); }
bool names_have_ended(void) { return wait_until(thread_is_gone, END_MS); }

static bool may_turn(void) { return !atomic_flag_test_and_set(&turning); }

/* The flag stays set: nobody turns afterwards. */
void names_finish(JNIEnv *env) {
  if (!wait_until(may_turn, END_MS)) return;
  atomic_store(&stop, 2); /* this turn goes to its end */
  turn(env, true);
}

static jobject new_thread(JNIEnv *env) {
  jclass type = (*env)->FindClass(env, "java/lang/Thread");
  if (jni_failed(env)) return NULL;
  jmethodID make = (*env)->GetMethodID(env, type, "<init>", "(Ljava/lang/String;)V");
  if (jni_failed(env)) return NULL;
  jstring name = (*env)->NewStringUTF(env, "offcut-native");
  if (jni_failed(env)) return NULL;
  jobject thread = (*env)->NewObject(env, type, make, name);
  return jni_failed(env) ? NULL : thread;
}

/* The table is new, and knows nothing of what an earlier one knew. */
bool names_start(JNIEnv *env) {
  if (generation > 1) memset(class_index, 0, sizeof class_index); /* at first it takes no memory */
  memset(sources, 0, sizeof sources);
  second_added = named = roots_seen = 0;
  looks_due = LOOKS_AT_ROOTS;
  jobject thread = new_thread(env);
  if (!thread) return false;
  atomic_store(&stop, 0);
  atomic_store(&thread_is_there, true);
  if ((*tools)->RunAgentThread(tools, thread, run, NULL, JVMTI_THREAD_NORM_PRIORITY) == JVMTI_ERROR_NONE) return true;
  atomic_store(&thread_is_there, false);
  atomic_store(&stop, 1);
  return false;
}
