/** Who has a process's resident memory, from outside and without an agent. */
module dev.offcut.account {
  requires java.management;
  requires static org.jspecify;

  exports dev.offcut.account;
}
