package dev.offcut.bench.handle;

/** How one implementation opens a handle. */
@FunctionalInterface
interface Subject {
  Closing open(long value);

  /**
   * The implementation by its name in the rows. References to constructors, so that a JVM loads the
   * classes of one implementation only.
   */
  static Subject of(String impl) {
    return switch (impl) {
      case "plain" -> PlainHandle::new;
      case "plain-cas" -> PlainCasHandle::new;
      case "offcut" -> OffcutHandle::new;
      case "offcut-k16" -> OffcutGroupedHandle::new;
      case "offcut-cleaner" -> OffcutCleanerHandle::new;
      case "jdk-cleaner" -> JdkCleanerHandle::new;
      case "jna-cleaner" -> JnaCleanerHandle::new;
      case "jdk-finalize" -> JdkFinalizeHandle::new;
      default -> throw new IllegalArgumentException("no implementation " + impl);
    };
  }
}
