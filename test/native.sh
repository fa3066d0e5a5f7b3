#!/bin/sh
# The malloc sampler (java/diagnosis/native): the committed libraries against their sums; tables, reading of ELF and estimates, also with
# sanitizers; JVMs under load. Offline.
#
# test/native.sh [missing | JAVA_HOME...]   JAVA_HOME: JDKs that run the load (default: the oldest and the newest that are found)
# test/native.sh --nightly [JAVA_HOME...]   all JDKs with all collectors, 2 minutes (`native_seconds`) and 20 cycles of detach each, with
#                                           the committed library and with other allocators that are installed; builds the committed
#                                           libraries again, which needs the network once
#
# `missing` prints what keeps this test from running, and nothing if it can run.
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
say() { echo "$*" >&2; }
die() { echo "$2" && exit "$1"; }
resolve() { readlink -f "$1"; }
. "$root/launcher/toolchains.sh"
native=$root/java/diagnosis/native
cc=${CC:-cc}
nightly=false
if [ "${1-}" = --nightly ]; then
  nightly=true
  shift
fi

# compiles OPTION...: whether the compiler builds a program with them.
compiles() { echo 'int main(void) { return 0; }' | "$cc" "$@" -x c -o /dev/null - 2>/dev/null; }

missing() {
  case $(uname -s)-$(uname -m) in
    Linux-x86_64 | Linux-aarch64) ;;
    *) echo "the sampler is for Linux on x86-64 and aarch64" && return ;;
  esac
  if ! command -v "$cc" >/dev/null; then
    echo "no C compiler found; install gcc (Debian, Ubuntu: sudo apt-get install gcc libc6-dev)"
    return
  fi
  for sanitizer in address undefined thread; do
    compiles "-fsanitize=$sanitizer" && continue
    echo "$cc has no library for -fsanitize=$sanitizer; install it (Debian, Ubuntu: libasan8, libubsan1, libtsan2)"
    return
  done
  [ -n "$(find_jdk 17 999)" ] || echo "no JDK found; install 17 or newer"
}
if [ "${1-}" = missing ]; then
  missing
  exit
fi

work=$(mktemp -d)
. "$root/test/checks.sh"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

reason=$(missing)
if [ -n "$reason" ]; then
  echo "not ok - $reason"
  exit 1
