package dev.offcut.junit;

import java.util.List;

/**
 * A test left native resources open, or could not be checked. Its stack trace is that of the
 * opening, not that of the check.
 */
public final class NativeLeakError extends AssertionError {
  private static final long serialVersionUID = 1;

  NativeLeakError(String message, List<StackTraceElement> opened) {
    super(message);
    setStackTrace(opened.toArray(new StackTraceElement[0]));
  }
}
