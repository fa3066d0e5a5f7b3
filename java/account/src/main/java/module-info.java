/** Who has a process's resident memory, from outside and without an agent. */
module dev.offcut.account {
  requires static org.jspecify;

  exports dev.offcut.account;
}
