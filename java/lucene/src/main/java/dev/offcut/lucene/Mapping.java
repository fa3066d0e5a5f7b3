package dev.offcut.lucene;

import dev.offcut.memory.Reservation;
import java.nio.file.attribute.BasicFileAttributes;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * A file that was mapped for several threads, through an arena of its own. All inputs of the file
 * that are opened in the same way share the mapping. When the last of them is closed, it waits to
 * be ended; an input that is opened meanwhile takes it back.
 *
 * <p>A mapping shows what its file has now, so it is as good as a new one while the name leads to
 * the same file and the file has the same length. The system gives the file's number to no other
 * file while the mapping is there. The time of the last change is compared for file systems that
 * replace a file when it is written to.
 *
 * <p><b>Locks.</b> The monitor guards the count of inputs. {@link Endings} is called under it, and
 * never takes it.
 */
final class Mapping implements Endings.Step {
  private final MappedDirectory directory;
  private final String name;

  /** Of Lucene: a class in 9.12 and an interface in 10, so that it cannot be called as either. */
  private final Object context;

  private final Object settings;
  private final BasicFileAttributes file;

  /** Lucene's own. It is cloned and closed, but never read: it is no thread's. */
  private final IndexInput input;

  private final @Nullable Reservation charge;
  private int inputs = 1;
  private Endings.@Nullable Ending waiting;

  /** With one input. */
  Mapping(
      MappedDirectory directory,
      String name,
      Object context,
      Object settings,
      BasicFileAttributes file,
      IndexInput input,
      @Nullable Reservation charge) {
    this.directory = directory;
    this.name = name;
    this.context = context;
    this.settings = settings;
    this.file = file;
    this.input = input;
    this.charge = charge;
  }

  /** Whether it is what a new mapping would be. */
  boolean fits(Object wanted, Object settingsNow, BasicFileAttributes now) {
    Object key = file.fileKey();
    return settings == settingsNow
        && context.equals(wanted)
        && key != null
        && key.equals(now.fileKey())
        && file.size() == now.size()
        && file.lastModifiedTime().equals(now.lastModifiedTime());
  }

  /** Counts one more input; false if the mapping has ended, or is being ended. */
  synchronized boolean tryOpen() {
    Endings.Ending last = waiting;
    if (last != null && !Endings.OF_ALL.takeBack(last)) {
      return false;
    }
    waiting = null;
    inputs++;
    return true;
  }

  /** A new input of Lucene's, for one thread. */
  IndexInput read() {
    return input.clone();
  }

  /** Counts one input less. */
  void close() {
    Endings.Ending last = closeOne();
    if (last != null) {
      directory.end(last);
    }
  }

  private synchronized Endings.@Nullable Ending closeOne() {
    inputs--;
    if (inputs == 0) {
      waiting = new Endings.Ending(directory, this);
    }
    return waiting;
  }

  /** Without the monitor: {@link #tryOpen} waits for this while it has it. */
  @Override
  public boolean tryEnd() {
    directory.forget(name, this);
    MappedInput.close(input, charge);
    return true;
  }
}
