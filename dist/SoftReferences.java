import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes a class data archive the same at each build: {@code java SoftReferences.java ARCHIVE OTHER}.
 * The other one is made by the same command a moment later.
 *
 * <p>An archive with linked classes has soft references, and in each the time since the machine
 * started, in ms. So the two archives differ there, and in the checksums, which the JVM looks at
 * only if it is told to. These words become 0 in ARCHIVE. To a collector the references are old; it
 * clears them when memory is short. If more differs than that, this fails.
 */
final class SoftReferences {
  /** The header has checksums of 4 bytes; what lies behind it has times of 8. */
  private static final int HEADER = 4096;

  /** There are one or two hundred. */
  private static final int MOST = 1000;

  /** The largest difference of two times, in ms. */
  private static final long APART = 600_000;

  private SoftReferences() {}

  public static void main(String[] args) throws IOException {
    ByteBuffer made = read(args[0]);
    ByteBuffer other = read(args[1]);
    if (made.capacity() != other.capacity()) {
      throw new IOException("the archives differ in size");
    }
    int found = 0;
    for (int at = 0; at < HEADER; at += Integer.BYTES) {
      if (made.getInt(at) != other.getInt(at)) {
        made.putInt(at, 0);
        found++;
      }
    }
    if (found > 4) {
      throw new IOException("the headers differ in " + found + " words");
    }
    for (int at = HEADER; at + Long.BYTES <= made.capacity(); at += Long.BYTES) {
      long time = made.getLong(at);
      if (time != other.getLong(at)) {
        if (Math.abs(other.getLong(at) - time) > APART || ++found > MOST) {
          throw new IOException("the archives differ at " + at + " by more than a time");
        }
        made.putLong(at, 0);
      }
    }
    Files.write(Path.of(args[0]), made.array());
  }

  private static ByteBuffer read(String file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(Path.of(file))).order(ByteOrder.LITTLE_ENDIAN);
  }
}
