/* The part of jvm.c, names.c and start.c that needs the JVM's headers. No function here is called by a hook. */
#ifndef OFFCUT_JVM_H
#define OFFCUT_JVM_H

#include <jni.h>
#include <jvmti.h>

#include "core.h"

extern JavaVM *jvm;
extern jvmtiEnv *tools;

bool jvm_find(JavaVM *vm);  /* false: no JVM that can be asked */
bool jvm_watch(JNIEnv *env); /* methods get ids, so that stacks are whole */
void jvm_unwatch(void);
bool jni_failed(JNIEnv *env); /* and the exception is cleared */
bool names_start(JNIEnv *env);  /* the sampler's thread begins */
void names_end(void);           /* it is told to end */
bool names_have_ended(void);    /* waits for it, at most two seconds */
void names_finish(JNIEnv *env); /* what it would have done in its next turn; the JVM ends */
void jvm_ends(JNIEnv *env);     /* start.c */

#endif
