/*
 * Java stacks.
 *
 * AsyncGetCallTrace answers at any moment and is quick. It is right for JNI, but wrong for a compiled downcall of java.lang.foreign,
 * where it looks for debug information behind the call: then the thread is in native code, and JVMTI is asked. For a critical downcall
 * the thread counts as in Java; JVMTI must not be asked then (it leaves the thread's state broken), and AsyncGetCallTrace is told the
 * registers of the first frame without unwind data, at the call. In a signal handler nothing is asked: the thread may be anywhere, also
 * in the JVM's handler of a crash.
 *
 * Threads: java_frames by any, in hooks; it uses the room of its argument, since the thread's stack may be small. The rest by the thread
 * that starts, or in events of JVMTI. The sets of methods are written before sampling begins.
 */
#include "jvm.h"

#include <dlfcn.h>
#include <string.h>
#include <ucontext.h>

enum { IN_NATIVE_METHOD = -3, NOT_WALKABLE_JAVA = -5, UNKNOWN_JAVA = -6 };

struct call_frame {
  jint position;
  jmethodID method;
};
struct call_trace {
  JNIEnv *env;
  jint count;
  struct call_frame *frames;
};

JavaVM *jvm;
jvmtiEnv *tools;
static void (*ask)(struct call_trace *, jint, void *);

_Static_assert(sizeof(struct call_frame) * JAVA_FRAMES == sizeof((struct java_stack *)0)->room, "room for answers");
_Static_assert(sizeof(struct call_frame) == sizeof(jvmtiFrameInfo), "one room for both");

struct method_set {
  uint64_t method[64];
  int count;
};
static struct method_set run_methods, reference_methods;

static bool is_in(const struct method_set *set, uint64_t method) {
  for (int i = 0; i < set->count; i++) {
    if (set->method[i] == method) return true;
  }
  return false;
}

bool is_run_of_thread(uint64_t method) { return is_in(&run_methods, method); }
bool is_of_references(uint64_t method) { return is_in(&reference_methods, method); }

/* The methods of a class whose names begin so. */
static void note_methods(JNIEnv *env, const char *class_name, const char *begins, struct method_set *set) {
  jclass type = (*env)->FindClass(env, class_name);
  if (jni_failed(env)) return;
  jmethodID *methods = NULL;
  jint count = 0;
  if ((*tools)->GetClassMethods(tools, type, &count, &methods) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count && set->count < 64; i++) {
    char *name = NULL;
    if ((*tools)->GetMethodName(tools, methods[i], &name, NULL, NULL) != JVMTI_ERROR_NONE) continue;
    uint64_t method = (uint64_t)(uintptr_t)methods[i];
    if (!strncmp(name, begins, strlen(begins)) && !is_in(set, method)) set->method[set->count++] = method;
    (*tools)->Deallocate(tools, (unsigned char *)name);
  }
  (*tools)->Deallocate(tools, (unsigned char *)methods);
}

/* AsyncGetCallTrace cannot name a method without an id, so each class gets them when it is prepared: 1.3 us a class. */
static void JNICALL on_class(jvmtiEnv *own UNUSED, JNIEnv *env UNUSED, jthread thread UNUSED, jclass type) {
  self.inside++;
  jmethodID *methods = NULL;
  jint count = 0;
  if ((*tools)->GetClassMethods(tools, type, &count, &methods) == JVMTI_ERROR_NONE) {
    (*tools)->Deallocate(tools, (unsigned char *)methods);
  }
  self.inside--;
}

/* Without an event of this kind the JVM's own frames are wrong until a class is loaded. */
static void JNICALL on_load(jvmtiEnv *own UNUSED, JNIEnv *env UNUSED, jthread thread UNUSED, jclass type UNUSED) {}

static void JNICALL on_end(jvmtiEnv *own UNUSED, JNIEnv *env) {
  jvm_ends(env);
}

bool jni_failed(JNIEnv *env) {
  if (!(*env)->ExceptionCheck(env)) return false;
  (*env)->ExceptionClear(env);
  return true;
}

static void watch_classes(jvmtiEventMode mode) {
  (*tools)->SetEventNotificationMode(tools, mode, JVMTI_EVENT_CLASS_LOAD, NULL);
  (*tools)->SetEventNotificationMode(tools, mode, JVMTI_EVENT_CLASS_PREPARE, NULL);
}

void jvm_unwatch(void) { watch_classes(JVMTI_DISABLE); }

