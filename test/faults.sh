#!/bin/sh
# Faults around a program that somebody looks at: full disks, folders that are missing or somebody else's, a program that is stopped,
# and commands that are killed. After each of them the program still answers, it ends with its own exit code, it prints nothing that is
# not its own, and the command says what is wrong.
#
#   test/faults.sh JDK [JAVA_HOME...]      JDK: compiles the program; each JAVA_HOME: runs it (default: JDK)
#
# What changes the file system is in a mount namespace, where the system allows that.
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
. "$root/test/checks.sh"
offcut=$root/offcut
unset XDG_RUNTIME_DIR JAVA_TOOL_OPTIONS

trap '' PIPE # to write to a program that has ended fails; it does not end the walk

# ---- The program, and the command

# Nothing of the last program is left: what it printed would look like the next one's.
begin_program() {
  rm -f "$work/in" "$work/program"
  mkfifo "$work/in"
  : >"$work/program"
}

# start_program [OPTION...]: starts it, and waits until it is ready. It reads from $work/in, which is open as 9.
start_program() {
  begin_program
  "$java" -XX:+UseSerialGC -Xmx64m "$@" -cp "$classes" Answers <"$work/in" >"$work/program" 2>&1 &
  program=$!
  exec 9>"$work/in"
  pings=0
  await grep -q '^ready' "$work/program"
}

# await COMMAND...: until it succeeds. The limit only ends a hang.
await() {
  turns=0
  until "$@"; do
    turns=$((turns + 1))
    [ "$turns" -lt 6000 ] || return
    sleep 0.1
  done
}

answers() {
  pings=$((pings + 1))
  echo "ping $pings" >&9
  await grep -q "^pong $pings\$" "$work/program"
}

# What it printed is its own, or a line of the agent or of the JVM about it.
is_undisturbed() {
  ! grep -v -e '^ready' -e '^pong ' -e '^ending' -e '^offcut' -e '^WARNING: ' "$work/program" | grep -q .
}

# ends_by_itself WALK: it answers a last time, and ends as it is told to.
ends_by_itself() {
  check "$1: the program answers" answers
  echo end >&9
  exec 9>&-
  wait "$program"
  status=$?
  check "$1: the program's own exit code" ends 7
  check "$1: the program prints what is its own" is_undisturbed
  is_undisturbed || sed 's/^/# program: /' "$work/program" | head -n 40
}

