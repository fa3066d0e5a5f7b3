package dev.offcut.fleet;

import dev.offcut.command.read.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder, of one machine or of several that have it mounted. Files are renamed to their name. */
record FolderStore(Path folder) implements Store {
  @Override
  public String place() {
    return folder.toString();
  }

  @Override
  public String absolute() {
    return folder.toAbsolutePath().toString();
  }

  @Override
  public void check() throws Failure {
    if (!Files.exists(folder)) {
      throw Failure.unreadable(
          "there is no folder " + folder + "; `offcut fleet add SRC --to " + folder + "` makes it");
    }
    if (!Files.isDirectory(folder)) {
      throw Failure.unreadable(folder + " is a file; a fleet is a folder");
    }
    if (!Files.isReadable(folder)) {
      throw Failure.unreadable("cannot read " + folder + ": permission denied");
    }
  }

  @Override
  public void make() throws Failure {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw Failure.other(folder + " is a file; give --to a folder");
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw Fleet.cannot("write", place(), e);
    }
  }

  @Override
  public List<String> top() throws Failure {
    try {
      return list(folder).stream()
          .map(FolderStore::name)
          .filter(name -> !name.startsWith(UNFINISHED))
          .toList();
    } catch (IOException e) {
      throw Fleet.cannot("read", place(), e);
    }
  }

  @Override
  public List<String> files(String under) throws Failure {
    List<String> all = new ArrayList<>();
    try {
      add(all, folder.resolve(under), under);
    } catch (IOException e) {
      throw Fleet.cannot("read", place(), e);
    }
    return all;
  }

  private static void add(List<String> all, Path path, String name) throws IOException {
    for (Path inside : list(path)) {
      String next = name + "/" + name(inside);
      if (Files.isDirectory(inside)) {
        add(all, inside, next);
      } else {
        all.add(next);
      }
    }
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> content = Files.list(folder)) {
      return content.sorted().toList();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of(); // there is none yet, or it was just deleted
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  @Override
  public @Nullable String text(String name) throws Failure {
    try {
      return Files.readString(folder.resolve(name));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return null;
    } catch (IOException e) {
      throw Fleet.cannot("read", place(), e);
    }
  }

  @Override
  public boolean isThere(String name) {
    return Files.exists(folder.resolve(name));
  }

  @Override
  public long bytes(String name) {
    return folder.resolve(name).toFile().length();
  }

  @Override
  public long changedMs(String name) {
    return folder.resolve(name).toFile().lastModified();
  }

  @Override
  public Path unfinished() {
    return folder.resolve(UNFINISHED + UUID.randomUUID());
  }

  @Override
  public void put(Path finished, String name) throws Failure {
    Path place = folder.resolve(name);
    try {
      Files.createDirectories(place.resolveSibling("."));
      Files.move(finished, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw Fleet.cannot("write", place(), e);
    }
  }

  @Override
  public void delete(String name) throws Failure {
    try {
      Files.deleteIfExists(folder.resolve(name));
    } catch (IOException e) {
      throw Fleet.cannot("delete", folder.resolve(name).toString(), e);
    }
  }

  @Override
  public void deleteUnfinished(long beforeMs) throws Failure {
    try {
      for (Path file : list(folder)) {
        if (name(file).startsWith(UNFINISHED) && file.toFile().lastModified() < beforeMs) {
          delete(name(file));
        }
      }
    } catch (IOException e) {
      throw Fleet.cannot("read", place(), e);
    }
  }

  @Override
  public List<Path> local(List<String> names) {
    return names.stream().map(folder::resolve).toList();
  }
}
