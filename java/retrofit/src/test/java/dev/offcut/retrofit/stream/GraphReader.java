package dev.offcut.retrofit.stream;

import java.io.ObjectInputStream;

/** Code that reads from a stream, in the loader of its class. */
public interface GraphReader {
  /** Reads in one of the ways; which there are is the reader's. */
  Object read(ObjectInputStream in, int way) throws Throwable;
}