# try WORD ARGUMENTS...: the command; sets status.
try() {
  (cd "$work" && exec timeout 60 "$offcut" "$@") >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

# begin NAME WORD ARGUMENTS...: the same beside others; `end NAME` waits for it.
begin() {
  name=$1
  shift
  (
    cd "$work" && timeout 60 "$offcut" "$@" >"$work/$name.out" 2>"$work/$name.err" </dev/null
    echo $? >"$work/$name.status"
  ) &
}

end() {
  await [ -s "$work/$1.status" ]
  status=$(cat "$work/$1.status")
  mv "$work/$1.out" "$work/out"
  mv "$work/$1.err" "$work/err"
  rm "$work/$1.status"
}

# attaches WALK REASON: the agent is there, and either its counts can be read, or the command says why not. A recording is none of
# the ways out: nobody asked for it.
attaches() {
  try attach "$program"
  if ends 0; then
    try report "$program"
    check "$1: the agent publishes elsewhere" ends 0
  else
    check "$1: attach fails" ends 1
    check "$1: attach says that the agent cannot publish" err_says "publishes nothing, so no report can be made"
    check "$1: attach says why" err_says "$2"
  fi
  try ps --json
  check "$1: nothing is recorded" out_matches "{\"pid\":$program,[^}]*\"records\":false"
}

# ---- Walks in a mount namespace

walk_full() {
  start_program
  head -c 100000000 /dev/zero >/tmp/fill 2>/dev/null
  attaches "full /tmp" "No space left on device"
  try report "$program"
  check "full /tmp: report" ends 0
  try run --record -- "$java" -cp "$classes" Answers end
  check "full /tmp: run --record is refused before the program starts" ends 125
  check "full /tmp: run --record says why" err_says "a recording needs"
  try run -- "$java" -XX:+UseSerialGC -cp "$classes" Answers end
  check "full /tmp: run: the program's own exit code" ends 7
  check "full /tmp: the program answers" answers
  rm /tmp/fill
  attaches "free again" "No space left on device"
  ends_by_itself "free again"
}

walk_read_only() {
  mount -o remount,bind,ro / && mount -o remount,ro /tmp || return
  start_program
  try attach "$program"
  check "read-only root: attach fails" ends 4
  check "read-only root: attach says why" err_says "the JVM $program cannot be reached"
  try report "$program"
  check "read-only root: report, from outside" ends 0
  try run -- "$java" -cp "$classes" Answers end
  check "read-only root: run fails before the program starts" ends 125
  check "read-only root: run says why" err_says "cannot write to the directory for temporary files"
  ends_by_itself "read-only root"
}

walk_no_tmp() {
  start_program
  try attach "$program"
  check "no /tmp: attach fails" ends 4
  check "no /tmp: attach says why" err_says "the JVM $program cannot be reached"
  try report "$program"
  check "no /tmp: report, from outside" ends 0
  ends_by_itself "no /tmp"
}

# The root of a program without /tmp: all that is here, but for that.
without_tmp() {
  mkdir "$1" || return
  for file in /*; do
    case $file in
      /tmp) ;;
      /mnt) mkdir "$1/mnt" && mount --rbind /mnt "$1/mnt" || return ;;
      *)
        if [ -L "$file" ]; then
          cp -P "$file" "$1$file"
        elif [ -d "$file" ]; then
          mkdir "$1$file" && mount --rbind "$file" "$1$file"
        fi || return
        ;;
    esac
  done
}

# enter WALK: in a new mount namespace, where /tmp is small and empty, and the repository lies in /mnt, since it may lie in /tmp.
enter() {
  if ! unshare -m true 2>/dev/null; then
    echo "# left out: $1 (this user may make no mount namespace)"
    return
  fi
  # shellcheck disable=SC2016 # the inner shell's
  unshare -m sh -c '
    mount --make-rprivate / && mount -t tmpfs tmpfs /mnt && mkdir /mnt/repository /mnt/classes /mnt/work &&
      mount --bind "$1" /mnt/repository && cp "$2"/*.class /mnt/classes && mount -t tmpfs -o size=8m,mode=1777 tmpfs /tmp || exit 99
    [ -z "${OFFCUT_TESTS-}" ] || OFFCUT_TESTS=/mnt/repository
    exec sh /mnt/repository/test/faults.sh --inside "$3" "$4"' sh "$root" "$classes" "$1" "$home"
  [ $? -ne 99 ] || echo "# left out: $1 (this system allows no mounts in a mount namespace)"
}

# ---- Walks everywhere

walk_foreign() {
  mkdir "$work/foreign"
  mkdir -m 777 "$work/foreign/offcut-$(id -u)"
  chmod 777 "$work/foreign/offcut-$(id -u)"
  reason='is open to other users'
  ! chown 65534 "$work/foreign/offcut-$(id -u)" 2>/dev/null || reason='belongs to another user'
  start_program -Djava.io.tmpdir="$work/foreign"
  attaches "foreign folder" "$reason"
  check "foreign folder: nothing is written there" [ -z "$(ls -A "$work/foreign/offcut-$(id -u)")" ]
  ends_by_itself "foreign folder"
}

walk_stopped() {
  start_program
  kill -STOP "$program"
  for word in report web attach; do
    begin "$word" "$word" "$program"
  done
  sentence="JVM $program is not responding: it has not answered for 10 s"
  end report
  check "stopped: report shows what the system tells" ends 0
  check "stopped: report says that it does not respond" out_says "$sentence"
  for word in web attach; do
    end "$word"
    check "stopped: $word fails" ends 4
    check "stopped: $word says that it does not respond" err_says "$sentence"
  done
  kill -CONT "$program"
  check "stopped, and goes on: the program answers" answers
  try attach "$program"
  check "stopped, and goes on: attach" ends 0
  try report "$program"
  check "stopped, and goes on: report" ends 0
  kill -STOP "$program"
  try report "$program"
  check "stopped with the agent: report shows what it published" ends 0
  tr '\n' ' ' <"$work/out" | sed 's/  */ /g' >"$work/line"
  check "stopped with the agent: report says that it does not respond" grep -q -F -e "$sentence" "$work/line"
  check "stopped with the agent: report says how old that is" grep -q 'has not published anything for [0-9]* s' "$work/line"
  try ps
  check "stopped with the agent: ps lists it" out_matches "^$program "
  kill -CONT "$program"
  ends_by_itself "stopped with the agent"
}

# At 20 moments of the life of a command: it takes about a second.
walk_killed() {
  start_program
  moment=0
  while [ "$moment" -lt 16 ]; do
    for word in report attach web export; do
      (cd "$work" && exec "$offcut" "$word" "$program") >/dev/null 2>&1 </dev/null &
      command=$!
      sleep "0.$((5 * moment / 4 + 10 * (moment % 4) + 10))"
      kill -KILL "$command" 2>/dev/null
      wait "$command" 2>/dev/null
      moment=$((moment + 1))
    done
    check "killed at moment $moment: the program answers" answers
  done
  try attach "$program"
  check "killed: an attach that is not killed" ends 0
  try report "$program"
  check "killed: a report that is not killed" ends 0
  ends_by_itself "killed"
  # A program of `run` goes on without the command.
  for moment in 17 18 19 20; do
    begin_program
    (cd "$work" && exec "$offcut" run -- "$java" -XX:+UseSerialGC -cp "$classes" Answers) <"$work/in" >"$work/program" 2>/dev/null &
    command=$!
    exec 9>"$work/in"
    await grep -q '^ready' "$work/program"
    sleep "0.$((moment - 17))"
    kill -KILL "$command"
    wait "$command" 2>/dev/null
    program=$(sed -n 's/^ready \([0-9]*\)$/\1/p' "$work/program")
    pings=0
    check "run killed at moment $moment: the program answers" answers
    echo end >&9
    exec 9>&-
    check "run killed at moment $moment: the program ends by itself" await grep -q '^ending' "$work/program"
    await gone "$program"
    check "run killed at moment $moment: the program prints what is its own" is_undisturbed
  done
}

gone() { ! kill -0 "$1" 2>/dev/null; }

walk_twice() {
  start_program
  for turn in now already; do
    try attach "$program"
    check "attach, $turn: status" ends 0
    check "attach, $turn: said" err_matches "the agent \(is\|was\) in the JVM $program $turn"
  done
  check "attach twice: the program answers" answers
  ends_by_itself "attach twice"
  begin_program
  (cd "$work" && exec "$offcut" run -- "$java" -XX:+UseSerialGC -cp "$classes" Answers) <"$work/in" >"$work/program" 2>"$work/run.err" &
  run=$!
  exec 9>"$work/in"
  await grep -q '^ready' "$work/program"
  program=$(sed -n 's/^ready \([0-9]*\)$/\1/p' "$work/program")
  pings=0
  try attach "$program"
  check "run and attach: status" ends 0
  check "run and attach: said" err_says "the agent was in the JVM $program already"
  program=$run
  ends_by_itself "run and attach"
}

err_matches() { grep -q -e "$1" "$work/err"; }

# ---- All of it

if [ "${1-}" = --inside ]; then
  walk=$2 home=$3
  java=$home/bin/java classes=/mnt/classes work=/mnt/work
  offcut=/mnt/repository/offcut
  if [ "$walk" = no_tmp ] && [ ! -e /mnt/root ]; then
    umount /tmp
    without_tmp /mnt/root && exec chroot /mnt/root sh /mnt/repository/test/faults.sh "$@"
    exit 99
  fi
  "walk_$walk" || exit 99
  exit 0
fi

# of_jvm HOME FOLDER WALK...: one after the other.
of_jvm() {
  home=$1 work=$2
  shift 2
  java=$home/bin/java
  for walk; do
    case $walk in
      full | read_only | no_tmp) enter "$walk" ;;
      *) "walk_$walk" ;;
    esac
  done
}

