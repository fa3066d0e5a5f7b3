/*
 * The sampler's own thread, once a second: patches libraries that came, names new frames, notes which roots wait for the collector's
 * references, and adds to the series.
 *
 * It is a thread of the JVM (RunAgentThread). A class may be unloaded before its methods were named; then its frames stay without a name.
 * What this thread allocates is not looked at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jvm.h"

enum { ROW_FROM_BYTES = 1 << 20, STACK_DEPTH = 64 };

/* ---- what JNI gives; an exception means that there is nothing */

static bool failed(JNIEnv *env) {
  if (!(*env)->ExceptionCheck(env)) return false;
  (*env)->ExceptionClear(env);
  return true;
}

static jobject call(JNIEnv *env, jobject on, const char *class_name, const char *method, const char *signature) {
  jclass type = on ? (*env)->FindClass(env, class_name) : NULL;
  if (failed(env) || !type) return NULL;
  jmethodID id = (*env)->GetMethodID(env, type, method, signature);
  if (failed(env)) return NULL;
  jobject found = (*env)->CallObjectMethod(env, on, id);
  return failed(env) ? NULL : found;
}

/* Where a class was loaded from; 0 for classes of the JDK. Places of equal sources are equal as long as few sources alternate. */
static uint32_t source_of(JNIEnv *env, jclass type) {
  enum { KNOWN = 64 };
  static uint32_t known[KNOWN];
  static int next;
  jobject domain = call(env, type, "java/lang/Class", "getProtectionDomain", "()Ljava/security/ProtectionDomain;");
  jobject source = call(env, domain, "java/security/ProtectionDomain", "getCodeSource", "()Ljava/security/CodeSource;");
  jobject location = call(env, source, "java/security/CodeSource", "getLocation", "()Ljava/net/URL;");
  jstring text = call(env, location, "java/lang/Object", "toString", "()Ljava/lang/String;");
  const char *bytes = text ? (*env)->GetStringUTFChars(env, text, NULL) : NULL;
  if (!bytes) {
    failed(env);
    return 0;
  }
  uint32_t place = 0;
  for (int i = 0; i < KNOWN && !place; i++) {
    if (known[i] && !strcmp(table_text(known[i]), bytes)) place = known[i];
  }
  if (!place && strncmp(bytes, "jrt:/java.", 10) && strncmp(bytes, "jrt:/jdk.", 9)) {
    place = table_string(bytes);
    known[next++ % KNOWN] = place;
  }
  (*env)->ReleaseStringUTFChars(env, text, bytes);
  return place;
}

/* ---- classes and frames */

enum { CLASS_HASHES = 1 << 14 };
static struct {
  uint32_t name; /* a class is known by name and source; two of one name and loader differ in nothing that is shown */
  uint32_t number;
} class_index[CLASS_HASHES];

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
  entry.flags = entry.source ? 0 : CLASS_OF_JDK;
  uint32_t i = hash_text(name) % CLASS_HASHES;
  for (; class_index[i].number; i = (i + 1) % CLASS_HASHES) {
    struct class_entry *known = class_at(class_index[i].number);
    if (known->source == entry.source && !strcmp(table_text(known->name), name)) return class_index[i].number;
  }
  entry.name = table_string(name);
  char *file = NULL;
  if ((*tools)->GetSourceFileName(tools, type, &file) == JVMTI_ERROR_NONE) {
    entry.file = table_string(file);
    (*tools)->Deallocate(tools, (unsigned char *)file);
  }
  return class_index[i].number = class_add(entry);
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
  jmethodID method = (jmethodID)(uintptr_t)frame->method;
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

static void name_new_frames(JNIEnv *env) {
  static uint32_t named;
  uint32_t count = atomic_load(&header->sections[SECTION_FRAMES].count);
  if (count > header->sections[SECTION_FRAMES].capacity) count = (uint32_t)header->sections[SECTION_FRAMES].capacity;
  for (; named < count; named++) {
    if ((*env)->PushLocalFrame(env, 16)) {
      failed(env);
      return;
    }
    /* Its writer may not have come to the method yet; then it is looked at again in a second. */
    bool whole = frame_at(named)->method != 0;
    if (whole) name_frame(env, frame_at(named));
    (*env)->PopLocalFrame(env, NULL);
    if (!whole) return;
  }
}

/* ---- roots: whose outermost method waits for references? */

static bool waits_for_references(jmethodID method) {
  jclass type = NULL;
  char *signature = NULL;
  if ((*tools)->GetMethodDeclaringClass(tools, method, &type) != JVMTI_ERROR_NONE ||
      (*tools)->GetClassSignature(tools, type, &signature, NULL) != JVMTI_ERROR_NONE) {
    return false;
  }
  bool found = !strncmp(signature, "Ljava/lang/ref/ReferenceQueue", 29) || !strcmp(signature, "Ljava/lang/ref/Reference;") ||
               !strcmp(signature, "Ljava/lang/ref/Reference$ReferenceHandler;");
  (*tools)->Deallocate(tools, (unsigned char *)signature);
  return found;
}

