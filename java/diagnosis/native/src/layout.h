/*
 * The layout of the file in which the sampler keeps what it knows. The command reads it while the program runs and after kill -9.
 *
 *   0                         struct header
 *   sections[i].offset        section i: `capacity` entries of `entry_bytes` each; sections begin on a multiple of 4,096
 *   file_bytes                end; pages that were never written are holes, and read as zeros
 *
 * Little-endian, 64-bit, no pointers. The magic is written last: a file without it is not a table. All times are milliseconds since
 * start_epoch_ms; those of 32 bits count modulo 2^32. A string is a place in SECTION_ARENA, relative to its begin, and ends with a zero
 * byte; place 0 is no string.
 *
 * A reader sees an entry whole: its writer stores the fields first, and then, by a release store, what makes it visible: the count of
 * the section, the address of a sample or region, the place of a stack, the class number of a frame. Figures change at any time; a
 * reader takes each by itself. A reader checks counts against capacities: a count may run ahead of the last entry for a moment. It reads
 * the file, and does not map it: on tmpfs a hole that is touched takes a page, and raises SIGBUS if the disk is full.
 *
 * The assertions in test/layout.h are the contract with readers in other languages. A change of one of them is a new version of the magic;
 * a field that is added at the end of the header is not.
 */
#ifndef OFFCUT_LAYOUT_H
#define OFFCUT_LAYOUT_H

#include <stdatomic.h>
#include <stddef.h>
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

enum header_state { STATE_STARTING = 0, STATE_SAMPLING = 1, STATE_DETACHED = 2, STATE_ENDED = 3 /* the JVM ended in order */ };

struct header {
  char magic[8];
  uint64_t file_bytes;
  uint64_t start_epoch_ms;
  uint32_t pid;
  uint32_t flags;
  uint64_t first_mean; /* bytes: on average one sample in this many allocated bytes */
  struct section sections[SECTION_COUNT];
  uint32_t main_class;  /* string; 0: not known */
  uint32_t main_source; /* string: where the main class is from; 0: not known */
  /* what the sampler could not see, and what it cost */
  _Atomic uint32_t mean_shift;  /* the mean is first_mean << mean_shift by now */
  _Atomic uint32_t state;       /* enum header_state */
  _Atomic uint64_t now_ms;      /* since the start; the last second that was seen */
  _Atomic uint64_t sampled;     /* samples taken */
  _Atomic uint64_t unrecorded;  /* samples without a place in the table */
  _Atomic uint64_t without_stack; /* samples without a Java stack, since a collection was running */
  _Atomic uint64_t full_stacks; /* samples whose stack found no place */
  _Atomic uint64_t full_regions;
  _Atomic uint64_t own_ns;      /* CPU time that samples took */
  _Atomic uint64_t patched;     /* slots of libraries that lead here */
  _Atomic uint64_t foreign;     /* slots that lead to another allocator, and were left alone */
  _Atomic uint64_t full_disk;   /* times that the file had no room for a page: the disk is full */
};

/* A sampled block that was not freed. 24 bytes. */
struct sample {
  _Atomic uint64_t address; /* 0: free, 1: being written */
  uint64_t size_and_shift;  /* what the allocator takes, in the lower 56 bits; above, the shift of the mean by which it was sampled */
  uint32_t born_ms;         /* since the start */
  uint32_t stack;
};

enum stack_kind { KIND_MALLOC = 0, KIND_MAPPED = 1, KIND_THREAD = 2 };

enum { STACK_FREERS = 4, THREAD_NAME_BYTES = 16 };

struct freer {
  _Atomic uint32_t root; /* number of a root + 1; 0: none yet */
  uint32_t reserved;
  _Atomic uint64_t bytes;
  _Atomic uint64_t byte_ms; /* bytes times the time that they lived; stays when it would overflow */
};

#define NO_FRAME 0xffffffffu

enum { JAVA_NOT_ASKED = -100 /* the allocation was in a signal handler, or too many threads took samples at once */ };

/* A stack, and figures of the blocks that were sampled with it; all bytes are estimates. Then native_count addresses, innermost first,
   and java_count numbers of frames. */
struct stack {
  uint64_t hash;
  uint32_t number;
  uint16_t native_count;
  uint16_t java_count;
  int16_t java_error; /* why there are no Java frames: what AsyncGetCallTrace said, or JAVA_NOT_ASKED */
  uint8_t kind;
  uint8_t depth_cut; /* 1: there were more frames */
  char thread[THREAD_NAME_BYTES]; /* of stacks without Java frames, digits as '#' */
  uint32_t creator; /* the stack that started the thread, of threads without Java frames; 0: not known */
  uint32_t hint;    /* the last stack with Java frames that was seen in the same library; 0: none */
  _Atomic uint32_t row;
  uint32_t first_ms; /* when the stack was seen first, since the start */
  _Atomic int64_t live_bytes;
  _Atomic uint64_t allocated_bytes;
  _Atomic uint64_t allocations; /* samples */
  _Atomic uint64_t freed_elsewhere; /* bytes that were freed by a thread without Java frames, or by more roots than `freers` has room for */
  struct freer freers[STACK_FREERS];
  _Atomic uint64_t untouched; /* of the live bytes, those in no page of memory, since nobody has written to them */
};

/* A place in a Java method. Named by the sampler's thread, a moment after it was first seen. */
struct frame {
  _Atomic uint64_t method; /* 0: its writer has not come to it */
  int32_t position; /* in the bytecode; negative: a native method or not known */
  int32_t line;     /* -1: not known */
  _Atomic uint32_t class_number; /* 0: not named */
  uint32_t name; /* string: where it begins in the arena */
};

struct class_entry {
  uint32_t name;   /* string, with dots */
  uint32_t file;   /* string; 0: not known */
  uint32_t source; /* string: where the class was loaded from; 0: the JDK */
  uint32_t reserved;
};

/* The outermost method of a thread, below the run methods of java.lang.Thread. Root 0 is a thread without Java frames. */
struct root {
  _Atomic uint64_t method; /* 0: free */
  _Atomic uint32_t frame;  /* NO_FRAME: not known */
  _Atomic uint32_t of_collector; /* 1: a thread that begins so waits for references that the collector enqueues */
};

struct region {
  _Atomic uint64_t begin; /* 0: free */
  uint64_t bytes;
  uint32_t born_ms;
  uint32_t stack;
  _Atomic uint64_t resident; /* bytes in pages of memory, some seconds ago at most */
};

struct module {
  uint64_t begin, end;
  uint64_t bias; /* address in memory - address in the file */
  uint32_t path; /* string */
  _Atomic uint32_t gone_ms; /* unloaded by then; 0: it is loaded */
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
  uint32_t peak; /* the most, also between two seconds */
  uint32_t reserved;
  uint32_t by_second[ROW_SECONDS];
  uint32_t by_minute[ROW_MINUTES];
};

#endif