fi
jdks=$(if [ $# -gt 0 ]; then printf '%s\n' "$@"; else found_jdks | sed 's/^[0-9]* //'; fi)
JAVA_HOME=$(echo "$jdks" | tail -n 1)
export JAVA_HOME
if ! "$nightly" && [ $# -eq 0 ]; then
  jdks=$(echo "$jdks" | sed -n '1p;$p' | uniq)
fi

# try COMMAND...: runs it, and keeps what it printed and its status.
try() {
  "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

# ---- the sources and the libraries

try sh -c 'cat "$1"/src/*.c "$1"/src/*.h | wc -l' sh "$native"
check "at most 3000 lines" at_most "$(cat "$work/out")" 3000
try sh -c 'cd "$1/lib" && sha256sum -c SHA256SUMS' sh "$native"
check "the libraries are those of SHA256SUMS" ends 0
check "there are four" [ "$(grep -c ': OK$' "$work/out")" = 4 ]
check "and no others" [ "$(find "$native/lib" -name '*.so' | wc -l)" -eq 4 ]

# ---- parts by themselves

warnings='-std=c11 -D_GNU_SOURCE -g -Wall -Wextra -Werror'
small='-DSAMPLE_BITS=12 -DSTACK_BITS=10 -DFRAME_BITS=10 -DARENA_BYTES=(1ull<<20) -DCLASSES=64 -DREGIONS=64 -DMODULES=8 -DROOTS=128'
golden='-DSAMPLE_BITS=6 -DSTACK_BITS=4 -DFRAME_BITS=4 -DARENA_BYTES=4096ull -DCLASSES=8 -DREGIONS=8 -DMODULES=4 -DROOTS=16 -DROWS=1'
# Sanitizers lay out memory as they need it; with all of its randomness some systems refuse that.
fixed=''
! setarch -R true 2>/dev/null || fixed='setarch -R'

# unit NAME SOURCES OPTIONS...: builds and runs the test NAME with these sources of the library.
unit() {
  unit_name=$1 sources=''
  for source in $2; do
    sources="$sources $native/src/$source.c"
  done
  shift 2
  # shellcheck disable=SC2086 # each a word
  try "$cc" $warnings "$@" -Wl,--build-id=0x0102030405060708 -o "$work/$unit_name" "$native/test/$unit_name.c" $sources -lpthread -lm
  check "$unit_name builds: $1" ends 0
  # shellcheck disable=SC2086 # each a word
  try timeout 300 $fixed "$work/$unit_name"
  check "$unit_name: $1" ends 0
}

set -f # the capacities have parentheses and stars in no file's name
unit table_test "table system" -O2
unit table_test "table system" -fsanitize=address,undefined -O1 -fno-sanitize-recover=all
# shellcheck disable=SC2086 # each a word
unit table_test "table system" -fsanitize=thread -O1 $small
unit elf_test elf -O2
unit elf_test elf -fsanitize=address,undefined -O1 -fno-sanitize-recover=all
# shellcheck disable=SC2086 # each a word
try "$cc" $warnings $golden -o "$work/write_golden" "$native/test/write_golden.c" "$native/src/table.c" "$native/src/system.c"
check "write_golden builds" ends 0
set +f
try "$work/write_golden" "$work/golden.table"
check "the golden table is what the library writes" cmp -s "$work/golden.table" "$native/test/golden.table"

# ---- the library

try sh "$native/build.sh" test "$work/sampler.so"
check "the library builds with $cc" ends 0
# shellcheck disable=SC2086 # each a word
try "$cc" $warnings -O2 -o "$work/estimate_test" "$native/test/estimate_test.c" -lm -lpthread
check "estimate_test builds" ends 0
headers="-I$JAVA_HOME/include -I$JAVA_HOME/include/linux"
# shellcheck disable=SC2086 # each a word
try "$cc" $warnings -O2 $headers -o "$work/load" "$native/test/load.c" "$native/src/elf.c" -lpthread -ldl -lrt
check "load builds" ends 0
# shellcheck disable=SC2086 # each a word
try "$cc" $warnings -O2 -fPIC -shared $headers -o "$work/libload.so" "$native/test/load.c" "$native/src/elf.c" -lpthread -ldl -lrt
check "load builds as a library" ends 0
cp "$work/libload.so" "$work/libload.so.2"
# shellcheck disable=SC2086 # each a word
try "$cc" $warnings -O2 -o "$work/error_test" "$native/test/error_test.c" -ldl
check "error_test builds" ends 0
# ten_errors LIBRARY: where the first sample falls is chance, so ten processes
ten_errors() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    rm -f "$work"/preload.table
    GLIBC_TUNABLES=glibc.malloc.perturb=165 OFFCUT_NATIVE_MEAN=1024 OFFCUT_NATIVE_FILE="$work/preload.table" LD_PRELOAD="$1" \
      timeout 100 "$work/error_test" || return
  done
}

committed=''
case $(uname -m) in
  x86_64) committed=$native/lib/linux-x64.so ;;
  aarch64) committed=$native/lib/linux-arm64.so ;;
esac

# preloaded LIBRARY NAME
preloaded() {
  rm -f "$work"/preload.table
  try env OFFCUT_NATIVE_MEAN=16384 OFFCUT_NATIVE_FILE="$work/preload.table" LD_PRELOAD="$1" "$work/estimate_test" "$work/preload.table"
  check "estimates, preloaded: $2" ends 0
  rm -f "$work"/preload.table
  try timeout 100 env OFFCUT_NATIVE_MEAN=65536 OFFCUT_NATIVE_FILE="$work/preload.table" LD_PRELOAD="$1" "$work/load" 2 3
  check "load, preloaded: $2" ends 0
  try timeout 100 env LD_PRELOAD="$1" "$work/load" 1 2
  check "load, preloaded without a file: $2" ends 0
  try ten_errors "$1"
  check "texts of dlerror, preloaded: $2" ends 0
}
preloaded "$work/sampler.so" "$cc"
preloaded "$committed" "committed"

# A disk that is full, for which a page is asked while signals come; where the system lets this test have a file system.
mkdir "$work/disk"
sizes=''
# shellcheck disable=SC2016 # the inner shell's
! unshare -m sh -c 'mount -t tmpfs tmpfs "$1"' sh "$work/disk" 2>/dev/null || sizes='4k 64k 2m'
for size in $sizes; do
  # shellcheck disable=SC2016 # the inner shell's
  try unshare -m sh -c 'mount -t tmpfs -o "size=$1" tmpfs "$2/disk"
    OFFCUT_NATIVE_MEAN=16384 OFFCUT_NATIVE_FILE="$2/disk/table" LD_PRELOAD="$2/sampler.so" timeout 100 "$2/load" 1 4' sh "$size" "$work"
  check "load, a disk of $size" ends 0
done

# ---- JVMs

if "$nightly"; then
  seconds=${native_seconds:-120} cycles=20 collectors='Serial Parallel G1 Z Shenandoah' sampler=$committed
else
  seconds=3 cycles=2 collectors='Serial G1 Z' sampler=$work/sampler.so
fi
try "$JAVA_HOME/bin/javac" --release 17 -d "$work/classes" -sourcepath "$native/test" "$native/test/Load.java"
check "Load compiles" ends 0

# The state in a table's header, as layout.h numbers it.
state_of() { od -A n -t u4 -j 268 -N 4 "$1" | tr -d ' '; }

# load_in JDK OPTIONS END LIBRARY NAME: the JVM has no error, writes no dump, and its file says how it ended.
load_in() {
  rm -f "$work"/jvm.table*
  # shellcheck disable=SC2086 # each a word
  try timeout $((seconds + 120)) "$1/bin/java" $2 -Xmx256m "-XX:ErrorFile=$work/hs_err.log" -Xlog:disable -Xlog:all=error:stderr \
    -cp "$work/classes" Load "$work/libload.so" "$seconds" "$4" "$cycles" "$3" "$work/jvm.table"
  check "$5" ends 0
  check "$5: no error" out_says "load: 0 errors in "
  check "$5: state at the end" [ "$(state_of "$work/jvm.table.$cycles")" = 3 ]
  check "$5: states before" [ "$(state_of "$work/jvm.table")" = 2 ]
  rm -f "$work/hs_err.log"
}

# has OPTION...: whether this JVM knows it.
has() { "$1/bin/java" "$2" -version >/dev/null 2>&1; }

ends='return exit halt'
for home in $jdks; do
  version=$(jdk_version "$home")
  options=''
  [ "$version" -lt 22 ] || options=--enable-native-access=ALL-UNNAMED
  for collector in $collectors; do
    has "$home" "-XX:+Use${collector}GC" || continue
    [ "$collector" != Z ] || "$nightly" || [ "$version" -ge 21 ] || continue
    # Each form of end comes in turn.
    end=${ends%% *}
    ends="${ends#* } $end"
    load_in "$home" "$options -XX:+Use${collector}GC" "$end" "$sampler" "JDK $version, $collector, $end"
  done
done
load_in "$JAVA_HOME" "$options -Xcheck:jni" exit "$committed" "JDK $version, -Xcheck:jni, committed library"
check "-Xcheck:jni has nothing to say" no grep -h -i -e 'warning in native' -e 'fatal error in native' "$work/out" "$work/err"

# A crash of the program: the JVM's report is the same as without the sampler.
for with in '' "$sampler"; do
  try timeout 60 "$JAVA_HOME/bin/java" $options -Xmx64m -XX:-CreateCoredumpOnCrash "-XX:ErrorFile=$work/hs_err.log" \
    -cp "$work/classes" Load "$work/libload.so" 0 "$with" 0 crash "$work/crash.table"
  how="a crash${with:+, with the sampler}"
  check "$how: status" ends 1 # as the JVM ends without a core
  check "$how: the report names the function" grep -q '^# C  \[libload.so+.*Java_Load_crash' "$work/hs_err.log"
  check "$how: the report is whole" grep -q '^END\.' "$work/hs_err.log"
  rm -f "$work/hs_err.log"
done

# Preloaded allocators of others, if there are any.
if "$nightly"; then
  for allocator in $(find /usr/lib /usr/local/lib -name libjemalloc.so.2 -o -name libtcmalloc_minimal.so.4 -o -name libmimalloc.so.2); do
    export LD_PRELOAD="$allocator"
    load_in "$JAVA_HOME" "$options" exit "$committed" "$(basename "$allocator")"
    unset LD_PRELOAD
  done
fi

# ---- builds again

if "$nightly"; then
  try sh "$native/build.sh" release "$work/release"
  check "the release builds" ends 0
  check "it gives the committed libraries" cmp -s "$work/release/SHA256SUMS" "$native/lib/SHA256SUMS"
fi

conclude
