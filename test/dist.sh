#!/bin/sh
# The archive as somebody meets it who has a server, a Java 17 and nothing else: it is unpacked into an empty folder, and its
# words are tried with a PATH that has that Java alone.
#
# test/dist.sh ARCHIVE JAVA17_HOME
set -u
unset CDPATH

archive=$1 jdk17=$2
root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d)
program=''
. "$root/test/checks.sh"

clean_up() {
  [ -z "$program" ] || kill "$program" 2>/dev/null
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' HUP INT TERM

# try COMMAND...: runs it in an empty folder; sets status.
try() {
  (cd "$work/empty" && exec env -i PATH="$jdk17/bin" HOME="$work/home" "$@") >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

mkdir "$work/empty" "$work/home" "$work/a folder"
tar -xzf "$archive" -C "$work/a folder" || exit 1
set -- "$work/a folder"/offcut-*
home=$1
offcut=$home/bin/offcut
: >"$work/out"
: >"$work/err"

check "the archive has at most 70 MB" at_most "$(wc -c <"$archive")" 70000000
for part in offcut-command offcut-agent offcut-retrofit offcut-memory picocli jackson-core uplot openjdk; do
  check "its list of parts has $part" grep -q "\"name\" : \"$part\", \"version\" : \"[0-9]\|\"name\" : \"$part\",$" "$home/sbom.json"
done
for file in README.md LICENSE NOTICE bin/offcut lib/offcut-agent.jar lib/offcut-retrofit.jar lib/offcut-heap.jar runtime/bin/java runtime/legal; do
  check "it has $file" [ -e "$home/$file" ]
done

try "$offcut" --help
check "--help: status" ends 0
check "--help: the words" out_matches '^  report \[SRC\]'
try "$offcut" version
check "version" out_matches '^offcut [0-9]'
ln -s "$offcut" "$work/linked"
try "$work/linked" version
check "version, by a symbolic link" out_matches '^offcut [0-9]'
try "$offcut" leak
check "a word that is none: status" ends 2
try "$home/runtime/bin/java" -Xshare:on -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xlog:class+load -m dev.offcut.command/dev.offcut.command.Main --help
check "the command's classes are in the class data archive" out_says 'dev.offcut.command.Main source: shared objects file'
for archive in offcut plain; do
  try "$home/runtime/bin/java" -Xshare:on -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
    "-XX:SharedArchiveFile=$home/runtime/lib/server/$archive.jsa" \
    -Xlog:aot -m dev.offcut.command/dev.offcut.command.Main --help
  check "$archive.jsa is an archive of linked classes" out_says 'Using AOT-linked classes: true'
done
JAVA_TOOL_OPTIONS=-XX:-UseCompressedOops
export JAVA_TOOL_OPTIONS
try "$offcut" --help
unset JAVA_TOOL_OPTIONS
check "--help, where the archive does not fit: status" ends 0
check "--help, where the archive does not fit: the words, and no more" [ "$(head -c 6 "$work/out")" = Usage: ]

cat >"$work/empty/Leaky.java" <<'END'
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Keeps two buffers; with an argument it goes on until its input ends. */
public class Leaky {
  static final List<ByteBuffer> KEPT = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    KEPT.add(ByteBuffer.allocateDirect(1 << 20));
    KEPT.add(ByteBuffer.allocateDirect(1 << 20));
    System.out.println("Java " + Runtime.version().feature());
    if (args.length > 0) {
      System.in.read();
    }
  }
}
END
try javac Leaky.java
check "a program on 17 is compiled" ends 0
try "$offcut" run -o own -- java -cp . Leaky
check "run, a program on 17: status" ends 0
check "run, a program on 17: its own output" out_matches '^Java 17$'
check "run, a program on 17: its buffers" grep -q '^ *buffer.direct ' "$work/empty/own.txt"
check "run: the page is there" [ -s "$work/empty/own.html" ]
try "$offcut" report own.offcut
check "report on what a run left: status" ends 0
try "$offcut" run --rows 1000 --queries 1000 --forget 1%
check "run, the bundled program: status" ends 0
check "run, the bundled program: what was forgotten" err_says 'FORGOTTEN'
try "$offcut" replay
check "replay: status" ends 0

mkfifo "$work/input"
(cd "$work/empty" && exec "$jdk17/bin/java" -cp . Leaky stays) <"$work/input" >"$work/stays" 2>&1 &
program=$!
exec 9>"$work/input"
until [ -s "$work/stays" ] || ! kill -0 "$program"; do
  sleep 0.1
done
try "$offcut" ps
check "ps: lists the program" out_matches "^$program .*Leaky"
try "$offcut" attach "$program"
check "attach: status" ends 0
try "$offcut" report "$program"
check "report of a PID: status" ends 0
check "report of a PID: the program" out_says "Leaky, process $program, JDK 17"
exec 9>&-
wait "$program"
program=''

# A runtime that jlink made has no JAVA_RUNTIME_VERSION; its programs are listed all the same, and nobody attaches to them.
(cd "$work/empty" && exec "$home/runtime/bin/java" -cp . Leaky stays) <"$work/input" >"$work/stays" 2>&1 &
program=$!
exec 9>"$work/input"
until grep -q Java "$work/stays" || ! kill -0 "$program"; do
  sleep 0.1
done
try "$offcut" ps
check "ps: lists a program on a runtime that jlink made" out_matches "^$program  *2[5-9][^ ]* .*Leaky"
check "ps: does not attach to it" [ ! -e "/tmp/.java_pid$program" ]
exec 9>&-
wait "$program"
program=''

rm -r "$home/runtime"
try "$offcut" ps
check "without its runtime: status" ends 1
check "without its runtime: says what to do" err_says 'unpack the whole archive'

conclude
