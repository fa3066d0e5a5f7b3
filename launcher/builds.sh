# shellcheck shell=sh disable=SC2034,SC2154 # variables of its caller, and for it
# Builds what a word runs, unless it is built.

# unfetched LOG: says in one line that Maven lacks libraries and cannot fetch them; fails if it is something else.
unfetched() {
  grep -q -e '^\[ERROR\].*Could not transfer' -e '^\[ERROR\].*failed to transfer' -e '^\[ERROR\].*in offline mode' "$1" || return
  echo "libraries are missing, and Maven cannot fetch them; connect to the network, and run it once more ($1 says which)"
}

# give_up WHAT LOG: ends this program, since that could not be done.
give_up() {
  missing=$(unfetched "$2") && die 1 "$1: $missing"
  say "$1 failed:"
  show "$2" 25
  exit 1
}

# places NAME...: where modules lie below java/, as Maven's -pl wants them. A name is that of one folder in all of the tree.
places() {
  (cd "$root/java" && for module; do [ -e "$module/pom.xml" ] && echo "$module" || echo */"$module"; done) | tr '\n' , | sed 's/,$//'
}

# modules SET: what a word runs, with what that depends on.
modules() {
  case $1 in
    run) echo handle longmap memory agent retrofit resident rules heap replay examples/sqlite command ;;
    bench) echo handle longmap memory netty metrics agent retrofit resident rules command bench ;;
    apps) echo apps ;;
    leaks) echo leaks ;;
    fleet) echo "$(modules run) fleet" ;;
    fleet-spark) echo "$(modules fleet) fleet-spark" ;;
  esac
}
sets="run bench"

# What other programs are built with, or run under.
libraries="handle longmap objectstream memory netty junit metrics agent retrofit"

# maven LABEL LOG ARGUMENTS...
# It ends before the second compiler would pay off: with the first alone a build takes half the CPU.
maven() {
  label=$1 log=$2
  shift 2
  mvn=$(command -v mvn) || mvn=$root/java/mvnw
  quietly "$label" "$log" env JAVA_HOME="$jdk" MAVEN_OPTS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ${MAVEN_OPTS-}" \
    "$mvn" -B -ntp -Dstyle.color=never -f "$root/java/pom.xml" "$@"
}

# Maven writes a jar in place, and a JVM that runs from it finds no more classes in it. So words run from copies, in a folder for each
# build, in which nothing changes. Its name is in the stamp of the build.

# in_use NAME: whether a process runs from copies of that name; if nobody can tell, too. The pattern does not match itself.
in_use() {
  pattern="/java/target/ready/[${1%"${1#?}"}]${1#?}/"
  if [ -d /proc/self ]; then
    grep -q -s -e "$pattern" /proc/[0-9]*/cmdline
  else
    ps -A -ww -o args= | grep -q -e "$pattern"
  fi
}

# Removes the copies of earlier builds from which no word runs. Those that a build replaces stay until the next one: a word may just
# have read their name.
remove_copies() {
  for copies in "$root"/java/target/ready/*; do
    name=$(basename "$copies")
    [ ! -d "$copies" ] || cat "$root"/java/target/offcut-*.stamp 2>/dev/null | grep -q -x -F -e "$name" || in_use "$name" || rm -rf "$copies"
  done
}

# copy_built SET NAME: makes the copies, whose folder is there when it is complete. Libraries of others are linked, since Maven does not
# write them again.
copy_built() {
  copies=$root/java/target/ready/$2
  for module in $(modules "$1"); do
    target=$root/java/$(places "$module")/target
    mkdir -p "$copies.new/$module/lib" || return
    for file in "$target"/offcut-*.jar "$target"/lib/*.jar; do
      [ -e "$file" ] || continue
      to=$copies.new/$module/${file#"$target"/}
      case ${file##*/} in
        offcut-*) cp "$file" "$to" || return ;;
        *) ln "$file" "$to" 2>/dev/null || cp "$file" "$to" || return ;;
      esac
    done
  done
  mv "$copies.new" "$copies"
}

# begin_stamp SET: its time is that of the start of the build: what changes while it runs is newer.
begin_stamp() {
  echo "$1.$(date +%s).$$" >"$root/java/target/offcut-$1.stamp.new"
}

# end_stamp SET: from now on its words run what was built.
end_stamp() {
  begun=$root/java/target/offcut-$1.stamp.new
  copy_built "$1" "$(cat "$begun")" || die 1 "cannot copy what was built to $root/java/target/ready"
  mv "$begun" "$root/java/target/offcut-$1.stamp"
}

# find_copies SET: sets ready to the folder from which its words run.
find_copies() {
  ready=$root/java/target/ready/$(cat "$root/java/target/offcut-$1.stamp")
}

