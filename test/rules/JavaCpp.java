import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerScope;

// library: JavaCPP
// classifier: linux-x86_64
// counts: org.bytedeco.javacpp.BytePointer opened=25 closed=17 ended=8
public class JavaCpp {
  public static void main(String[] args) {
    for (int i = 0; i < 20; i++) {
      take(i < 12);
    }
    try (PointerScope scope = new PointerScope()) {
      for (int i = 0; i < 5; i++) {
        new BytePointer(100);
      }
    }
  }

  static void take(boolean close) {
    BytePointer some = new BytePointer(1000);
    some.put((byte) 1);
    new BytePointer(some).get(); // a view, which owns nothing
    if (close) {
      some.close();
      some.close();
    }
  }
}
