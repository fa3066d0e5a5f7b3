package dev.offcut.handle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * What a plug-in would do: types and handles of its own, loaded by a class loader of its own. It
 * may use only what is public, since it is in another run-time package.
 */
public final class LoadedElsewhere implements Callable<Object> {
  private static long freed;

  private final String how;

  /** {@code how} its handles end. */
  public LoadedElsewhere(String how) {
    this.how = how;
  }

  private static void free(long value) {
    freed += value;
  }

  /** A handle of the plug-in. */
  public static final class Own extends Handle {
    static final HandleType TYPE =
        HandleType.named("elsewhere").releaser(LoadedElsewhere::free).create();

    Own() {
      open(() -> 1);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  @Override
  public Object call() {
    List<Own> opened = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      opened.add(new Own());
    }
    if (!how.equals("young")) {
      Handles.detection(Handles.detection()); // rotates
    }
    if (!how.equals("forgotten")) {
      opened.forEach(Own::close);
    }
    return freed;
  }
}
