package dev.offcut.agent.track.jdk;

/** Stands for {@code java.lang.foreign.MemorySegment}. */
public interface StockSegment {}
