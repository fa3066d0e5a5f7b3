package dev.offcut.bench.memory;

/** Blocks of which the address is all there is. */
abstract class AddressTable extends Table {
  private final long[] addresses;

  AddressTable(int slots) {
    addresses = new long[slots];
  }

  abstract long allocate(int bytes);

  abstract void free(long address);

  @Override
  final void take(int slot, int bytes) {
    long address = allocate(bytes);
    Memory.write(address, stamp(slot));
    addresses[slot] = address;
  }

  @Override
  final void give(int slot) {
    long address = addresses[slot];
    check(slot, Memory.read(address));
    free(address);
  }

  @Override
  final long address(int slot) {
    return addresses[slot];
  }
}