/* Asked only if a root is new: each thread stops for the moment in which its stack is read. */
static void find_collectors_roots(JNIEnv *env) {
  static uint32_t looked_at;
  uint32_t count = roots_in_use();
  if (count == looked_at || (*env)->PushLocalFrame(env, 512)) return;
  looked_at = count;
  jvmtiStackInfo *stacks = NULL;
  jint threads = 0;
  if ((*tools)->GetAllStackTraces(tools, STACK_DEPTH, &stacks, &threads) == JVMTI_ERROR_NONE) {
    for (jint i = 0; i < threads; i++) {
      bool waits = false;
      jint outermost = stacks[i].frame_count - 1;
      for (jint k = 0; k <= outermost && !waits; k++) waits = waits_for_references(stacks[i].frame_buffer[k].method);
      while (outermost > 0 && is_run_of_thread((uint64_t)(uintptr_t)stacks[i].frame_buffer[outermost].method)) outermost--;
      if (waits) root_is_collectors((uint64_t)(uintptr_t)stacks[i].frame_buffer[outermost].method);
    }
    (*tools)->Deallocate(tools, (unsigned char *)stacks);
  }
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
    if (!number || class_at(number)->flags & CLASS_OF_JDK) continue;
    if (is_of_program(class_at(number))) return frames[i];
    if (outside == NO_FRAME) outside = frames[i];
  }
  return outside;
}

static bool is_same_line(uint32_t a, uint32_t b) {
  const struct frame *one = frame_at(a), *other = frame_at(b);
  return one->class_number == other->class_number && one->line == other->line && one->name == other->name;
}

static void add_to_series(uint64_t second) {
  uint64_t sums[64] = {0};
  uint32_t stacks = stacks_in_use();
  for (uint32_t i = 1; i < stacks; i++) {
    struct stack *stack = stack_of(i);
    if (!stack || stack->kind != KIND_MALLOC) continue;
    int64_t live = atomic_load_explicit(&stack->live_bytes, memory_order_relaxed); /* a figure */
    uint32_t row = atomic_load_explicit(&stack->row, memory_order_relaxed);        /* only this thread writes it */
    if (!row && live >= ROW_FROM_BYTES) {
      uint32_t frame = line_frame(stack);
      if (frame != NO_FRAME) row = row_for(frame, (uint32_t)second, is_same_line);
      atomic_store_explicit(&stack->row, row, memory_order_relaxed);
    }
    if (row && live > 0) sums[row - 1] += (uint64_t)live;
  }
  rows_add(sums);
}

/* ---- the thread */

static void note_main(JNIEnv *env);

static void note_main_once(JNIEnv *env) {
  if (header->main_source || (*env)->PushLocalFrame(env, 32)) return;
  note_main(env);
  (*env)->PopLocalFrame(env, NULL);
}

static void JNICALL run(jvmtiEnv *unused, JNIEnv *env, void *none) {
  (void)unused;
  (void)none;
  self.inside = 1;
  for (;;) {
    if (atomic_load(&patching_on)) patch_new_libraries();
    if (atomic_load(&sampling)) {
      note_main_once(env);
      name_new_frames(env);
      note_modules();
      find_collectors_roots(env);
      add_to_series(now_ms() / 1000);
      atomic_store_explicit(&header->now_ms, now_ms(), memory_order_relaxed); /* a figure */
    }
    usleep(1000000);
  }
}

/* The main class, and where it is from: with -jar the class is known only once the launcher has loaded it. */
static void note_main(JNIEnv *env) {
  char command[1000];
  if (header->main_source || !jvm_property(env, "sun.java.command", command, sizeof command)) return;
  char *blank = strchr(command, ' ');
  if (blank) *blank = 0;
  if (!header->main_class) header->main_class = table_string(command);
  jclass launcher = (*env)->FindClass(env, "sun/launcher/LauncherHelper");
  if (failed(env) || !launcher) return;
  jfieldID field = (*env)->GetStaticFieldID(env, launcher, "appClass", "Ljava/lang/Class;");
  jclass type = failed(env) ? NULL : (*env)->GetStaticObjectField(env, launcher, field);
  if (!type) return;
  uint32_t number = class_number(env, type);
  if (!number) return;
  header->main_class = class_at(number)->name;
  header->main_source = class_at(number)->source;
}

bool names_start(JNIEnv *env) {
  jclass type = (*env)->FindClass(env, "java/lang/Thread");
  if (failed(env)) return false;
  jmethodID make = (*env)->GetMethodID(env, type, "<init>", "(Ljava/lang/String;)V");
  jstring name = (*env)->NewStringUTF(env, "offcut-native");
  jobject thread = failed(env) ? NULL : (*env)->NewObject(env, type, make, name);
  if (failed(env) || !thread) return false;
  return (*tools)->RunAgentThread(tools, thread, run, NULL, JVMTI_THREAD_NORM_PRIORITY) == JVMTI_ERROR_NONE;
}
