package dev.offcut.handle;

/** What stands in a registry cell and knows which: a tracker or a group. */
interface Cell {
  int index();

  void index(int cell);
}
