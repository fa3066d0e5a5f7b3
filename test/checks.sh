# shellcheck shell=sh disable=SC2154 # variables of its caller
# Checks of scripts, read by tests: what a command printed lies in $work/out and $work/err, its exit status in $status.
passed=0
failed=0

# check NAME CONDITION...: counts it, and shows what was printed if it does not hold.
check() {
  name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "ok $((passed + failed)) - $name"
  else
    failed=$((failed + 1))
    echo "not ok $((passed + failed)) - $name"
    echo "# not so: $*${status:+ (status $status)}"
    for stream in out err; do
      [ ! -e "$work/$stream" ] || tail -n 40 "$work/$stream" | sed "s/^/# std$stream: /"
    done
  fi
}

ends() { [ "$status" -eq "$1" ]; }
out_says() { grep -q -F -e "$1" "$work/out"; }
err_says() { grep -q -F -e "$1" "$work/err"; }
out_matches() { grep -q -e "$1" "$work/out"; }
no() { ! "$@"; }
at_most() { [ "$1" -le "$2" ]; }

# The closing line of a test, and its status.
conclude() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
