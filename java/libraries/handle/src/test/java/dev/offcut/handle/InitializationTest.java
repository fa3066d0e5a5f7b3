package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A class whose initializer fails in a full heap is broken for ever: none runs late. */
class InitializationTest {
  private static final String READY = "the first type is made";

  /** What the JVM writes when it runs an initializer; for a class without one, "(no method)". */
  private static final Pattern INITIALIZER =
      Pattern.compile("Initializing '?dev/offcut/handle/([\\w$]+)'? ?\\(0x");

  /** Makes a type, and after that does all that a program does with handles. */
  static final class Program {
    private Program() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws InterruptedException {
      Cleaner cleaner = Cleaner.create();
      HandleType parents =
          HandleType.named("parent")
              .releaser(Native::close)
              .closeWithChildren(CloseWithChildren.DEFER)
              .create();
      HandleType children =
          HandleType.named("child").releaser(Native::close).childOf(parents).create();
      Native.close(Native.open());
      System.out.println(READY);
      for (Detection level : Detection.values()) {
        Handles.detection(level);
        GuardedThing parent = GuardedThing.open(parents);
        Thing.openChild(children, parent).close();
        Thing.forgetChild(children, parent);
        Reaper.pass(false, true);
        Thing.openChild(children, parent).close();
        parent.close();
        cleaner.register(new Object(), () -> {}).clean();
        cleaner.register(new Object(), () -> {});
        try {
          parent.beginUse();
        } catch (ClosedHandleException e) {
          System.out.println(e.getMessage());
        }
      }
      Handles.drain(Duration.ofSeconds(20));
    }
  }

  @Test
  void initializers_ofTheNet_haveRunWhenTheFirstTypeIsMade() throws Exception {
    String text =
        ChildJvm.with("-Xlog:class+init=info:stdout:none").program(Program.class).run().outText();
    int ready = text.indexOf(READY);
    assertThat(initializers(text.substring(0, ready))).contains("Site", "Nursery");
    assertThat(initializers(text.substring(ready))).isEmpty();
  }

  private static List<String> initializers(String log) {
    return INITIALIZER.matcher(log).results().map(found -> found.group(1)).toList();
  }
}
