import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;

// library: Apache Arrow
// jvm: --add-opens=java.base/java.nio=ALL-UNNAMED
// with: org.slf4j:slf4j-nop:2.0.16
// counts: org.apache.arrow.memory.unsafe.UnsafeAllocationManager opened=20 closed=12
public class Arrow {
  public static void main(String[] args) {
    RootAllocator allocator = new RootAllocator();
    for (int i = 0; i < 20; i++) {
      ArrowBuf some = allocator.buffer(1000);
      if (i < 12) {
        some.close();
      }
    }
  }
}
