import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;

// library: zstd-jni
// counts: com.github.luben.zstd.ZstdCompressCtx opened=20 closed=12 lost=8
// counts: com.github.luben.zstd.ZstdDecompressCtx opened=5 closed=5
// counts: com.github.luben.zstd.ZstdOutputStreamNoFinalizer opened=4 closed=2 lost=2
// counts: com.github.luben.zstd.ZstdDictCompress opened=4 closed=2 ended=2
public class Zstd {
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 20; i++) {
      compress(i < 12);
    }
    for (int i = 0; i < 5; i++) {
      new ZstdDecompressCtx().close();
    }
    for (int i = 0; i < 4; i++) {
      stream(i < 2);
    }
  }

  static void compress(boolean close) {
    ZstdCompressCtx context = new ZstdCompressCtx();
    context.compress(new byte[1000]);
    if (close) {
      context.close();
    }
  }

  static void stream(boolean close) throws Exception {
    ZstdOutputStreamNoFinalizer out =
        new ZstdOutputStreamNoFinalizer(new ByteArrayOutputStream());
    out.write(new byte[1000]);
    ZstdDictCompress dictionary = new ZstdDictCompress(new byte[1000], 3);
    if (close) {
      out.close();
      dictionary.close();
    }
  }
}
