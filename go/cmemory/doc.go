// Package cmemory shows the C memory of a program that uses cgo: how much malloc has handed out, exactly, and a pprof
// profile of the stacks that allocated it. A stack has the C functions, and the Go functions that called them.
//
// A program that imports the package has its malloc, calloc, realloc, aligned_alloc, posix_memalign, memalign, valloc,
// pvalloc and free. They call those of the C library and count. The executable's definitions come before those of all
// libraries, so the calls of C++, of the C library itself and of libraries that are loaded later are counted, too.
// Another allocator that is linked dynamically, or preloaded, stays the program's allocator.
//
//	import "offcut.dev/go/cmemory"
//
//	http.Handle("/debug/pprof/cmemory", cmemory.Handler())
//	go tool pprof http://localhost:6060/debug/pprof/cmemory
//
// # Sampling
//
// [Live] is exact. The profile has samples: a thread takes one each time it has allocated some 512 KiB ([SetRate]). The
// distance is random (exponentially distributed), so every byte has the same chance, and a block of s bytes is sampled
// with the probability 1-exp(-s/rate). The profile divides each sample by its probability, as Go's heap profile does, so
// its figures are estimates of the whole. A sum of n bytes in blocks far smaller than the rate has a standard error of
// about sqrt(rate/n): 2 % for 1 GiB, 7 % for 100 MiB. Blocks far larger than the rate are nearly exact.
//
// # What a block counts
//
// With glibc, a block counts its whole size: what was asked for, rounded up, and the header. So [Live] is what mallinfo2
// shows as in use (uordblks and hblkhd), except for freed blocks that glibc keeps in the caches of threads: mallinfo2
// counts these as in use. With another allocator, a block counts what malloc_usable_size says.
//
// # What is not seen
//
//   - Memory that C takes from the system by mmap or sbrk, and allocators inside of libraries that do so.
//   - A thread that C started has C frames only. So has C code that a program calls without cgo.
//   - C code without unwinding tables, such as code that is generated at run time, ends the C part of a stack; the Go
//     part is then missing, too.
//   - C calls Go, which calls C: the Go part has the inner Go functions alone.
//   - A stack has at most 32 C frames, and 64 frames together.
//
// # Where it works
//
// On Linux with amd64, in a program that is linked dynamically and uses cgo. With the race detector it works; with
// -asan or -msan the sanitizer keeps its malloc. Where it does not work, [Live] and [WriteProfile] return
// [ErrUnsupported], and the package does nothing. A program that is linked statically with this package does not link:
// malloc would be defined twice. The package is for programs, not for -buildmode=c-shared or plugin.
package cmemory
