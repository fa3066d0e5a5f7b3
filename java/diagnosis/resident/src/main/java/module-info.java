/** Finds out what a process's resident memory is used for, from outside and without an agent. */
module dev.offcut.resident {
  requires static org.jspecify;

  exports dev.offcut.resident;
}
