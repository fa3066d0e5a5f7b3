import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import org.lmdbjava.Env;
import org.lmdbjava.Txn;

// library: LMDB
// jvm: --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED
// counts: org.lmdbjava.Env opened=3 closed=2 lost=1
// counts: org.lmdbjava.Txn opened=6 closed=4 lost=2
public class Lmdb {
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 3; i++) {
      use(i < 2);
    }
  }

  static void use(boolean close) throws Exception {
    File folder = Files.createTempDirectory("rules").toFile();
    Env<ByteBuffer> env = Env.create().setMapSize(1 << 20).setMaxDbs(1).open(folder);
    Txn<ByteBuffer> first = env.txnRead();
    Txn<ByteBuffer> second = env.txnWrite();
    if (close) {
      first.close();
      second.commit();
      second.close();
      env.close();
    }
  }
}
