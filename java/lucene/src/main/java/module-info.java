/** Directories for Lucene: an index in memory of a pool, and mapped files that end on time. */
module dev.offcut.lucene {
  requires static org.jspecify;
  requires static randomizedtesting.runner;
  requires transitive dev.offcut.memory;
  requires transitive org.apache.lucene.core;

  exports dev.offcut.lucene;
}
