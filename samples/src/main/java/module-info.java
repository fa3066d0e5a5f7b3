/** A program on handles and a pool. */
module org.example {
  requires dev.offcut.handle;
  requires dev.offcut.memory;
}
