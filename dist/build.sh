#!/bin/sh
# Makes the archive to install from what is built: the command, its jars, and a runtime of their own.
#
#   dist/build.sh JDK VERSION DIR      writes DIR/offcut-VERSION-SYSTEM.tar.gz, and prints its path
#
# The runtime is for the system this runs on.
set -eu
unset CDPATH
jdk=$1 version=$2 to=$3
root=$(cd "$(dirname "$0")/.." && pwd -P)

case $(uname -s)-$(uname -m) in
  Linux-x86_64) system=linux-x64 ;;
  Linux-aarch64) system=linux-aarch64 ;;
  Darwin-arm64) system=macos-aarch64 ;;
  Darwin-x86_64) system=macos-x64 ;;
  *) system=$(uname -s)-$(uname -m) ;;
esac
name=offcut-$version-$system
mkdir -p "$to"
work=$(mktemp -d "$to/dist.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
home=$work/$name
mkdir -p "$home/bin" "$home/lib"

cp "$root/dist/offcut" "$home/bin/offcut"
chmod 755 "$home/bin/offcut"
cp "$root/dist/README.md" "$root/LICENSE" "$root/NOTICE" "$home/"
java=$root/java

# What is in the archive, for scanners: what Maven knows of, and what it does not.
uplot=$(sed -n 's/.*uPlot (v\(.*\))$/\1/p' "$root/web/vendor/uplot/uPlot.esm.js")
runtime=$(sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)"/\1/p' "$jdk/release")
sed '/^  "components" : \[$/a\
    { "type" : "library", "bom-ref" : "pkg:npm/uplot@UPLOT", "name" : "uplot", "version" : "UPLOT", "purl" : "pkg:npm/uplot@UPLOT",\
      "licenses" : [ { "license" : { "id" : "MIT" } } ] },\
    { "type" : "platform", "bom-ref" : "openjdk@RUNTIME", "name" : "openjdk", "version" : "RUNTIME",\
      "licenses" : [ { "expression" : "GPL-2.0-only WITH Classpath-exception-2.0" } ] },' "$java/target/sbom.json" |
  sed -e "s/UPLOT/$uplot/g" -e "s/RUNTIME/$runtime/g" >"$home/sbom.json"

cp "$java/diagnosis/agent/target/offcut-agent.jar" "$java/retrofit/target/offcut-retrofit.jar" "$java/evidence/examples/sqlite/target/offcut-example-sqlite.jar" \
  "$java/evidence/replay/target/offcut-replay.jar" "$java/diagnosis/heap/target/offcut-heap.jar" "$home/lib/"
for library in handle memory; do
  cp "$java/libraries/$library/target/offcut-$library-$version.jar" "$home/lib/offcut-$library.jar"
done

# The command is a module of the runtime, so that its classes stand in the class data archive. The bundled program and the
# replay run on the class path: java.instrument, java.management and jdk.management are what the agent asks of a JVM.
modules=$java/diagnosis/command/target/offcut-command.jar
for jar in "$java"/diagnosis/command/target/lib/*.jar; do
  case $jar in
    */picocli-*)
      "$jdk/bin/java" "$root/dist/NewerClasses.java" "$jar" "$work/${jar##*/}"
      jar=$work/${jar##*/}
      ;;
  esac
  modules=$modules:$jar
done
"$jdk/bin/jlink" --module-path "$modules" \
  --add-modules dev.offcut.command,java.instrument,java.logging,java.management,jdk.management,jdk.unsupported \
  --strip-java-debug-attributes --no-header-files --no-man-pages --compress zip-6 --output "$home/runtime"
# Debug symbols, as far as the JDK has them in its libraries.
if command -v strip >/dev/null && [ "${system%%-*}" = linux ]; then
  find "$home/runtime/lib" -name '*.so' -exec strip --strip-unneeded {} +
fi

# The class data archives: the classes that the words load, found by running them. One stands in the place of the JDK's own, for
# every program that runs on this runtime. The others have them linked, and fit the command alone: plain.jsa has the words
# as bin/offcut gives them to it, offcut.jsa has all. What they load differs with the hour and the programs that run beside them, so
# the lists are packed, too: who builds the same commit with OFFCUT_CLASS_LISTS set to their folder gets the same bytes.
lists=$home/runtime/lib
mkdir "$work/run"
flags="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djdk.reflect.useNativeAccessorOnly=true"
# learn LIST WORD...: its options of which none is for the command.
learn() {
  list=$work/classes.$1
  shift
  # shellcheck disable=SC2086 # flags are words
  (cd "$work/run" && exec "$home/runtime/bin/java" $flags "-Doffcut.agent.jar=$home/lib/offcut-agent.jar" \
    "-XX:DumpLoadedClassList=$list" -m dev.offcut.command/dev.offcut.command.Main "$@") >/dev/null 2>"$work/learn.log" || {
    cat "$work/learn.log" >&2
    exit 1
  }
}
# sorted LIST...: by name alone: numbers of class loaders differ from list to list, and classes of files are of that run. Constants
# that a class has resolved (@cp) stand behind all classes, and lambdas behind the constants.
sorted() {
  sed -e 's/ id: [0-9]*$//' -e '/ source: /d' -e '/^#/d' "$@" | LC_ALL=C sort -u >"$work/sorted"
  sed '/^@/d' "$work/sorted"
  sed -n '/^@lambda-form-invoker /p' "$work/sorted"
  sed -n '/^@cp /p' "$work/sorted"
  sed -n '/^@lambda-proxy /p' "$work/sorted"
}
if [ -n "${OFFCUT_CLASS_LISTS-}" ]; then
  cp "$OFFCUT_CLASS_LISTS/classes.list" "$OFFCUT_CLASS_LISTS/plain.list" "$lists/"
else
  cat >"$work/run/Learnt.java" <<'END'
class Learnt {
  static final java.util.List<Object> KEPT = new java.util.ArrayList<>();

  public static void main(String[] args) {
    for (int i = 0; i < args.length; i++) {
      KEPT.add(java.nio.ByteBuffer.allocateDirect(32 << 20));
    }
  }
}
END
  "$jdk/bin/javac" -d "$work/run" "$work/run/Learnt.java"
  learn plain-help --help
  learn plain-version version
  learn plain-ps ps
  learn plain-run run -- "$home/runtime/bin/java" -cp . Learnt
  learn plain-leaks run -- "$home/runtime/bin/java" -cp . Learnt leaks
  learn run run --output "$work/run/own" -- "$home/runtime/bin/java" -m dev.offcut.command/dev.offcut.command.Main --help
  learn record run --record --output "$work/run/recorded" -- "$home/runtime/bin/java" -m dev.offcut.command/dev.offcut.command.Main --help
  learn report report "$work/run/own.offcut"
  learn recording report "$work/run/recorded.jfr"
  sorted "$work"/classes.plain-* >"$lists/plain.list"
  sorted "$work"/classes.* >"$lists/classes.list"
fi
# dump LIST FILE [OPTION...]: no tool may attach meanwhile: the answer to it would take classes into the archive that it cannot have.
dump() {
  list=$lists/$1.list
  file=$2
  shift 2
  # shellcheck disable=SC2086
  "$home/runtime/bin/java" $flags -XX:+DisableAttachMechanism -Xshare:dump "-XX:SharedClassListFile=$list" "-XX:SharedArchiveFile=$file" "$@" \
    -m dev.offcut.command/dev.offcut.command.Main >"$work/dump.log" 2>&1 || {
    cat "$work/dump.log" >&2
    exit 1
  }
}
# linked LIST FILE: without the times in it.
linked() {
  dump "$1" "$2" -XX:+AOTClassLinking
  dump "$1" "$work/other.jsa" -XX:+AOTClassLinking
  "$jdk/bin/java" "$root/dist/SoftReferences.java" "$2" "$work/other.jsa"
}
linked classes "$home/runtime/lib/server/offcut.jsa"
linked plain "$home/runtime/lib/server/plain.jsa"
dump classes "$home/runtime/lib/server/classes.jsa"

# size JAR MOST: prints it; one that outgrew its bound is a question to answer, here or by making it smaller.
size() {
  bytes=$(wc -c <"$1")
  echo "size: $(basename "$1") $((bytes / 1024)) KiB, $2 at most"
  if [ "$bytes" -gt $(($2 * 1024)) ]; then
    echo "$(basename "$1") has outgrown its bound of $2 KiB in dist/build.sh" >&2
    exit 1
  fi
}
# The agent is stored without compression, which saves each program 15 ms of CPU at its start; compressed it would have half of that.
# Four builds of the sampler of malloc are 300 KiB of it.
size "$home/lib/offcut-agent.jar" 1450
size "$home/lib/offcut-retrofit.jar" 200
size "$home/lib/offcut-handle.jar" 200
size "$home/lib/offcut-memory.jar" 250
size "$java/diagnosis/command/target/offcut-command.jar" 950
size "$home/lib/offcut-replay.jar" 300
size "$home/lib/offcut-heap.jar" 200

# The same bytes for the same commit and JDK, where tar is GNU's.
if tar --version | grep -q GNU; then
  stamp=$(sed -n 's:^ *<project.build.outputTimestamp>\(.*\)</.*:\1:p' "$java/pom.xml")
  tar --sort=name --mtime="$stamp" --owner=0 --group=0 --numeric-owner --mode=go=u-w -cf - -C "$work" "$name" |
    gzip -9n >"$work/$name.tar.gz"
else
  tar -czf "$work/$name.tar.gz" -C "$work" "$name"
fi
mv "$work/$name.tar.gz" "$to/$name.tar.gz"
echo "$to/$name.tar.gz"
