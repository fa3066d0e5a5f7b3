#!/bin/sh
# Walks on real JVMs: what the agent publishes while disks are full or read-only, and when whoever reads it is killed.
# Usage: faults-agent.sh JDK...   the homes of the JDKs whose programs are looked at; `./offcut` is built
set -u
unset CDPATH
here=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d "$here/java/target/faults.XXXXXX")
. "$here/test/checks.sh"
program=''

clean_up() {
  # shellcheck disable=SC2086 # none, or one
  kill -9 $program 2>/dev/null
  umount "$work/disk" 2>/dev/null
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' HUP INT TERM
trap '' PIPE # to write to a program that has ended fails; it does not end the walks

# await COMMAND...: until it succeeds; a machine may be busy, so its only limit is that of a hang.
await() {
  limit=$(($(date +%s) + 120))
  until "$@"; do
    [ "$(date +%s)" -lt "$limit" ] || return 1
    sleep 0.1
  done
}

said() { grep -q -F -x -e "$1" "$work/said"; }

# start JDK OPTIONS PROLOGUE: the program below the agent, in a mount namespace that PROLOGUE changes first. It reads $work/ask. What it
# is started from lies in /mnt: the repository may lie in /tmp, which is hidden.
start() {
  rm -f "$work/ask" "$work/said" "$work/stderr"
  mkfifo "$work/ask"
  : >"$work/said"
  unshare -m sh -c "
    mount --make-rprivate / && mount --rbind '$work' /mnt || exit
    $3
    exec '$1/bin/java' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp /mnt/classes '-javaagent:/mnt/agent.jar=$2' Holds" \
    <"$work/ask" >"$work/said" 2>"$work/stderr" &
  program=$!
  exec 9>"$work/ask"
  await grep -q '^pid ' "$work/said" || { cat "$work/stderr" && exit 1; }
  pid=$(sed -n 's/^pid //p' "$work/said")
}

# ask LINE: to the program, and waits for its answer.
ask() {
  if ! echo "$1" >&9 || ! await said "done $1"; then
    echo "# the program did not answer to: $1"
    sed 's/^/# it said: /' "$work/said" "$work/stderr" | tail -n 20
  fi
}

# What the command says of the program, and its status.
look() {
  "$here/offcut" report "$pid" "$@" >"$work/out" 2>"$work/err"
  status=$?
}

end() {
  exec 9>&-
  wait "$program"
  status=$?
  program=''
}

sees_opened() {
  "$here/offcut" report "$pid" >"$work/out" 2>"$work/err"
  grep -q "buffer.direct.* $1 " "$work/out"
}

looks_and_says() {
  look --fail-on-leak
  cat "$work/out" "$work/err" | tr '\n' ' ' | grep -q -e "$1"
}

looks_and_no_more_says() {
  ! looks_and_says "$1"
}

if ! unshare -m true 2>/dev/null; then
  echo "# left out: this system lets nobody make mount namespaces"
  conclude
  exit
fi
mkdir "$work/classes"
cp "$here/java/diagnosis/agent/target/offcut-agent.jar" "$work/agent.jar" || exit 1
javac_home=$1
{
  echo 'class Lines {'
  echo '  static void open(int line, java.util.List<java.nio.ByteBuffer> kept) {'
  echo '    switch (line) {'
  awk 'BEGIN { for (i = 0; i < 2000; i++) print "      case " i " -> kept.add(java.nio.ByteBuffer.allocateDirect(1024));" }'
  echo '      default -> throw new IllegalArgumentException();'
  echo '    }'
  echo '  }'
  echo '}'
} >"$work/Lines.java"
"$javac_home/bin/javac" -d "$work/classes" --release 17 "$here/test/faults/Holds.java" "$work/Lines.java" || exit 1

for jdk; do
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$jdk/release")

  # A disk without room for the tables, from the start.
  start "$jdk" "level=full" "mount -t tmpfs -o size=16k none /tmp && head -c 16384 /dev/zero >/tmp/full 2>/dev/null || true"
  ask "open 300"
  check "$version, /tmp full: the tables are in memory" await sees_opened 300
  end
  check "$version, /tmp full: the exit code is the program's" ends 7

  # A disk that becomes full, and free again.
  mkdir -p "$work/disk"
  mount -t tmpfs -o size=1m none "$work/disk"
  start "$jdk" "level=full,tables=$work/disk" :
  ask "open 1"
  check "$version, disk: published" await sees_opened 1
  head -c 2000000 /dev/zero >"$work/disk/full" 2>/dev/null
  ask "sites 2000"
  check "$version, disk full: which figures are old, and why" await looks_and_says \
    "not been able to publish call sites since.*No space left on device"
  check "$version, disk full: a check cannot be answered" ends 5
  check "$version, disk full: counts go on" await sees_opened 2,001
  rm "$work/disk/full"
  check "$version, disk free: published again" await looks_and_no_more_says "not been able to publish"
  end
  check "$version, disk: the exit code is the program's" ends 7
  umount "$work/disk"

  # No place at all: one line, and the program runs.
  start "$jdk" "level=full" "mount -o remount,ro,bind / && mount -t tmpfs -o ro none /tmp && mount -t tmpfs -o ro none /dev/shm"
  ask "open 300"
  check "$version, nothing can be written: one line says it" await grep -q "the agent cannot write its tables" "$work/stderr"
  ask "hello"
  end
  check "$version, nothing can be written: the exit code is the program's" ends 7
  check "$version, nothing can be written: said once" [ "$(grep -c "cannot write its tables" "$work/stderr")" = 1 ]

  # The command is killed: the program goes on, and ends by itself.
  rm -f "$work/ask"
  mkfifo "$work/ask"
  : >"$work/said"
  (
    cd "$work" || exit
    exec "$here/offcut" run -- "$jdk/bin/java" -XX:+UseSerialGC -cp "$work/classes" Holds
  ) <"$work/ask" >"$work/said" 2>"$work/stderr" &
  command=$!
  exec 9>"$work/ask"
  await grep -q '^pid ' "$work/said"
  program=$(sed -n 's/^pid //p' "$work/said")
  ask "open 300"
  kill -9 "$command"
  ask "still here"
  check "$version, the command is killed: the program answers" said "done still here"
  exec 9>&-
  check "$version, the command is killed: the program ends" await no kill -0 "$program" 2>/dev/null
  program=''
done
conclude