bool jvm_watch(JNIEnv *env) {
  jvmtiCapabilities wanted;
  memset(&wanted, 0, sizeof wanted);
  wanted.can_get_line_numbers = 1;
  wanted.can_get_source_file_name = 1;
  if ((*tools)->AddCapabilities(tools, &wanted) != JVMTI_ERROR_NONE) return false;
  /* As long as in the oldest JDK: newer ones append events, and the bytes of this library must not depend on the JDK that built it. */
  void *callbacks[offsetof(jvmtiEventCallbacks, VMObjectAlloc) / sizeof(void *)] = {0};
  callbacks[offsetof(jvmtiEventCallbacks, ClassPrepare) / sizeof(void *)] = (void *)on_class;
  callbacks[offsetof(jvmtiEventCallbacks, ClassLoad) / sizeof(void *)] = (void *)on_load;
  callbacks[offsetof(jvmtiEventCallbacks, VMDeath) / sizeof(void *)] = (void *)on_end;
  if ((*tools)->SetEventCallbacks(tools, (jvmtiEventCallbacks *)callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) return false;
  (*tools)->SetEventNotificationMode(tools, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
  watch_classes(JVMTI_ENABLE);
  note_methods(env, "java/lang/Thread", "run", &run_methods);
  note_methods(env, "jdk/internal/misc/InnocuousThread", "run", &run_methods);
  note_methods(env, "java/lang/ref/ReferenceQueue", "", &reference_methods);
  note_methods(env, "java/lang/ref/Reference", "waitFor", &reference_methods); /* …ReferencePendingList */
  note_methods(env, "java/lang/ref/Finalizer", "runFinalizer", &reference_methods);
  jclass *types = NULL;
  jint count = 0;
  if ((*tools)->GetLoadedClasses(tools, &count, &types) != JVMTI_ERROR_NONE) return false;
  for (jint i = 0; i < count; i++) {
    on_class(tools, env, NULL, types[i]);
    (*env)->DeleteLocalRef(env, types[i]);
  }
  (*tools)->Deallocate(tools, (unsigned char *)types);
  return true;
}

bool jvm_is_here(void) { return ask != NULL; }

bool jvm_find(JavaVM *vm) {
  jvm = vm;
  if (tools && ask) return true; /* it was here before */
  if ((*vm)->GetEnv(vm, (void **)&tools, JVMTI_VERSION_1_2) != JNI_OK) return false;
  void *library = dlopen("libjvm.so", RTLD_LAZY | RTLD_NOLOAD);
  ask = (void (*)(struct call_trace *, jint, void *))dlsym(library ? library : RTLD_DEFAULT, "AsyncGetCallTrace");
  return ask != NULL;
}

static void registers_at(ucontext_t *context, const struct native_stack *native) {
  memset(context, 0, sizeof *context);
#if defined(__x86_64__)
  context->uc_mcontext.gregs[REG_RIP] = (greg_t)(native->last_pc - 1);
  context->uc_mcontext.gregs[REG_RSP] = (greg_t)native->last_sp;
  context->uc_mcontext.gregs[REG_RBP] = (greg_t)native->last_fp;
#else
  context->uc_mcontext.pc = native->last_pc - 1;
  context->uc_mcontext.sp = native->last_sp;
  context->uc_mcontext.regs[29] = native->last_fp;
  context->uc_mcontext.regs[30] = native->last_pc;
#endif
}

/* Whether native code was entered by a compiled downcall: not by a native method, and with no code of the JVM in between. */
static bool is_downcall(const struct call_trace *trace, const struct native_stack *native) {
  if (trace->count <= 0 || trace->frames[0].position == IN_NATIVE_METHOD || !native->count) return false;
  for (int i = 0; i < native->count; i++) {
    if (in_jvm(native->pc[i])) return false;
  }
  return !in_library(native->pc[native->count - 1] - 1); /* unwinding came down to Java */
}

/* Its answer comes to where the frames are, and each becomes one. */
static int ask_tools(uint64_t *room) {
  jint count = 0;
  if ((*tools)->GetStackTrace(tools, NULL, 0, JAVA_FRAMES, (jvmtiFrameInfo *)room, &count) != JVMTI_ERROR_NONE) return 0;
  for (jint i = 0; i < count; i++) {
    jvmtiFrameInfo found;
    memcpy(&found, room + 2 * i, sizeof found);
    struct call_frame frame = {found.location < 0 ? IN_NATIVE_METHOD : (jint)found.location, found.method};
    memcpy(room + 2 * i, &frame, sizeof frame);
  }
  return count;
}

void java_frames(struct java_stack *stack, const struct native_stack *native) {
  stack->count = native->in_signal ? JAVA_NOT_ASKED : 0;
  stack->cut = false;
  JNIEnv *env = NULL;
  if (native->in_signal || !ask || (*jvm)->GetEnv(jvm, (void **)&env, JNI_VERSION_1_6) != JNI_OK || !env) return;
  struct call_frame *frames = (struct call_frame *)stack->room;
  struct call_trace trace = {env, 0, frames};
  ask(&trace, JAVA_FRAMES, NULL);
  if ((trace.count == NOT_WALKABLE_JAVA || trace.count == UNKNOWN_JAVA) && native->count) {
    ucontext_t context;
    registers_at(&context, native);
    ask(&trace, JAVA_FRAMES, &context);
  } else if (is_downcall(&trace, native)) {
    int count = ask_tools(stack->room);
    if (count > 0) trace.count = count;
  }
  if (trace.count <= 0) {
    stack->count = trace.count;
    return;
  }
  for (int i = 0; i < trace.count; i++) {
    if (!frames[i].method) continue; /* a class that came without an event, such as a hidden one of old JDKs */
    uint32_t number = frame_of((uint64_t)(uintptr_t)frames[i].method, frames[i].position);
    if (number == NO_FRAME) break;
    stack->frame[stack->count++] = number;
  }
  stack->cut = trace.count == JAVA_FRAMES;
}
