#!/bin/sh
# The checks of the Go libraries: fetch, vet, tests, race, settings, examples, fuzz SECONDS LIMIT, lint. `./offcut test` runs
# them all; each runs on every module under go/.
set -eu
unset CDPATH
cd "$(dirname "$0")/../go"

lint_version=v2.12.2

# each COMMAND...: in every module.
each() {
  find . -name go.mod | sort | while IFS= read -r module; do
    echo "# $(dirname "$module"): $*"
    (cd "$(dirname "$module")" && "$@") || exit
  done
}

# Whether the linker has a sanitizer for addresses.
has_asan() {
  echo 'int main(void) { return 0; }' | "${CC:-cc}" -fsanitize=address -x c -o /dev/null - 2>/dev/null
}

case ${1-} in
  fetch)
    each go mod download
    GOBIN=$PWD/target/bin go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$lint_version"
    ;;
  vet)
    each go vet ./...
    unformatted=$(find . -name '*.go' -exec gofmt -l {} +)
    [ -z "$unformatted" ] || { echo "gofmt -w $unformatted" && exit 1; }
    ;;
  tests)
    each go build ./...
    each go test -count=1 -v ./...
    ;;
  race)
    each go test -count=1 -race ./...
    ;;
  settings)
    GOMAXPROCS=1 go test -count=1 -short ./...
    GOGC=off go test -count=1 -short ./...
    # Looks at every registration in every GC cycle, so the tests are few.
    GODEBUG=checkfinalizers=1 go test -count=1 -short -run 'TestHandle|TestValue|TestFamily|TestGuard|TestPool|Example' ./handle/...
    CGO_ENABLED=0 go test -count=1 -short ./handle/... ./internal/...
    ;;
  examples)
    for example in examples/*/; do
      echo "# $example"
      go run "./$example"
      ! grep -q '^import "C"' "$example"*.go || ! has_asan || go run -asan "./$example"
    done
    ;;
  fuzz)
    targets=$(go test -list '^Fuzz' ./... | awk '/^Fuzz/ { names = names " " $1 } /^ok/ { n = split(names, all, " "); for (i = 1; i <= n; i++) print $2, all[i]; names = "" }')
    seconds=$(echo "$targets" | awk -v most="$2" -v limit="$3" 'END { each = int(limit / NR); print each < most ? each : most }')
    echo "$targets" | while read -r package target; do
      go test -run '^$' -fuzz "^$target\$" -fuzztime "${seconds}s" -fuzzminimizetime 10x "$package" || exit
    done
    ;;
  lint)
    each "$PWD/target/bin/golangci-lint" run ./...
    ;;
  *)
    echo "test/go.sh: fetch, vet, tests, race, settings, examples, fuzz SECONDS LIMIT, or lint" >&2
    exit 2
    ;;
esac
