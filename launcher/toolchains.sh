# shellcheck shell=sh disable=SC2034,SC2154 # variables of its caller, and for it
# Finds what Offcut is built and run with: JDKs, Go.

jvm_dirs=${OFFCUT_JVM_DIRS-/usr/lib/jvm:/usr/java:/opt/java:/opt:/Library/Java/JavaVirtualMachines:${SDKMAN_DIR-${HOME-}/.sdkman}/candidates/java:${HOME-}/.jdks}

# The feature version of the JDK in a directory. Read, not asked: to start a java takes longer than all the rest.
jdk_version() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]\{1,\}\).*/\2/p' "$1/release"
}

# The home of the java on the PATH.
path_jdk() {
  java=$(command -v java) || return
  home=$(dirname "$(dirname "$(resolve "$java")")")
  # A shim (jenv, asdf, macOS's own) lies outside the JDK it starts: only java itself knows.
  [ -r "$home/release" ] || home=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
  printf '%s\n' "$home"
}

# jdk_places LEAST: every place where a JDK may be, one a line, the nearest first.
jdk_places() {
  printf '%s\n' "${JAVA_HOME-}"
  path_jdk
  old_ifs=$IFS
  IFS=:
  for dir in $jvm_dirs; do
    printf '%s\n' "$dir"/* "$dir"/*/Contents/Home
  done
  IFS=$old_ifs
  [ -n "${OFFCUT_JVM_DIRS+set}" ] || [ ! -x /usr/libexec/java_home ] || /usr/libexec/java_home -v "$1+" 2>/dev/null
  # Where GitHub's setup-java says that it put them.
  env | sed -n 's/^JAVA_HOME_[0-9]\{1,\}_[A-Za-z0-9]\{1,\}=//p'
}

# find_jdk LEAST MOST: the first JDK with a version between the two.
find_jdk() {
  jdk_places "$1" | while IFS= read -r home; do
    found=$(jdk_version "$home") || continue
    if [ "${found:-0}" -ge "$1" ] && [ "${found:-0}" -le "$2" ]; then
      printf '%s\n' "$home"
      break
    fi
  done
}

# Each JDK from 17 on, one of each version, as a line of version and home; the oldest first.
found_jdks() {
  { printf '%s\n' "${OFFCUT_JAVA_HOME-}" "${OFFCUT_JAVA17_HOME-}" && jdk_places 17; } | while IFS= read -r home; do
    found=$(jdk_version "$home") && [ "${found:-0}" -ge 17 ] && printf '%s %s\n' "$found" "$home"
  done | awk '!seen[$1]++' | sort -n
}

# Sets jdk, or ends with what to install.
need_jdk() {
  if [ -n "${OFFCUT_JAVA_HOME-}" ]; then
    jdk=$OFFCUT_JAVA_HOME
    found=$(jdk_version "$jdk") && [ "${found:-0}" -ge 25 ] && return
    die 1 "OFFCUT_JAVA_HOME ($jdk) is not a JDK 25 or newer. Correct it, or unset it to have one looked for."
  fi
  jdk=$(find_jdk 25 999)
  [ -z "$jdk" ] || return 0
  cat >&2 <<END
offcut: no JDK 25 or newer found in JAVA_HOME, on the PATH, or in $jvm_dirs.
Install one:
  Debian, Ubuntu   sudo apt-get install openjdk-25-jdk
                   (older releases: temurin-25-jdk, see https://adoptium.net/installation/linux)
  Fedora           sudo dnf install java-25-openjdk-devel
  macOS            brew install --cask temurin@25
  SDKMAN           sdk install java 25-tem        (sdk list java shows the names of the day)
or set OFFCUT_JAVA_HOME to the one that is installed.
END
  exit 1
}

# Sets jdk17; to nothing if there is none.
find_jdk17() {
  jdk17=${OFFCUT_JAVA17_HOME:-$(find_jdk 17 17)}
  [ -z "$jdk17" ] || [ "$(jdk_version "$jdk17")" = 17 ] || die 1 "OFFCUT_JAVA17_HOME ($jdk17) is not a JDK 17"
}

# Says in one line what keeps the Go libraries from being built; silent if nothing does.
go_missing() {
  if ! command -v go >/dev/null; then
    echo "no Go found; install Go 1.26 or newer from https://go.dev/dl"
    return
  fi
  # A Go from 1.21 on fetches the one that go.mod asks for.
  if ! found=$(cd "$root/go" && go env GOVERSION 2>&1); then
    echo "Go 1.26 or newer is needed and could not be fetched ($(echo "$found" | tail -n 1)); install it from https://go.dev/dl"
    return
  fi
  minor=$(echo "$found" | sed -n 's/^go1\.\([0-9]\{1,\}\).*/\1/p')
  if [ "${minor:-0}" -lt 26 ]; then
    echo "$found found; install Go 1.26 or newer from https://go.dev/dl"
  elif ! command -v "${CC:-cc}" >/dev/null && ! command -v gcc >/dev/null; then
    echo "no C compiler found; install gcc (Debian, Ubuntu: sudo apt-get install gcc libc6-dev)"
  fi
}
