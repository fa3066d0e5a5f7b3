#!/bin/sh
# Builds the sampler of malloc.
#
# build.sh test OUT          one library for this machine, by the system's C compiler (CC; CFLAGS are added)
# build.sh release [FOLDER]  the four libraries that are committed, into FOLDER or lib, with their sums; needs the network once
# build.sh zig               prints where the compiler of the release is; fetches it if it is not there
#
# The compiler of the release is zig from PyPI, kept in OFFCUT_ZIG_CACHE (the user's cache folder if that is not set). The same sources give
# the same bytes: no path, no time and no build id gets into a library.
set -eu
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd -P)
cd "$here"

zig_version=0.13.0

# Of gcc and clang alike. The words of a compilation are relative to this folder.
flags='-std=c11 -D_GNU_SOURCE -O2 -fPIC -Wall -Wextra -Werror -fvisibility=hidden -fno-omit-frame-pointer -fasynchronous-unwind-tables'
links='-shared -Wl,--version-script=exports.map -Wl,-z,nodelete -Wl,--build-id=none'

if [ ! -e "${JAVA_HOME-}/include/jvmti.h" ]; then
  echo "build.sh: JAVA_HOME (${JAVA_HOME-not set}) has no include/jvmti.h; set it to a JDK" >&2
  exit 1
fi
headers="-I$JAVA_HOME/include -I$JAVA_HOME/include/linux"

find_zig() {
  cache=${OFFCUT_ZIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/offcut/zig-$zig_version}
  if [ ! -x "$cache/ziglang/zig" ]; then
    command -v pip >/dev/null || {
      echo "build.sh: no pip found; install it (Debian, Ubuntu: sudo apt-get install python3-pip)" >&2
      exit 1
    }
    mkdir -p "$cache"
    pip install -q --no-deps --only-binary :all: --target "$cache.new.$$" "ziglang==$zig_version" >&2
    mv "$cache.new.$$/ziglang" "$cache/" || [ -x "$cache/ziglang/zig" ]
    rm -rf "$cache.new.$$"
  fi
  zig=$cache/ziglang/zig
}

# release NAME TARGET FOLDER
release() {
  # Into a new file, and then in place: a library that a JVM runs from must not be overwritten.
  # shellcheck disable=SC2086 # each a word
  "$zig" cc -target "$2" $flags -ffile-prefix-map="$here"=. $headers $links -s -o "$3/$1.so.new" src/*.c -ldl -lpthread -lm -lunwind
  mv "$3/$1.so.new" "$3/$1.so"
}

case ${1-} in
  test)
    # shellcheck disable=SC2086 # each a word
    ${CC:-cc} $flags -g -ffile-prefix-map="$here"=. $headers ${CFLAGS-} $links -o "$2.new" src/*.c -ldl -lpthread -lm
    mv "$2.new" "$2"
    ;;
  release)
    folder=${2:-lib}
    find_zig
    mkdir -p "$folder"
    release linux-x64 x86_64-linux-gnu.2.17 "$folder"
    release linux-arm64 aarch64-linux-gnu.2.17 "$folder"
    release linux-musl-x64 x86_64-linux-musl "$folder"
    release linux-musl-arm64 aarch64-linux-musl "$folder"
    (cd "$folder" && sha256sum linux-x64.so linux-arm64.so linux-musl-x64.so linux-musl-arm64.so >SHA256SUMS)
    ;;
  zig)
    find_zig
    echo "$zig"
    ;;
  *)
    sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
