package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a folder of a process, with the file system that it sees. */
class ControlGroupTest {
  @TempDir private Path process = Path.of("");

  private void write(String file, String text) throws IOException {
    Path path = process.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void second(String group, String limit, long used) throws IOException {
    String folder = "root/sys/fs/cgroup" + group;
    write(folder + "/memory.max", limit + "\n");
    write(folder + "/memory.current", used + "\n");
    write(folder + "/memory.stat", "anon 1\nfile 300\nfile_mapped 7\n");
    write(folder + "/memory.events", "low 0\nhigh 0\nmax 9\noom 3\noom_kill 2\n");
  }

  @Test
  void second_inItsContainer() throws IOException {
    write("cgroup", "0::/\n");
    second("", "1000", 400);
    assertThat(ControlGroup.of(process)).isEqualTo(new Account.Container(1000, 400, 300, 2));
  }

  /** The path is the host's; the container's root is the group. */
  @Test
  void second_byTheHostsPath() throws IOException {
    write("cgroup", "0::/docker/0123\n");
    second("", "1000", 400);
    assertThat(ControlGroup.of(process)).isEqualTo(new Account.Container(1000, 400, 300, 2));
  }

  @Test
  void second_theTightestOfThoseAround() throws IOException {
    write("cgroup", "0::/slice/service\n");
    second("/slice/service", "max", 200);
    second("/slice", "700", 500);
    assertThat(ControlGroup.of(process)).isEqualTo(new Account.Container(700, 500, 300, 2));
    second("/slice/service", "900", 200);
    assertThat(ControlGroup.of(process)).isEqualTo(new Account.Container(700, 500, 300, 2));
    second("/slice/service", "600", 200);
    assertThat(ControlGroup.of(process)).isEqualTo(new Account.Container(600, 200, 300, 2));
  }

  @Test
  void second_withoutLimit() throws IOException {
    write("cgroup", "0::/service\n");
    second("/service", "max", 200);
    assertThat(ControlGroup.of(process)).isEqualTo(new Account.Container(-1, 200, 300, 2));
  }

  private void first(String group, long limit) throws IOException {
    String folder = "root/sys/fs/cgroup/memory" + group;
    write(folder + "/memory.usage_in_bytes", "400\n");
    write(
        folder + "/memory.stat",
        "cache 250\nhierarchical_memory_limit " + limit + "\ntotal_cache 300\n");
    write(folder + "/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
  }

  /** As where both versions are there, and the second has no memory. */
  @Test
  void first_besideTheSecond() throws IOException {
    write("cgroup", "5:cpu,cpuacct:/\n4:memory:/kube/pod\n0::/\n");
    first("/kube/pod", 1000);
    assertThat(ControlGroup.of(process)).isEqualTo(new Account.Container(1000, 400, 300, 2));
  }

  @Test
  void first_withoutLimit() throws IOException {
    write("cgroup", "4:memory:/\n");
    first("", 9223372036854771712L);
    assertThat(ControlGroup.of(process)).isEqualTo(new Account.Container(-1, 400, 300, 2));
  }

  @Test
  void none() throws IOException {
    assertThat(ControlGroup.of(process)).isNull();
    write("cgroup", "0::/\n");
    assertThat(ControlGroup.of(process)).isNull();
    write("root/sys/fs/cgroup/memory.current", "rubbish");
    write("root/sys/fs/cgroup/memory.max", "rubbish");
    assertThat(ControlGroup.of(process)).isNull();
  }

  private void threads(String group, String most, int used) throws IOException {
    write("root/sys/fs/cgroup" + group + "/pids.max", most + "\n");
    write("root/sys/fs/cgroup" + group + "/pids.current", used + "\n");
  }

  @Test
  void threads_second_theTightestOfThoseAround() throws IOException {
    write("cgroup", "0::/slice/service\n");
    assertThat(ControlGroup.threads(process)).isNull();
    threads("/slice/service", "max", 20);
    assertThat(ControlGroup.threads(process)).isNull();
    threads("/slice", "100", 30);
    assertThat(ControlGroup.threads(process)).isEqualTo(new Bound(Bound.Of.THREADS, 30, 100));
    threads("/slice/service", "90", 20);
    assertThat(ControlGroup.threads(process)).isEqualTo(new Bound(Bound.Of.THREADS, 20, 90));
  }

  @Test
  void threads_first() throws IOException {
    write("cgroup", "8:pids:/kube/pod\n4:memory:/kube/pod\n0::/\n");
    threads("/pids/kube/pod", "512", 40);
    assertThat(ControlGroup.threads(process)).isEqualTo(new Bound(Bound.Of.THREADS, 40, 512));
  }
}
