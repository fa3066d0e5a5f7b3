/* Where the file has what: readers in other languages rely on it. A compilation of the tests fails if it is elsewhere. */
#include <stddef.h>

#include "../src/layout.h"

#define AT(type, field, offset) _Static_assert(offsetof(struct type, field) == (offset), #type "." #field)
#define SIZE(type, bytes) _Static_assert(sizeof(struct type) == (bytes), "size of " #type)

SIZE(section, 24); AT(section, offset, 0); AT(section, capacity, 8); AT(section, entry_bytes, 16); AT(section, count, 20);
SIZE(header, 352); AT(header, magic, 0); AT(header, file_bytes, 8); AT(header, start_epoch_ms, 16); AT(header, pid, 24);
AT(header, flags, 28); AT(header, first_mean, 32); AT(header, sections, 40); AT(header, main_class, 256); AT(header, main_source, 260);
AT(header, mean_shift, 264); AT(header, state, 268); AT(header, now_ms, 272); AT(header, sampled, 280); AT(header, unrecorded, 288);
AT(header, without_stack, 296); AT(header, full_stacks, 304); AT(header, full_regions, 312); AT(header, own_ns, 320);
AT(header, patched, 328); AT(header, foreign, 336); AT(header, full_disk, 344);
SIZE(sample, 24); AT(sample, address, 0); AT(sample, size_and_shift, 8); AT(sample, born_ms, 16); AT(sample, stack, 20);
SIZE(freer, 24); AT(freer, root, 0); AT(freer, bytes, 8); AT(freer, byte_ms, 16);
SIZE(stack, 192); AT(stack, hash, 0); AT(stack, number, 8); AT(stack, native_count, 12); AT(stack, java_count, 14);
AT(stack, java_error, 16); AT(stack, kind, 18); AT(stack, depth_cut, 19); AT(stack, thread, 20); AT(stack, creator, 36);
AT(stack, hint, 40); AT(stack, row, 44); AT(stack, first_ms, 48); AT(stack, live_bytes, 56); AT(stack, allocated_bytes, 64); AT(stack, allocations, 72);
AT(stack, freed_elsewhere, 80); AT(stack, freers, 88); AT(stack, untouched, 184);
SIZE(frame, 24); AT(frame, method, 0); AT(frame, position, 8); AT(frame, line, 12); AT(frame, class_number, 16); AT(frame, name, 20);
SIZE(class_entry, 16); AT(class_entry, name, 0); AT(class_entry, file, 4); AT(class_entry, source, 8); AT(class_entry, reserved, 12);
SIZE(root, 16); AT(root, method, 0); AT(root, frame, 8); AT(root, of_collector, 12);
SIZE(region, 32); AT(region, begin, 0); AT(region, bytes, 8); AT(region, born_ms, 16); AT(region, stack, 20); AT(region, resident, 24);
SIZE(module, 56); AT(module, begin, 0); AT(module, end, 8); AT(module, bias, 16); AT(module, path, 24); AT(module, gone_ms, 28);
AT(module, build_id, 32); AT(module, build_id_bytes, 52);
SIZE(row, 8184); AT(row, frame, 0); AT(row, first_s, 4); AT(row, seconds, 8); AT(row, minutes, 12); AT(row, peak, 16);
AT(row, by_second, 24); AT(row, by_minute, 2424);
