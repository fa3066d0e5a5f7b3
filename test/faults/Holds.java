import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that is looked at. For each line on stdin it does something and answers: `open N` opens N direct buffers and keeps them,
 * `sites N` opens one at each of N lines (up to 2,000) of Lines, which faults-agent.sh writes, anything else is said back. It ends with
 * 7 when stdin ends.
 */
public class Holds {
  private static final List<ByteBuffer> KEPT = new ArrayList<>();

  public static void main(String[] args) throws IOException {
    System.out.println("pid " + ProcessHandle.current().pid());
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      if (words[0].equals("open")) {
        for (int i = 0; i < Integer.parseInt(words[1]); i++) {
          KEPT.add(ByteBuffer.allocateDirect(1024));
        }
      } else if (words[0].equals("sites")) {
        for (int i = 0; i < Integer.parseInt(words[1]); i++) {
          Lines.open(i, KEPT);
        }
      }
      System.out.println("done " + line);
    }
    System.out.println("ends");
    System.exit(7);
  }
}
