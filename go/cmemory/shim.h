//go:build linux && amd64 && !asan && !msan

#ifndef OFFCUT_CMEMORY_SHIM_H
#define OFFCUT_CMEMORY_SHIM_H

#include <stdint.h>

// The most frames of one stack. C has the first of them; Go has the rest.
enum { OFFCUT_FRAMES = 64, OFFCUT_C_FRAMES = 32 };

// A live block that was sampled, as Go reads it.
struct offcut_sample {
	uint64_t bytes;
	uint64_t rate; // the mean distance between two samples, in bytes, when this one was taken
	uint32_t c_frames, go_frames;
	uintptr_t pcs[OFFCUT_FRAMES]; // return addresses, from the caller of malloc outwards
};

struct offcut_live {
	uint64_t bytes, blocks;
};

uint64_t offcut_cmemory_rate(void);
void offcut_cmemory_set_rate(uint64_t bytes);
struct offcut_live offcut_cmemory_live(void);
// Copies at most so many samples; returns how many there are.
uint64_t offcut_cmemory_samples(struct offcut_sample *to, uint64_t most);

#endif
