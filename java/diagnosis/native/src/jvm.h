/* The part of jvm.c and names.c that needs the JVM's headers. */
#ifndef OFFCUT_JVM_H
#define OFFCUT_JVM_H

#include <jni.h>
#include <jvmti.h>

#include "core.h"

extern JavaVM *jvm;
extern jvmtiEnv *tools;

bool jvm_find(JavaVM *vm);           /* false: no JVM that can be asked */
bool jvm_watch(JNIEnv *env);         /* methods get ids, so that stacks are whole */
bool jvm_property(JNIEnv *env, const char *name, char *value, size_t size);
bool names_start(JNIEnv *env);       /* the sampler's thread begins */

#endif
