/*
 * The file in which the sampler keeps what it knows, and which the command reads, also after kill -9.
 *
 * One mapping, little-endian, 64-bit. A header, then sections; the header says where each begins, how large an entry is and how many
 * there are. Nothing in it is a pointer. Entries are written before the number that makes them visible (a release store), so that a
 * reader never sees half of one; figures change at any time, and a reader takes each by itself.
 */
#ifndef OFFCUT_LAYOUT_H
#define OFFCUT_LAYOUT_H

#include <stdatomic.h>
#include <stdint.h>

#define LAYOUT_MAGIC "OFFCUTM1" /* the last character is the version */

enum section_name {
  SECTION_SAMPLES, /* struct sample: the live blocks that were sampled, a hash table */
  SECTION_STACKS,  /* uint64_t: where in SECTION_ARENA the stack with this number is; 0 is no stack */
  SECTION_ARENA,   /* bytes: struct stack, strings */
  SECTION_FRAMES,  /* struct frame: Java methods with a position in them */
  SECTION_CLASSES, /* struct class_entry */
  SECTION_REGIONS, /* struct region: what native libraries mapped */
  SECTION_MODULES, /* struct module: programs and libraries of the process */
  SECTION_ROOTS,   /* struct root: where threads that freed samples begin */
  SECTION_ROWS,    /* struct row: series of the largest lines */
  SECTION_COUNT
};

struct section {
  uint64_t offset;
  uint64_t capacity; /* entries */
  uint32_t entry_bytes;
  _Atomic uint32_t count; /* entries in use, of sections that only grow; those below it are whole */
};

enum header_flag { FLAG_JVM = 1, FLAG_GO = 2, FLAG_PRELOADED = 4, FLAG_LATE = 8 /* came to a running program */ };

struct header {
  char magic[8];
  uint64_t file_bytes;
  uint64_t start_epoch_ms;
  uint32_t pid;
  uint32_t flags;
  uint64_t first_mean; /* bytes: on average one sample in so many */
  struct section sections[SECTION_COUNT];
  uint32_t main_class;  /* string; 0: not known */
  uint32_t main_source; /* string: where the main class is from; 0: not known */
  /* what the sampler could not see, and what it cost */
  _Atomic uint32_t mean_shift;  /* the mean is first_mean << mean_shift by now */
  _Atomic uint32_t state;       /* 1: samples are taken; 2: detached; 3: the process ended in order */
  _Atomic uint64_t now_ms;      /* since the start; the last second that was seen */
  _Atomic uint64_t sampled;     /* samples taken */
  _Atomic uint64_t unrecorded;  /* samples without a place in the table */
  _Atomic uint64_t without_stack; /* samples without a Java stack, since a collection was running */
  _Atomic uint64_t full_stacks; /* samples whose stack found no place */
  _Atomic uint64_t full_regions;
  _Atomic uint64_t own_ns;      /* CPU time that samples took */
  _Atomic uint64_t patched;     /* slots of libraries that lead here */
  _Atomic uint64_t foreign;     /* slots that lead to another allocator, and were left alone */
};

/* A sampled block that was not freed. 24 bytes. */
struct sample {
  _Atomic uint64_t address; /* 0: free, 1: being written */
  uint64_t size_and_shift;  /* the size in the lower 56 bits; above, the shift of the mean by which it was sampled */
  uint32_t born_ms;         /* since the start */
  uint32_t stack;
};

enum stack_kind { KIND_MALLOC = 0, KIND_MAPPED = 1, KIND_THREAD = 2 };

enum { STACK_FREERS = 4, THREAD_NAME_BYTES = 16 };

struct freer {
  _Atomic uint32_t root; /* number of a root + 1; 0: none yet */
  uint32_t reserved;
  _Atomic uint64_t bytes;
  _Atomic uint64_t byte_ms; /* bytes times the time that they lived */
};

#define NO_FRAME 0xffffffffu

/* A stack, and figures of the blocks that were sampled with it; all bytes are estimates. Then native_count addresses, innermost first,
   and java_count numbers of frames. */
struct stack {
  uint64_t hash;
  uint32_t number;
  uint16_t native_count;
  uint16_t java_count;
  int16_t java_error; /* why there are no Java frames: what AsyncGetCallTrace said */
  uint8_t kind;
  uint8_t depth_cut; /* 1: there were more frames */
  char thread[THREAD_NAME_BYTES]; /* of stacks without Java frames, digits as '#' */
  uint32_t creator; /* the stack that started the thread, of threads without Java frames; 0: not known */
  uint32_t hint;    /* the last stack with Java frames that was seen in the same library; 0: none */
  _Atomic uint32_t row;
  uint32_t reserved;
  _Atomic int64_t live_bytes;
  _Atomic uint64_t allocated_bytes;
  _Atomic uint64_t allocations; /* samples */
  _Atomic uint64_t freed_elsewhere; /* bytes that were freed by a thread without Java frames, or by more roots than `freers` has room for */
  struct freer freers[STACK_FREERS];
};

/* A place in a Java method. Named by the sampler's thread, a moment after it was first seen. */
struct frame {
  uint64_t method;
  int32_t position; /* in the bytecode; negative: a native method or not known */
  int32_t line;     /* -1: not known */
  _Atomic uint32_t class_number; /* 0: not named */
  uint32_t name; /* string: where it begins in the arena */
};

struct class_entry {
  uint32_t name;   /* string, with dots */
  uint32_t file;   /* string; 0: not known */
  uint32_t source; /* string: where the class was loaded from; 0: the JDK */
  uint32_t flags;  /* CLASS_… */
};

enum { CLASS_OF_JDK = 1, CLASS_OF_PROGRAM = 2 };

/* The outermost method of a thread, below the run methods of java.lang.Thread. Root 0 is a thread without Java frames. */
struct root {
  _Atomic uint64_t method;
  uint32_t frame;
  _Atomic uint32_t of_collector; /* 1: a thread that begins so waits for references that the collector enqueues */
};

struct region {
  _Atomic uint64_t begin; /* 0: free */
  uint64_t bytes;
  uint32_t born_ms;
  uint32_t stack;
};

struct module {
  uint64_t begin, end;
  uint64_t bias; /* address in memory - address in the file */
  uint32_t path; /* string */
  _Atomic uint32_t gone_ms; /* unloaded by then; 0: it is there */
  uint8_t build_id[20];
  uint32_t build_id_bytes;
};

enum { ROW_SECONDS = 600, ROW_MINUTES = 1440 };

/* Live bytes of one line over time, in KiB. */
struct row {
  uint32_t frame; /* the line: number of a frame */
  uint32_t first_s; /* second of the first value */
  _Atomic uint32_t seconds; /* values so far; the ring has the last ROW_SECONDS */
  _Atomic uint32_t minutes;
  uint32_t by_second[ROW_SECONDS];
  uint32_t by_minute[ROW_MINUTES];
};

#endif