# fresh SET: nothing it is made of is newer than its last good build.
fresh() {
  stamp=$root/java/target/offcut-$1.stamp
  [ -e "$stamp" ] && [ -d "$root/java/target/ready/$(cat "$stamp")" ] && (
    cd "$root/java" || exit
    for module in $(modules "$1"); do
      place=$(places "$module")
      set -- "$place"/target/offcut-*.jar
      [ -e "$1" ] || exit
      [ -z "$(find "$place/pom.xml" "$place/src/main" -newer "$stamp")" ] || exit
    done
    # The page is packed into the command.
    [ -z "$(find pom.xml ../offcut ../launcher ../web -newer "$stamp")" ]
  )
}

# build SET: unless it is fresh. Sets ready.
build() {
  stamp=$root/java/target/offcut-$1.stamp
  # The tests hold the lock while they run this, and have built it. They do not look at times, since a clock may have been set back.
  if [ "${OFFCUT_TESTS-}" = "$root" ]; then
    [ -e "$stamp" ] || die 1 "the tests have not built $1"
    find_copies "$1"
    return
  fi
  if fresh "$1"; then
    find_copies "$1"
    return
  fi
  lock offcut
  # Whom we waited for may have built the same.
  if ! fresh "$1"; then
    label="building java modules …"
    [ -e "$stamp" ] || label="$label (first run takes about a minute)"
    log=$root/java/target/offcut-build.log
    begin_stamp "$1"
    remove_copies
    # shellcheck disable=SC2046 # each a word
    # Maven knows of the modules apps, leaks, fleet and fleet-spark only when it is told to.
    maven "$label" "$log" -Papps,leaks,fleet,spark -pl "$(places $(modules "$1"))" -Dskip.checks -Dmaven.test.skip=true -Dskip.submitted=false package ||
      give_up "building java modules" "$log"
    end_stamp "$1"
  fi
  find_copies "$1"
  unlock
}

# The archive that servers are given, with the list of what is in it; prints the path.
build_archive() {
  lock offcut-archive # its list and its logs have one place each
  log=$root/java/target/offcut-sbom.log
  cyclonedx=org.cyclonedx:cyclonedx-maven-plugin:$(sed -n 's:^ *<cyclonedx.version>\(.*\)</cyclonedx.version>:\1:p' "$root/java/pom.xml")
  # shellcheck disable=SC2046 # each a word
  # `compile` compiles nothing; without it, Maven 3 does not find one module's classes for another.
  maven "listing what is in the archive …" "$log" -pl "$(places . $(modules run))" -Dskip.checks \
    -DprojectType=application -DoutputFormat=json -DoutputName=sbom -DincludeProvidedScope=false -Dcyclonedx.skipNotDeployed=false \
    -Dmaven.main.skip=true -Dmaven.resources.skip=true compile "$cyclonedx:makeAggregateBom" ||
    give_up "listing what is in the archive" "$log"
  log=$root/java/target/offcut-dist.log
  quietly "making the archive …" "$log" sh "$root/dist/build.sh" "$jdk" "$(offcut_version)" "$root/java/target" ||
    give_up "making the archive" "$log"
  grep '^size: ' "$log" >&2
  tail -n 1 "$log"
  unlock
}

# install_libraries [MAVEN OPTIONS...]: for other builds on this machine. In a folder of its own, beside what runs.
install_libraries() {
  case ${1-} in
    -h | --help)
      echo "Usage: offcut install [MAVEN OPTIONS]"
      echo "Puts the libraries and the agents into the local Maven repository, with sources and documentation, and runs no test."
      echo "Options go to Maven: -Dmaven.repo.local=DIR for another repository, -o to work without a network."
      exit
      ;;
  esac
  need_jdk
  log=$root/java/target/offcut-install.log
  mkdir -p "$root/java/target" || exit 1
  # shellcheck disable=SC2086 # each a word
  maven "installing the libraries …" "$log" -Pjars -am -pl "$(places . $libraries)" -Dbuild.folder=target/install \
    -Dskip.checks -Dmaven.test.skip=true -Dmdep.skip=true "$@" install ||
    give_up "installing the libraries" "$log"
  for library in $libraries; do
    echo "dev.offcut:offcut-$library:$(offcut_version)"
  done
}

build_go_bench() {
  missing=$(go_missing)
  [ -z "$missing" ] || die 1 "bench go: $missing"
  log=$root/java/target/offcut-bench-go.log
  mkdir -p "$root/java/target" || exit 1
  # shellcheck disable=SC2016 # the inner shell's
  quietly "building the Go measurements …" "$log" \
    sh -c 'cd "$1" && go build -ldflags "-X main.offcutVersion=$2" -o target/bench .' sh "$root/go/bench" "$(offcut_version)" ||
    give_up "building the Go measurements" "$log"
}
