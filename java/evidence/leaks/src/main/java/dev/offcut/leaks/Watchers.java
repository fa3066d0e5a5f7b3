package dev.offcut.leaks;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/** Each refresh of a key store makes a watch service and does not close the one before. */
public final class Watchers {
  /** A user may have 128 instances of inotify, and two of these may run. */
  private static final int REFRESHES = 55;
  private static @Nullable WatchService current;

  private Watchers() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    try (Scratch scratch = Scratch.create()) {
      Observer.begin();
      for (int i = 0; i < REFRESHES; i++) {
        refresh(scratch.path(), fixed);
      }
      Observer.end();
    }
  }

  private static void refresh(Path folder, boolean fixed) throws IOException {
    if (fixed && current != null) {
      current.close();
    }
    WatchService service = FileSystems.getDefault().newWatchService(); // the leak
    folder.register(service, StandardWatchEventKinds.ENTRY_MODIFY);
    current = service;
  }
}
