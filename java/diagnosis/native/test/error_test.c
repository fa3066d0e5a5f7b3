/*
 * A text of dlerror stays whole while its own blocks are sampled: what a hook does must not look anything up by name.
 *
 * Run with the sampler preloaded, a mean of a few blocks, and a C library that overwrites what is freed.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  for (int i = 0; i < 1000; i++) {
    dlsym(RTLD_DEFAULT, "no_such_function");
    const char *said = dlerror();
    if (said && strstr(said, "no_such_function")) continue;
    fprintf(stderr, "dlerror, time %d: %s\n", i, said ? said : "nothing");
    return 1;
  }
  return 0;
}
