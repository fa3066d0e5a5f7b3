#!/bin/sh
# `./offcut run` with Go programs: what it says of one with Offcut's packages, however it ends; of one without; and of one that
# a script starts. Needs Go, and the command as it was built.
#
# test/go-run.sh
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d)
. "$root/test/checks.sh"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

(cd "$root/go" && go build -o "$work/program" ./internal/tables/testdata/program) || exit 1
mkdir "$work/plain"
cat >"$work/plain/main.go" <<'END'
package main

import (
	"runtime"
	"time"
)

func main() {
	data := make([]byte, 64<<20)
	for i := range data {
		data[i] = 1
	}
	time.Sleep(2 * time.Second)
	runtime.KeepAlive(data)
}
END
(cd "$work/plain" && go mod init example.com/plain 2>/dev/null && go build -ldflags='-s -w' -o "$work/without" .) || exit 1

# try COMMAND...: runs it under the command. Sets status; what the report says is then on stderr.
try() {
  (cd "$work" && exec "${offcut:-$root/offcut}" run -f -o run -- "$@") >"$work/out" 2>"$work/said" </dev/null
  status=$?
  cat "$work/said" "$work/run.txt" >"$work/err" 2>/dev/null
}

# mebibytes PART: how many of them the last report has.
mebibytes() {
  sed -n "s/^  $1  *\([0-9]*\)\.[0-9] MiB .*/\1/p" "$work/run.txt"
}

between() { [ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

try ./program end
check "end: status" ends 0
check "end: stdout is the program's" out_says "on stdout"
check "end: what runs it" err_says ", Go 1."
check "end: the level" err_says "level sample (one stack in 128)"
check "end: forgotten handles" err_says "1,000 of 1,500 image handles forgotten"
check "end: their line" err_says "main.load(main.go:"
check "end: open handles" err_says "500 image handles are open"
check "end: nothing is uncertain" no err_says "did not say that it ended"
check "end: objects" between "$(mebibytes 'Go heap, objects')" 64 66
check "end: pools" between "$(mebibytes pools)" 31 33
check "end: nothing of a JVM" no err_says JVM
check "end: the page" test -s "$work/run.html"

try ./program limit
check "limit: status" ends 0
check "limit: what is not known" err_says "took longer than the limit of report.End"
check "limit: it did say" no err_says "did not say that it ended"

try ./program return
check "return: status" ends 0
check "return: counts" err_says "  image     1,500"
check "return: what is not known" err_says "did not say that it ended"
check "return: objects" between "$(mebibytes 'Go heap, objects')" 64 66
(cd "$work" && "${offcut:-$root/offcut}" report run.offcut) >"$work/out" 2>"$work/err"
status=$?
check "return: the archive is whole" ends 0

try ./program exit
check "exit: status" ends 3
check "exit: the code" err_says "exit code 3"
check "exit: counts" err_says "  image     1,500"

try ./program panic
check "panic: status" ends 2
check "panic: where to look" err_says "a panic or a fatal error"

try ./program kill
check "kill: status" ends 137
check "kill: counts" err_says "  image     1,500"
check "kill: the signal" err_says "SIGKILL"

(cd "$work" && exec "${offcut:-$root/offcut}" run -f -o run --fail-on-leak --level full -- ./program end) >"$work/out" 2>"$work/err"
status=$?
check "--fail-on-leak: status" ends 3

(cd "$work" && exec "${offcut:-$root/offcut}" run -f -o run --holders --record -- ./program end) >"$work/out" 2>"$work/err"
status=$?
check "--record: status" ends 0
check "--record: is for JVMs" err_says "runs without --record, --holders"

printf '#!/bin/sh\n./program end\n' >"$work/script"
chmod +x "$work/script"
try ./script
check "script: status" ends 0
check "script: counts" err_says "1,000 of 1,500 image handles forgotten"

try ./without
check "without: status" ends 0
check "without: that nothing is known" err_says "nothing is known about leaks"
check "without: never clean" no err_says "No lost or forgotten"
check "without: its heap" between "$(mebibytes 'Go heap')" 64 66

(cd "$work" && exec "${offcut:-$root/offcut}" run -f -o run --fail-on-leak -- ./without) >"$work/out" 2>"$work/err"
status=$?
check "without: --fail-on-leak: status" ends 5
check "without: --fail-on-leak" err_says "the check of --fail-on cannot be answered: nothing was counted"

conclude