jdk=$1
shift
# Built once, before the walks; the tests have done so.
if [ -z "${OFFCUT_TESTS-}" ]; then
  "$offcut" ps >/dev/null || exit 1
  export OFFCUT_TESTS="$root"
fi
[ $# -gt 0 ] || set -- "$jdk"
mkdir -p "$root/java/target"
all=$(mktemp -d "$root/java/target/faults.XXXXXX")
classes=$all/classes
# shellcheck disable=SC2154 # set by leave
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$all"' EXIT
trap 'exit 130' HUP INT TERM
mkdir "$classes"
cat >"$all/Answers.java" <<'END'
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Answers each line of its input, until it is told to end, by an argument or a line. */
class Answers {
  static final List<Object> KEPT = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    KEPT.add(ByteBuffer.allocateDirect(1 << 20));
    System.out.println("ready " + ProcessHandle.current().pid());
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    String line = args.length > 0 ? args[0] : lines.readLine();
    while (line != null && !line.equals("end")) {
      System.out.println(line.replace("ping", "pong"));
      line = lines.readLine();
    }
    System.out.println("ending");
    System.exit(7);
  }
}
END
"$jdk/bin/javac" --release 17 -d "$classes" "$all/Answers.java" || exit 1

# Much of a walk is waiting: each JVM has two rows of them beside the other's.
number=0
rows=''
for home; do
  for walks in "full stopped" "read_only no_tmp foreign twice killed"; do
    number=$((number + 1))
    mkdir "$all/$number"
    # shellcheck disable=SC2086 # each a word
    of_jvm "$home" "$all/$number" $walks >"$all/$number.said" 2>&1 &
    rows="$rows $!"
  done
done
for row in $rows; do
  wait "$row"
done
cat "$all"/*.said
if [ -e "$root/test/faults-agent.sh" ]; then
  sh "$root/test/faults-agent.sh" "${@:-$jdk}" >"$all/agent" 2>&1 || echo "not ok - faults-agent.sh ends with $?" >>"$all/agent"
  sed 's/^\([0-9]* passed, [0-9]* failed\)$/# agent: \1/' "$all/agent" | tee "$all/agent.said"
fi
passed=$(cat "$all"/*.said | grep -c '^ok ')
failed=$(cat "$all"/*.said | grep -c '^not ok ')
[ "$passed" -gt 0 ] || failed=$((failed + 1))
conclude
