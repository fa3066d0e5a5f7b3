package dev.offcut.examples.budget;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;

/** Streams of Arrow with a column of numbers, from 0 upwards. */
final class Numbers {
  private static final int ROWS = 10_000;

  private Numbers() {}

  /** Writes so many batches, and leaves the stream open. */
  static void write(BufferAllocator allocator, int batches, OutputStream to) throws IOException {
    IntVector numbers = new IntVector("number", allocator);
    try (VectorSchemaRoot batch = new VectorSchemaRoot(List.of(numbers));
        ArrowStreamWriter writer = new ArrowStreamWriter(batch, null, new KeptOpen(to))) {
      for (int i = 0; i < batches; i++) {
        for (int row = 0; row < ROWS; row++) {
          numbers.setSafe(row, i * ROWS + row);
        }
        batch.setRowCount(ROWS);
        writer.writeBatch();
      }
    }
  }

  /** Arrow closes what it writes to; this leaves it open, since a socket would end with it. */
  private static final class KeptOpen extends FilterOutputStream {
    KeptOpen(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int at, int length) throws IOException {
      out.write(bytes, at, length); // at once rather than one by one
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }

  /** Reads a stream to its end: the sum of the numbers. Each batch goes into the index. */
  static long read(BufferAllocator allocator, InputStream from, BatchIndex index)
      throws IOException {
    long sum = 0;
    try (ArrowStreamReader reader = new ArrowStreamReader(from, allocator)) {
      IntVector numbers = (IntVector) reader.getVectorSchemaRoot().getVector("number");
      while (reader.loadNextBatch()) {
        long batch = 0;
        for (int row = 0; row < numbers.getValueCount(); row++) {
          batch += numbers.get(row);
        }
        index.add(numbers.get(0), batch);
        sum += batch;
      }
    }
    return sum;
  }

  /** {@return the first number of a batch} */
  static long first(int batch) {
    return (long) batch * ROWS;
  }

  /** {@return what the sum is if nothing was lost} */
  static long sum(int batches) {
    long count = (long) batches * ROWS;
    return count * (count - 1) / 2;
  }
}
