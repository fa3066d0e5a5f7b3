package dev.offcut.command;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;

/** A program that opens handles, forgets them, and ends at once. */
final class HandlesProgram {
  private HandlesProgram() {}

  /** {@code COUNT}: how many. */
  public static void main(String[] args) {
    int count = Integer.parseInt(args[0]);
    for (int i = 0; i < count; i++) {
      Context.forget();
    }
    System.out.println("forgot " + count);
  }

  /** Stands for nothing that would have to be freed. */
  private static final class Context extends Handle {
    private static final HandleType TYPE =
        HandleType.named("short_lived").releaser(value -> {}).create();

    private Context() {
      open(() -> 1);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }

    /** In a frame of its own. */
    @SuppressWarnings("resource") // that is what it is about
    static void forget() {
      new Context();
    }
  }
}
