# shellcheck shell=sh disable=SC2034,SC2154 # variables of its caller, and for it
# What runs in the background, the lock of the class files, and what is printed meanwhile.

in_lane=''
child=''
ticker=''
guard=''
limit=''
locked=''
lanes=''

# Whatever ends this shell leaves no process and no lock behind.
clean_up() {
  stop_ticking
  stop_guarding
  for process in $child $lanes; do
    kill "$process" 2>/dev/null
  done
  for process in $child $lanes; do
    wait "$process"
  done
  [ -z "$locked" ] || unlock
}

leave_nothing() {
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}
leave_nothing

# lane FUNCTION...: calls them one after the other, beside this shell and other lanes.
lane() {
  # shellcheck disable=SC2030 # for the lane alone
  (
    locked='' lanes='' in_lane=yes # the lock and the lanes are the caller's
    leave_nothing
    for part; do
      "$part"
    done
  ) &
  # shellcheck disable=SC2031 # the caller's
  lanes="$lanes $!"
}

# Waits for all lanes. One that fails ends this program, and with it the others.
await_lanes() {
  while [ -n "$lanes" ]; do
    running=''
    for lane in $lanes; do
      if kill -0 "$lane" 2>/dev/null; then
        running="$running $lane"
      else
        wait "$lane" || exit
      fi
    done
    lanes=$running
    [ -z "$lanes" ] || sleep 0.2
  done
}

alive() {
  kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ]
}

# inherit LOCK: takes over the lock of an owner that died. Of all that wait, the one that makes the directory `heir` may,
# unless another did between its two looks at the owner.
inherit() {
  owner=$(cat "$1/pid" 2>/dev/null)
  if [ -n "$owner" ]; then
    ! alive "$owner" || return 1
  else
    [ "$waited" -ge 5 ] || return 1 # its owner is about to write the number, or died before it could
  fi
  mkdir "$1/heir" 2>/dev/null || return 1
  [ "$(cat "$1/pid" 2>/dev/null)" = "$owner" ] && echo $$ >"$1/pid"
  inherited=$?
  rmdir "$1/heir"
  return "$inherited"
}

# lock NAME: of `offcut`, since two builds must not write the same class files, or of what else one process at a time may make.
lock() {
  dir=$root/java/target/$1.lock waited=0
  mkdir -p "$root/java/target" || exit 1
  until mkdir "$dir" 2>/dev/null; do
    [ -d "$dir" ] || [ -w "$root/java/target" ] || die 1 "cannot write in $root/java/target"
    ! inherit "$dir" || break
    [ "$waited" -ne 1 ] || say "waiting for another build (process ${owner:-unknown}; if there is none, remove $dir)"
    sleep 1
    waited=$((waited + 1))
  done
  locked=$dir
  echo $$ >"$dir/pid"
}

# Classes that a build without the checks compiled are compiled again by one with them: Maven sees what it does not remember as new.
unlock() {
  [ "$locked" != "$root/java/target/offcut.lock" ] ||
    rm -rf "$root"/java/*/*/target/maven-status "$root"/java/evidence/examples/*/target/maven-status
  rm -rf "$locked"
  locked=''
}

on_terminal() {
  [ -t 2 ] && [ "${TERM-dumb}" != dumb ]
}

# One line on a terminal, rewritten each second: what runs, for how long, and which module Maven is at.
tick() {
  began=$(date +%s)
  while :; do
    module=$(sed -n 's/^\[INFO\] Building \(.*[^ ]\) [^ ]\{1,\} *\[\([0-9/]*\)\]$/\2 \1/p' "$2" 2>/dev/null | tail -n 1)
    printf '\r\033[Koffcut: %s %d s  %s' "${1%% (*}" $(($(date +%s) - began)) "$module" >&2
    sleep 1
  done
}

stop_ticking() {
  [ -n "$ticker" ] || return 0
  kill "$ticker"
  wait "$ticker" 2>/dev/null
  ticker=''
  printf '\r\033[K' >&2
}

# below PROCESS: it, and all that it and its children started.
below() {
  ps -A -o pid=,ppid= | awk -v root="$1" '
    { parent[$1] = $2 }
    END {
      for (p in parent) {
        for (up = p; up in parent && up != root; up = parent[up]) if (up <= 1) break
        if (up == root) print p
      }
    }'
}

# end_silent PROCESS SECONDS LOG: once the log has not grown for so long, writes into it what runs below the process and where its
# JVMs are, and ends it. A slow machine still writes.
end_silent() {
  waited=0 size=0
  while [ "$waited" -lt "$2" ]; do
    sleep 1 >/dev/null 2>&1
    waited=$((waited + 1))
    grown=$(wc -c <"$3")
    if [ "$grown" -ne "$size" ]; then
      waited=0 size=$grown
    fi
  done
  : >"$3.silent"
  hanging=$(below "$1" 2>/dev/null)
  hanging=${hanging:-$1} # without ps
  {
    for process in $hanging; do
      [ "$(ps -o comm= -p "$process")" = java ] || continue
      echo "JVM $process:"
      "$jdk/bin/jstack" "$process" >"$3.stacks" 2>&1 &
      looker=$!
      sleep 5
      kill -KILL "$looker" 2>/dev/null
      awk 'BEGIN { RS = ""; FS = "\n" } /^"main"|dev\.offcut/ { for (i = 1; i <= NF && i <= 14; i++) print $i }' "$3.stacks" | head -n 60
      rm -f "$3.stacks"
    done
    echo "nothing written for $2 s; these processes ran:"
    for process in $hanging; do
      ps -o pid=,ppid=,etime=,args= -p "$process" | cut -c1-300
    done
  } >>"$3" 2>&1
  # shellcheck disable=SC2086 # each a word
  kill $hanging 2>/dev/null
  sleep 5
  # shellcheck disable=SC2086
  kill -KILL $hanging 2>/dev/null
}

# Not by a signal that can be caught: one that comes before the guard's shell has put off our traps is lost.
stop_guarding() {
  [ -n "$guard" ] || return 0
  if [ -e "$guarded.silent" ]; then
    rm -f "$guarded.silent"
  else
    kill -KILL "$guard" 2>/dev/null
  fi
  wait "$guard" 2>/dev/null
  guard=''
}

# quietly LABEL LOG COMMAND...: runs a command with its output in a file, and says so in one line. It may write nothing for `limit`
# seconds.
quietly() {
  label=$1 log=$2
  shift 2
  "$@" >"$log" 2>&1 </dev/null &
  child=$!
  if [ -n "$limit" ]; then
    guarded=$log
    rm -f "$guarded.silent"
    end_silent "$child" "$limit" "$log" &
    guard=$!
  fi
  # shellcheck disable=SC2031 # the lane's own
  if on_terminal && [ -z "$in_lane" ]; then
    tick "$label" "$log" &
    ticker=$!
  else
    say "$label"
  fi
  wait "$child"
  ended=$?
  child=''
  stop_ticking
  stop_guarding
  return "$ended"
}

# show LOG LINES: its end, without what Maven says about itself.
show() {
  grep -v -e '^\[[A-Z]*\] *$' -e '^\[INFO\] -' -e '^WARNING: ' -e '\[Help 1\] http' -e '[Rr]e-run Maven' \
    -e 'For more information' "$1" | tail -n "$2" >&2
  say "the whole log is $1"
}
