#!/bin/sh
# The checks of the Go libraries: fetch, vet, tests, settings, examples, next, fuzz SECONDS LIMIT, lint. `./offcut test`
# runs them all, next and fuzz only in its long form; each runs on every module under go/. And upstream, which fetches what
# arrow-go is tested with; vulnerabilities, which asks vuln.go.dev; and cmemory, which measures what package cmemory costs.
set -eu
unset CDPATH
cd "$(dirname "$0")/../go"

lint_version=v2.12.2
vulnerabilities_version=v1.1.4
next_go=go1.27.0 # the release after the one that go.mod asks for

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

# copied MODULE PATH: a copy of what a module is tested with, that may be changed; MODULE is then built with it.
copied() {
  cp -R "$(cd "$1" && go list -m -f '{{.Dir}}' "$2")" "$work/$(basename "$1")"
  chmod -R u+w "$work/$(basename "$1")"
  sed "s:=> \.\./\.\.:=> $PWD:" "$1/go.mod" >"$work/$(basename "$1").mod"
  echo "replace $2 => $work/$(basename "$1")" >>"$work/$(basename "$1").mod"
  cp "$1/go.sum" "$work/$(basename "$1").sum"
}

# The tests of arrow-go and of wazero themselves, on memory of the adapters. They come with those modules, and are not ours.
upstream() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  wazero=github.com/tetratelabs/wazero
  copied adapters/wazero "$wazero"
  for suite in v2 threads; do
    cp "adapters/wazero/testdata/upstream/spec_${suite}_test.go" "$work/wazero/internal/integration_test/spectest/$suite/offcut_test.go"
    (cd adapters/wazero && go test -count=1 -modfile="$work/wazero.mod" -run TestOffcut \
      "$wazero/internal/integration_test/spectest/$suite")
  done
  arrow=github.com/apache/arrow-go/v18
  copied adapters/arrow "$arrow"
  cp adapters/arrow/testdata/upstream/go_allocator.go "$work/arrow/arrow/memory/"
  # The two that are left out read what was freed: they fail with arrow-go's own mallocator, too, under MALLOC_PERTURB_.
  (cd adapters/arrow && go test -count=1 -mod=mod -modfile="$work/arrow.mod" -skip '^TestConcatenate$/^(large_)?list_view$' \
    "$arrow/arrow/memory" "$arrow/arrow/array" "$arrow/arrow/ipc" "$arrow/arrow/scalar" "$arrow/arrow/compute")
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
    each go test -timeout=60m -count=1 -v -race ./...
    # Tests that count allocations, or that do less under the race detector.
    plain=$(find . -name '*_test.go' -exec awk '/^func Test/ { name = $2; sub(/\(.*/, "", name) } /^}/ { name = "" }
      name != "" && /raceEnabled|AllocsPerRun|ReadMemStats/ { print name }' {} + | sort -u | tr '\n' '|')
    go test -timeout=60m -count=1 -v -run "^(${plain%|})\$" ./...
    ;;
  settings)
    GOMAXPROCS=1 go test -count=1 -short ./...
    GOGC=off go test -count=1 -short ./...
    OFFCUT_STRESS=20 go test -count=1 -race -run '_goroutines$' ./memory
    # Looks at every registration in every GC cycle, so the tests are few.
    GODEBUG=checkfinalizers=1 go test -count=1 -short -run 'TestHandle|TestValue|TestFamily|TestGuard|TestPool|Example' ./handle/...
    # Not the tests of goroutines: one that waits for an arena's lock can be reached from the timer of the pool, through the
    # runtime's own structures, and so it seems that the arena's cleanup keeps the arena.
    GODEBUG=checkfinalizers=1 go test -count=1 -short -run 'TestArena_(bad|empty|grows|reuses|forgotten)|FuzzArena|Example' ./memory
    GODEBUG=checkfinalizers=1 go test -count=1 -short ./examples/...
    for example in examples/*/; do
      go build -o target/example "./$example"
      GODEBUG=checkfinalizers=1 target/example
    done
    CGO_ENABLED=0 go test -count=1 -short ./handle/... ./internal/...
    # Systems that are not here: what is compiled for them. The last has none of the system's memory but the Go heap.
    for target in darwin/arm64 windows/amd64 freebsd/amd64 wasip1/wasm; do
      GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0 go vet ./memory ./longmap ./handle/...
      (cd cmemory && GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0 go vet .)
    done
    # Words of 32 bits, where this machine can run them.
    case $(go env GOHOSTOS)/$(go env GOHOSTARCH) in
      linux/amd64) GOARCH=386 CGO_ENABLED=0 go test -count=1 -short ./memory ./handle/... ;;
    esac
    ;;
  examples)
    for example in examples/*/; do
      echo "# $example"
      go run "./$example"
      ! grep -q '^import "C"' "$example"*.go || ! has_asan || go run -asan "./$example"
    done
    ;;
  next)
    GOTOOLCHAIN=$next_go go test -count=1 -short ./...
    GOTOOLCHAIN=$next_go go test -count=1 -short -race ./handle/... ./memory ./longmap
    ;;
  vulnerabilities)
    each go run "golang.org/x/vuln/cmd/govulncheck@$vulnerabilities_version" ./...
    ;;
  fuzz)
    targets=$(go test -list '^Fuzz' ./... | awk '/^Fuzz/ { names = names " " $1 } /^ok/ { n = split(names, all, " "); for (i = 1; i <= n; i++) print $2, all[i]; names = "" }')
    seconds=$(echo "$targets" | awk -v most="$2" -v limit="$3" 'END { each = int(limit / NR); print each < most ? each : most }')
    echo "$targets" | while read -r package target; do
      go test -run '^$' -fuzz "^$target\$" -fuzztime "${seconds}s" -fuzzminimizetime 10x "$package" || exit
    done
    ;;
  upstream)
    upstream
    ;;
  cmemory)
    (cd cmemory && go run ./internal/cost)
    ;;
  lint)
    each "$PWD/target/bin/golangci-lint" run ./...
    ;;
  *)
    echo "test/go.sh: fetch, vet, tests, settings, examples, next, fuzz SECONDS LIMIT, lint, upstream, vulnerabilities, or cmemory" >&2
    exit 2
    ;;
esac
