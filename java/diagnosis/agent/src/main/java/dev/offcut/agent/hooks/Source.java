package dev.offcut.agent.hooks;

import dev.offcut.agent.Option;
import dev.offcut.agent.base.Kind;
import dev.offcut.agent.hooks.code.UnknownShapeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where resources come from: which classes are rewritten, and which switch rules it. */
public enum Source {
  /** Arenas of the JDK. */
  ARENAS(Option.ARENAS, "arenas"),
  /** Direct buffers. */
  BUFFERS(Option.BUFFERS, "direct buffers"),
  /** Memory of the program's Unsafe. */
  UNSAFE(Option.UNSAFE, "Unsafe"),
  /** JNA's Memory. */
  JNA(Option.JNAMEMORY, "JNA's Memory"),
  /** Downcalls of malloc and the like. */
  DOWNCALLS(Option.DOWNCALLS, "downcalls of malloc"),
  /** JNA's Native.malloc. */
  JNA_MALLOC(Option.JNAMALLOC, "JNA's Native.malloc"),
  /** What is registered with the program's cleaners. */
  CLEANERS(Option.CLEANERS, "cleaners"),
  /** Objects with a finalizer. */
  FINALIZERS(Option.FINALIZERS, "finalizers"),
  /** Collections that direct memory forces. */
  FORCED(Option.FORCEDGC, "forced collections");

  /** Its switch. */
  public final Option option;

  /** What it is called in lines for people. */
  public final String label;

  Source(Option option, String label) {
    this.option = option;
    this.label = label;
  }

  /** What is counted of it. */
  public List<Integer> kinds() {
    return switch (this) {
      case ARENAS -> List.of(Kind.CONFINED, Kind.SHARED, Kind.AUTOMATIC);
      case BUFFERS -> List.of(Kind.BUFFER);
      case UNSAFE -> List.of(Kind.UNSAFE);
      case JNA -> List.of(Kind.JNA);
      case DOWNCALLS -> List.of(Kind.DOWNCALL);
      case JNA_MALLOC -> List.of(Kind.JNA_MALLOC);
      case CLEANERS -> List.of(Kind.CLEANER);
      case FINALIZERS -> List.of(Kind.FINALIZER);
      case FORCED -> List.of();
    };
  }

  /** The one that a kind is of. */
  public static Source of(int kind) {
    for (Source source : values()) {
      if (source.kinds().contains(kind)) {
        return source;
      }
    }
    throw new IllegalArgumentException(Kind.name(kind));
  }

  /** Whether its classes may never be loaded: to load them would cost the start more. */
  boolean mayComeLater() {
    return this == UNSAFE || this == DOWNCALLS || isJna();
  }

  /** Whether its classes are those of a library, of any class loader. */
  boolean isJna() {
    return this == JNA || this == JNA_MALLOC;
  }

  /** Whether a JDK may do without one of its classes: then it does otherwise what that does. */
  public boolean mayBeMissing(String name) {
    return name.equals(ArenaClasses.SLICING)
        || (this == BUFFERS && !name.equals(PatchedClasses.BufferClasses.NAME));
  }

  /** The internal names of its classes. */
  public List<String> classes() {
    return switch (this) {
      case ARENAS -> ArenaClasses.NAMES;
      case BUFFERS -> PatchedClasses.BufferClasses.NAMES;
      case UNSAFE -> List.of(PatchedClasses.UnsafeClass.NAME);
      case JNA -> PatchedClasses.JnaClasses.NAMES;
      case DOWNCALLS -> List.of(PatchedClasses.LinkerClass.NAME);
      case JNA_MALLOC -> List.of(NativeClass.NAME);
      case CLEANERS -> PatchedClasses.CleanerClasses.NAMES;
      case FINALIZERS -> List.of(PatchedClasses.FinalizerClass.NAME);
      case FORCED -> List.of(PatchedClasses.BitsClass.NAME);
    };
  }

  /** The class file of one of its classes as it is to be, or null: as it is. */
  public byte @Nullable [] rewrite(String name, byte[] file) throws UnknownShapeException {
    return switch (this) {
      case ARENAS -> ArenaClasses.rewrite(name, file);
      case BUFFERS -> PatchedClasses.BufferClasses.rewrite(name, file);
      case UNSAFE -> PatchedClasses.UnsafeClass.rewrite(file);
      case JNA -> PatchedClasses.JnaClasses.rewrite(name, file);
      case DOWNCALLS -> PatchedClasses.LinkerClass.rewrite(file);
      case JNA_MALLOC -> NativeClass.rewrite(file);
      case CLEANERS -> PatchedClasses.CleanerClasses.rewrite(name, file);
      case FINALIZERS -> PatchedClasses.FinalizerClass.rewrite(file);
      case FORCED -> PatchedClasses.BitsClass.rewrite(file);
    };
  }
}
