#!/bin/sh
# Accounts of memory, of other projects' programs and the bundled one: how much is unexplained on each JDK, with each collector, where
# the account begins late, with a preloaded jemalloc, and on a JVM for the C library musl. Then, of four programs that fragment
# malloc, what a trim was predicted to return and what it returned. It takes minutes, so `./offcut test` leaves it out.
#
# test/account-matrix.sh [NAME …]      names of programs and JDKs: test/account-matrix.sh Netty 17 21; test/account-matrix.sh trim
#
# Fails if more than 1 % of resident memory is unexplained (2 % below 64 MiB), or a prediction of 50 MiB or more is more than 10 % off.
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
# resolve FILE: what find_jdk asks for.
resolve() {
  readlink -f "$1"
}
. "$root/launcher/toolchains.sh"
jdk=${OFFCUT_JAVA_HOME:-$(find_jdk 25 999)}
work=$root/java/target/account
programs=$root/java/evidence/apps/src/main/java/dev/offcut/apps
log=$work/build.log

if [ -z "$jdk" ]; then
  echo "The programs are built with a JDK 25 or newer, and none was found. Install one, or set OFFCUT_JAVA_HOME."
  exit 1
fi
if [ ! -r /proc/self/smaps ]; then
  echo "Accounts of memory need Linux."
  exit 1
fi
mkdir -p "$work/jars" "$work/classes"
export JAVA_HOME="$jdk"
cd "$root/java" || exit 1

# built COMMAND …: runs it, and shows its output if it fails.
built() {
  "$@" >>"$log" 2>&1 || {
    tail -n 30 "$log"
    exit 1
  }
}

: >"$log"
built ./mvnw -B -ntp -pl diagnosis/resident,evidence/examples/sqlite -am -Dskip.checks -DskipTests package
built ./mvnw -B -ntp -Papps -pl evidence/apps dependency:copy-dependencies -DincludeScope=runtime "-DoutputDirectory=$work/jars"
built "$jdk/bin/javac" --release 17 -nowarn -d "$work/classes" -cp "$work/jars/*" "$programs"/[A-Z]*.java "$root/test/account/Fragments.java"
built "$jdk/bin/javac" -d "$work/matrix" -cp diagnosis/resident/target/classes "$root/test/account/Matrix.java"

homes=''
for version in 17 21 25 27; do
  home=$(find_jdk "$version" "$version")
  if [ -n "$home" ]; then
    homes="$homes $version=$home"
  else
    echo "left out: no JDK $version was found"
  fi
done
musl=${OFFCUT_MUSL_JAVA_HOME-}
if [ -x "$musl/bin/java" ]; then
  homes="$homes musl=$musl"
else
  echo "left out: no JVM for musl. \`sh test/musl-jvm.sh FOLDER\` builds one; then set OFFCUT_MUSL_JAVA_HOME=FOLDER/jvm"
fi
malloc=$(find /usr/lib /usr/local/lib -name 'libjemalloc.so.2' 2>/dev/null | head -n 1)
[ -n "$malloc" ] || echo "left out: no jemalloc was found (Debian's package is libjemalloc2)"

# The homes are words of their own, so they have no blanks.
# shellcheck disable=SC2086
exec "$jdk/bin/java" -XX:+UseSerialGC -cp "$work/matrix:diagnosis/resident/target/classes" Matrix "$work" "$work/classes:$work/jars/*" \
  "evidence/examples/sqlite/target/offcut-example-sqlite.jar" "$malloc" $homes -- "$@"
