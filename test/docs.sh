#!/bin/sh
# The commands in README.md and docs/user: each `./offcut …` is run, in a folder of its page's own, in the order of the page.
#
# In blocks marked `sh` the lines that begin with ./offcut, and in the text what stands in backquotes. app.jar is a program that
# leaks; PID is one that runs; `…` stands for its options. Of measurements only the names of suite and cases are looked up: they
# take long. Comments in a page say what else is to be known of its next block:
#   <!-- not run: `./offcut test`, why -->     that command is left out; without a command, the whole block
#   <!-- stopped: why -->                      the block's commands go on until they are stopped: it is enough that they print
#
# test/docs.sh [PAGE...]
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d)
. "$root/test/checks.sh"
program=''  # the process that PID stands for
running=''  # the command that is tried
watchdog='' # the one that ends this if a command hangs

clean_up() {
  [ -z "$program" ] || kill "$program" 2>/dev/null
  [ -z "$running" ] || kill "$running" 2>/dev/null
  [ -z "$watchdog" ] || kill "$watchdog" 2>/dev/null
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' HUP INT

# A command that hangs is a failed test, not a test that hangs.
trap 'echo "not ok - no end within an hour: $command"; echo "$passed passed, $((failed + 1)) failed"; exit 1' TERM
sh -c 'trap "kill \$!" TERM; sleep 3600 & wait $! && kill -TERM "$1"' sh $$ >/dev/null 2>&1 &
watchdog=$!

# ---- What pages say

# commands PAGE: a line for each command: run, stopped or list, its line in the page, the command.
commands() {
  awk '
    function put(how, command) {
      sub(/ +#.*$/, "", command)
      sub(/ +$/, "", command)
      if (command ~ /^\.\/offcut bench/) {
        how = "list"
      }
      print how "\t" NR "\t" command
    }
    /^<!-- not run:/ {
      left = "*"
      if (match($0, /`[^`]+`/)) {
        left = substr($0, RSTART + 1, RLENGTH - 2)
      }
      next
    }
    /^<!-- stopped:/ { stopped = 1; next }
    /^```/ {
      if (fenced) {
        fenced = 0
        left = ""
        stopped = 0
      } else {
        fenced = 1
        marked = $0 == "```sh"
      }
      next
    }
    fenced && /^\.\/offcut / {
      if (!marked) {
        print "bad\t" NR "\ta command in a block that is not marked sh"
      } else if (left != "*" && (left == "" || index($0, left) != 1)) {
        put(stopped ? "stopped" : "run", $0)
      }
      next
    }
    !fenced {
      rest = $0
      while (match(rest, /`\.\/offcut [^`]+`/)) {
        put("run", substr(rest, RSTART + 1, RLENGTH - 2))
        rest = substr(rest, RSTART + RLENGTH)
      }
    }
  ' "$1"
}

# ---- What they need

jdk=$("$root/offcut" version | sed -n 's/^JDK .*(\(.*\))$/\1/p')
[ -x "$jdk/bin/javac" ] || { echo "not ok - no JDK: $("$root/offcut" version)"; exit 1; }
PATH=$jdk/bin:$PATH

# A program that leaves arenas open, and buffers to the collector. With an argument it goes on until it is ended.
mkdir -p "$work/src" "$work/classes"
cat >"$work/src/Leaky.java" <<'END'
package org.example;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;

public final class Leaky {
  public static void main(String[] args) throws Exception {
    do {
      for (int i = 0; i < 1000; i++) {
        Arena.ofConfined().allocate(1024);
        ByteBuffer.allocateDirect(4096);
      }
      System.gc();
      Thread.sleep(1500);
    } while (args.length > 0);
  }
}
END
"$jdk/bin/javac" -d "$work/classes" "$work/src/Leaky.java" || exit 1
"$jdk/bin/jar" --create --file "$work/app.jar" --main-class org.example.Leaky -C "$work/classes" . || exit 1

# folder PAGE: makes the folder its commands run in, and goes there.
folder() {
  mkdir "$work/$1"
  cd "$work/$1" || exit 1
  ln -s "$root/offcut" offcut
  cp "$work/app.jar" .
  printf '#!/bin/sh\nexec java -jar app.jar\n' >gradlew
  chmod +x gradlew
}

# ---- Running them

# check_command CONDITION...: of the one that has run.
check_command() {
  check "$page:$line: $command ($(($(date +%s) - began)) s)" "$@"
}

# What a leaking program makes of the option that is about leaks.
ended_well() {
  case $command in
    *--baseline*) [ "$status" -eq 0 ] ;;
    *--fail-on-leak*) [ "$status" -eq 3 ] ;;
    *) [ "$status" -eq 0 ] ;;
  esac
}

said_something() {
  [ -s "$work/out" ] || [ -s "$work/err" ]
}

# The program that PID stands for is started when the first command asks for it.
start_program() {
  [ -z "$program" ] || return 0
  java -XX:+EnableDynamicAgentLoading -jar "$work/app.jar" stay >/dev/null 2>&1 &
  program=$!
  turns=0
  until "$jdk/bin/jcmd" "$program" VM.version >/dev/null 2>&1 || [ "$turns" -ge 300 ]; do
    sleep 1
    turns=$((turns + 1))
  done
}

# again: whether it is the bundled program as another page has run it. It takes half a minute, and does the same in any folder.
again() {
  case $command in
    *' -- '*) return 1 ;;
    './offcut run' | './offcut run '*) ;;
    *) return 1 ;;
  esac
  ! grep -q -x -F -e "$command" "$work/ran" || return 0
  echo "$command" >>"$work/ran"
  return 1
}

# fleetless: whether it needs DuckDB, which could not be fetched.
fleetless() {
  case $command in
    *' fleet '* | *' --fleet '*) [ "${OFFCUT_TESTS-}" = "$root" ] && [ ! -e "$root/java/target/offcut-fleet.stamp" ] ;;
    *) return 1 ;;
  esac
}

run_it() {
  if fleetless; then
    echo "not run, DuckDB is missing: $page:$line: $command"
    return
  fi
  if again; then
    echo "not again: $page:$line: $command"
    return
  fi
  asked=$command
  case $asked in
    *PID*)
      start_program
      asked=$(echo "$asked" | sed "s/PID/$program/g")
      ;;
  esac
  asked=$(echo "$asked" | sed 's/java …/java -jar app.jar/')
  # In the background, since a shell that waits for a command in the foreground takes no signal of the watchdog.
  sh -c "exec $asked" >"$work/out" 2>"$work/err" </dev/null &
  running=$!
  wait "$running"
  status=$?
  running=''
  check_command ended_well
}

stop_it() {
  asked=$command
  case $asked in
    *PID*)
      start_program
      asked=$(echo "$asked" | sed "s/PID/$program/g")
      ;;
  esac
  : >"$work/out"
  : >"$work/err"
  sh -c "exec $asked" >"$work/out" 2>"$work/err" </dev/null &
  running=$!
  turns=0
  until said_something || [ "$turns" -ge 600 ] || ! kill -0 "$running" 2>/dev/null; do
    sleep 0.5
    turns=$((turns + 1))
  done
  kill "$running" 2>/dev/null
  wait "$running"
  status=$?
  running=''
  check_command said_something
}

# ./offcut bench SUITE [--case NAME]: both are known.
list_it() {
  # shellcheck disable=SC2086
  set -- $command
  suite=${3:-}
  name=''
  while [ $# -gt 1 ]; do
    [ "$1" != --case ] || name=$2
    shift
  done
  case $suite in
    '' | --list) ./offcut bench --list >"$work/out" 2>"$work/err" ;;
    all) ./offcut bench "$suite" --help >"$work/out" 2>"$work/err" ;;
    *) ./offcut bench "$suite" --list >"$work/out" 2>"$work/err" ;;
  esac
  status=$?
  [ "$status" -ne 0 ] || grep -q -e "^ *$name" "$work/out" || status=1
  check_command [ "$status" -eq 0 ]
}

[ $# -gt 0 ] || set -- "$root/README.md" "$root"/docs/user/*.md
: >"$work/ran"
pages=0
began_in=$PWD
for file; do
  cd "$began_in" || exit 1
  file=$(cd "$(dirname "$file")" && pwd -P)/$(basename "$file")
  [ -r "$file" ] || { echo "not ok - there is no page $file"; exit 1; }
  page=$(basename "$(dirname "$file")")-$(basename "$file")
  pages=$((pages + 1))
  folder "$page"
  commands "$file" | awk -F '\t' '!seen[$3]++' >"$work/$page.commands"
  tab=$(printf '\t')
  while IFS=$tab read -r how line command <&3; do
    began=$(date +%s) status=0
    : >"$work/out"
    : >"$work/err"
    case $how in
      run) run_it ;;
      stopped) stop_it ;;
      list) list_it ;;
      bad) check_command false ;;
    esac
  done 3<"$work/$page.commands"
  if [ -n "$program" ]; then
    kill "$program"
    wait "$program" 2>/dev/null
    program=''
  fi
done
if [ $((passed + failed)) -eq 0 ] || { [ "$pages" -gt 1 ] && [ $((passed + failed)) -lt 10 ]; }; then
  failed=$((failed + 1))
  echo "not ok - only $passed commands were found: pages have another form than this test knows"
fi
conclude
