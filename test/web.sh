#!/bin/sh
# The checks of the page: units, fetch (a browser, unless there is one), browser. `./offcut test` runs them all.
set -eu
unset CDPATH
cd "$(dirname "$0")/../web/test"

# run FILES...: Node's tests, and their sum in one line.
run() {
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  status=0
  node --test --test-reporter=tap "$@" >"$log" 2>&1 || status=$?
  cat "$log"
  awk '/^# pass / { pass = $3 } /^# (fail|cancelled) / { fail += $3 } END { printf "%d passed, %d failed\n", pass, fail; exit !pass }' "$log"
  return "$status"
}

has_browser() {
  command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null
}

case ${1-} in
  units)
    run ./*.test.mjs
    ;;
  fetch)
    has_browser || {
      apt-get update -qq
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium
    }
    ;;
  browser)
    run ./*.browser.mjs
    ;;
  *)
    echo "test/web.sh: units, fetch, or browser" >&2
    exit 2
    ;;
esac
