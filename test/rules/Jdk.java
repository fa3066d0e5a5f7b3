import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.DatagramChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

// library: the JDK
// counts: java.util.zip.Inflater opened=20 closed=12 collected=8
// counts: java.util.zip.Deflater opened>=20 collected=8
// counts: java.util.zip.ZipFile opened=5 closed=3 collected=2
// counts: java.io.FileInputStream opened>=5 collected=2
// counts: java.io.FileOutputStream opened>=5 collected=2
// counts: sun.nio.ch.FileChannelImpl opened>=5 collected=2
// counts: sun.nio.fs.UnixDirectoryStream opened=15 closed=9 lost=6
// counts: sun.nio.ch.DatagramChannelImpl opened=5 closed=3 collected=2
// counts: sun.nio.ch.SocketChannelImpl opened=5 closed=3
// counts: sun.nio.ch.ServerSocketChannelImpl opened=5 closed=3
// counts: sun.nio.ch.EPollSelectorImpl opened=5 closed=3
// counts: sun.nio.ch.NioSocketImpl opened=15 closed=11 collected=4
// counts: java.util.concurrent.ThreadPoolExecutor opened=5 closed=3
public class Jdk {
  public static void main(String[] args) throws Exception {
    Path file = Files.createTempFile("rules", ".zip");
    try (ZipOutputStream out = new ZipOutputStream(new FileOutputStream(file.toFile()))) {
      out.putNextEntry(new ZipEntry("a"));
    }
    for (int i = 0; i < 20; i++) {
      codecs(i < 12);
    }
    for (int i = 0; i < 5; i++) {
      files(file, i < 3);
      directories(i < 3);
      sockets(i < 3);
      threads(i < 3);
    }
    Files.delete(file);
  }

  static void codecs(boolean close) {
    Inflater inflater = new Inflater();
    Deflater deflater = new Deflater();
    if (close) {
      inflater.end();
      deflater.end();
    }
  }

  static void files(Path file, boolean close) throws Exception {
    ZipFile zip = new ZipFile(file.toFile());
    FileInputStream in = new FileInputStream(file.toFile());
    FileOutputStream out = new FileOutputStream(file.toFile(), true);
    FileChannel channel = FileChannel.open(file);
    if (close) {
      zip.close();
      in.close();
      out.close();
      channel.close();
    }
  }

  static void directories(boolean close) throws Exception {
    Path folder = Files.createTempDirectory("rules");
    DirectoryStream<Path> entries = Files.newDirectoryStream(folder);
    Stream<Path> list = Files.list(folder);
    Stream<Path> walk = Files.walk(folder);
    walk.iterator().next();
    if (close) {
      entries.close();
      list.close();
      walk.close();
    }
    Files.delete(folder);
  }

  static void sockets(boolean close) throws Exception {
    SocketChannel socket = SocketChannel.open();
    ServerSocketChannel server = ServerSocketChannel.open();
    DatagramChannel datagrams = DatagramChannel.open();
    Selector selector = Selector.open();
    ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Socket client = new Socket(plain.getInetAddress(), plain.getLocalPort());
    Socket accepted = plain.accept();
    client.close();
    if (close) {
      accepted.close();
      socket.close();
      server.close();
      datagrams.close();
      selector.close();
      plain.close();
    }
  }

  static void threads(boolean close) {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            1,
            work -> {
              Thread thread = new Thread(work);
              thread.setDaemon(true);
              return thread;
            });
    if (close) {
      threads.shutdown();
    }
  }
}
