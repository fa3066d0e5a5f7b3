package dev.offcut.bench;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * The file that the JSON goes to. Tried before anything is measured; replaced as a whole at the
 * end, so that an interrupted run leaves the one before. A device or a pipe is written in place.
 */
public final class JsonFile {
  private final Path target;
  private final @Nullable Path draft;

  private JsonFile(Path target, @Nullable Path draft) {
    this.target = target;
    this.draft = draft;
  }

  /** What writes the content. */
  public interface Content {
    void writeTo(Writer writer) throws IOException;
  }

  /**
   * Opens the file for a later {@link #write}.
   *
   * @throws IOException if it cannot be written; the message says why
   */
  public static JsonFile at(Path target) throws IOException {
    if (Files.isDirectory(target)) {
      throw new IOException("is a directory");
    }
    if (Files.exists(target) && !Files.isWritable(target)) {
      throw new IOException("no permission to write");
    }
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      return new JsonFile(target, null);
    }
    Path real = Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
    Path folder = real.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IOException("no such directory: " + folder);
    }
    return new JsonFile(real, draftIn(folder, real));
  }

  private static Path draftIn(Path folder, Path real) throws IOException {
    try {
      Path draft = Files.createFile(folder.resolve(real.getFileName() + ".part"));
      draft.toFile().deleteOnExit();
      return draft;
    } catch (java.nio.file.FileAlreadyExistsException e) {
      throw new IOException(e.getMessage() + " exists: another run writes it, or remove it", e);
    } catch (java.nio.file.AccessDeniedException e) {
      throw new IOException("no permission to write in " + folder, e);
    }
  }

  /** Writes it, in place of the one before. */
  public void write(Content content) throws IOException {
    Path to = draft == null ? target : draft;
    try (Writer writer = Files.newBufferedWriter(to)) {
      content.writeTo(writer);
    }
    if (draft != null) {
      Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
