#!/bin/sh
# Tests of ./offcut, on a copy of it among JDKs, a Maven and a tree that are all stand-ins: nothing is built.
set -u
unset CDPATH

here=$(cd "$(dirname "$0")/.." && pwd -P)
work=$(mktemp -d)
. "$here/test/checks.sh"
running='' # what was started in the background

clean_up() {
  # shellcheck disable=SC2086
  kill $running 2>/dev/null
  [ ! -p "$work/hold" ] || : <>"$work/hold" # whoever waits to read from it goes on
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' HUP INT

# A launcher that hangs is a failed test, not a test that hangs.
trap 'echo "not ok - no end within five minutes"; echo "$passed passed, $((failed + 1)) failed"; exit 1' TERM
sh -c 'trap "kill \$!" TERM; sleep 300 & wait $! && kill -TERM "$1"' sh $$ >/dev/null 2>&1 &
running=$!

# ---- The stand-ins

root="$work/a tree with spaces"
launcher="$root/offcut"
lock="$root/java/target/offcut.lock"
for module in . handle longmap objectstream memory netty junit metrics agent retrofit resident rules heap replay examples/sqlite examples/budget examples/orders command bench stress apps leaks fleet fleet-spark; do
  folder=java
  [ "$module" = . ] || folder=$(cd "$here" && ls -d "java/$module" java/*/"$module" 2>/dev/null)
  mkdir -p "$root/$folder/src/main" "$root/$folder/src/test"
  cp "$here/$folder/pom.xml" "$root/$folder/"
done
mkdir "$root/test" "$root/web"
for test in launcher install; do
  echo 'echo "7 passed, 0 failed"' >"$root/test/$test.sh"
done
cp "$here/offcut" "$root/"
cp -R "$here/launcher" "$root/"
cp "$here/test/all.sh" "$root/test/"
help=java/diagnosis/command/src/main/resources/dev/offcut/command
mkdir -p "$root/$help"
cp "$here/$help/help.txt" "$root/$help/"
find "$root" -exec touch -t 202001010000 {} +

# What the launcher may find on its PATH: no java, no mvn, no go.
tools="$work/tools"
mkdir "$tools" "$work/home" "$work/none"
for tool in awk basename cat cp date dirname env find grep head ln mkdir mv readlink rm rmdir sed sh sleep sort tail tr; do
  ln -s "$(command -v "$tool")" "$tools/$tool"
done

# jdk DIRECTORY VERSION
jdk() {
  mkdir -p "$1/bin"
  echo "JAVA_VERSION=\"$2\"" >"$1/release"
  cat >"$1/bin/java" <<END
#!/bin/sh
echo \$\$ >"$work/java.pid"
echo "java of $1 in \$(pwd -P)"
printf '<%s>' "\$@"
echo
case \$* in *--exit) exit 7 ;; esac
END
  : >"$1/bin/javac"
  chmod +x "$1/bin/java" "$1/bin/javac"
}
jdk "$work/jdk 25" 25.0.3
jdk "$work/jdk26" 26-ea
jdk "$work/jdk17" 17.0.15
jdk "$work/jdk8" 1.8.0_452

# A Maven that writes down its calls, notices another at work, waits if there is a `hold` to read, and fails, and sleeps, at calls that
# say what is in the files mvn.fail and mvn.slow.
maven="$work/maven"
mkdir "$maven"
cat >"$maven/mvn" <<END
#!/bin/sh
echo "\$JAVA_HOME \$*" >>"$work/mvn.calls"
echo \$\$ >"$work/mvn.pid"
mkdir "$work/mvn.busy" || echo overlap >>"$work/mvn.overlaps"
[ ! -p "$work/hold" ] || read -r _ <"$work/hold"
rmdir "$work/mvn.busy"
echo "[INFO] Building Offcut Handle 0.1.0-SNAPSHOT                     [1/2]"
case \$* in
  *"\$(cat "$work/mvn.slow" 2>/dev/null || echo nothing)"*)
    echo \$\$ >"$work/mvn.slow.pid"
    exec sleep 50
    ;;
esac
case \$* in *"\$(cat "$work/mvn.fail" 2>/dev/null || echo nothing)"*) failed=yes ;; esac
if [ -n "\${failed-}" ]; then
  echo "[ERROR] Handle.java:[12,3] cannot find symbol"
  echo "[ERROR] Re-run Maven using the -X switch"
  exit 1
fi
case \$* in
  *-Papps\ -pl\ evidence/apps\ * | *-Papps,leaks,fleet,spark\ -pl\ evidence/apps\ * | *dependency:get* | *,diagnosis/fleet\ -Dskip*)
    if [ -e "$work/mvn.unreachable" ]; then
      echo "[ERROR] Failed to execute goal on project offcut-apps: Could not transfer artifact com.h2database:h2:jar:1 from/to central"
      exit 1
    fi
    ;;
esac
case \$* in *verify | *surefire:test | *" test") echo "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1" ;; esac
for module in handle longmap memory netty junit metrics agent retrofit resident rules heap replay examples/sqlite examples/budget examples/orders command bench apps fleet fleet-spark; do
  folder="$root/java/\$module"
  [ -e "\$folder/pom.xml" ] || folder=\$(echo "$root"/java/*/"\$module")
  mkdir -p "\$folder/target"
  jar="\$folder/target/offcut-module.jar"
  [ -e "\$jar" ] && [ ! -e "$work/mvn.packs" ] || : >"\$jar"
done
mkdir -p "$root/java/libraries/handle/target/maven-status"
END
chmod +x "$maven/mvn"

# ---- Tools of the tests

# try [NAME=VALUE...] COMMAND...: runs it with that environment and no other; sets status.
try() {
  env -i PATH="$tools:$maven" HOME="$work/home" OFFCUT_JVM_DIRS="$work/none" JAVA_TOOL_OPTIONS="-Djava.io.tmpdir=$work" "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

# start NAME COMMAND...: the same in the background, with a JDK; sets started.
start() {
  name=$1
  shift
  env -i PATH="$tools:$maven" HOME="$work/home" OFFCUT_JVM_DIRS="$work/none" JAVA_TOOL_OPTIONS="-Djava.io.tmpdir=$work" JAVA_HOME="$work/jdk 25" "$@" \
    >"$work/$name.out" 2>"$work/$name.err" </dev/null &
  started=$!
  running="$running $started"
}

silent() { [ ! -s "$work/$1" ]; }
last_call_of() { grep -e "$1" "$work/mvn.calls" | tail -n 1 | grep -q -e "$2"; }
calls() { [ "$(grep -c '' "$work/mvn.calls" 2>/dev/null)" = "$1" ]; }
last_call_says() { tail -n 1 "$work/mvn.calls" | grep -q -e "$1"; }
lives() { kill -0 "$1" 2>/dev/null; }

# await CONDITION...: until it holds, ten seconds at most.
await() {
  turns=0
  until "$@" || [ "$turns" -ge 100 ]; do
    sleep 0.1
    turns=$((turns + 1))
  done
}

# Nothing built, no calls counted.
reset() {
  rm -rf "$root"/java/target "$root"/java/*/*/target "$root/java/retrofit/target" "$root/java/evidence/examples/sqlite/target" "$work"/mvn.*
}

# ---- Words

try "$launcher"
check "no word: status" ends 0
check "no word: usage" out_says "Usage: offcut"
for word in help -h --help; do
  try "$launcher" $word
  check "$word: status" ends 0
  check "$word: usage on stdout" out_says "Usage: offcut"
  check "$word: nothing on stderr" silent err
done
for word in bogus "run me" '' ../run; do
  try "$launcher" "$word"
  check "unknown word '$word': status" ends 2
  check "unknown word '$word': usage on stderr" err_says "Usage: offcut"
  check "unknown word '$word': nothing on stdout" silent out
done
try JAVA_HOME="$work/jdk 25" "$launcher" version
check "version: status" ends 0
check "version: Offcut's" out_says "offcut $(sed -n 's:^  <version>\(.*\)</version>:\1:p' "$here/java/pom.xml")"
check "version: the JDK's" out_says "JDK 25.0.3 ($work/jdk 25)"
try "$launcher" version
check "version without a JDK: status" ends 0
check "version without a JDK: says so" out_says "JDK none found"
try OFFCUT_JAVA_HOME="$work/none" "$launcher" version
check "version with a wrong OFFCUT_JAVA_HOME: says so" out_says "JDK none found"

# ---- JDKs

try "$launcher" run
check "no JDK: status" ends 1
for hint in "no JDK 25" "apt-get install" "dnf install" "brew install" "sdk install" OFFCUT_JAVA_HOME; do
  check "no JDK: says '$hint'" err_says "$hint"
done
check "no JDK: nothing is built" [ ! -e "$work/mvn.calls" ]
try OFFCUT_JAVA_HOME="$work/jdk17" JAVA_HOME="$work/jdk 25" "$launcher" run
check "OFFCUT_JAVA_HOME too old: status" ends 1
check "OFFCUT_JAVA_HOME too old: named" err_says "OFFCUT_JAVA_HOME ($work/jdk17) is not a JDK 25"

# finds NAME HOME [VAR=VALUE...]: which JDK runs with that environment.
finds() {
  found_name=$1 home=$2
  shift 2
  try "$@" "$launcher" run
  check "JDK: $found_name" out_says "java of $home in"
}
finds "OFFCUT_JAVA_HOME before JAVA_HOME" "$work/jdk26" OFFCUT_JAVA_HOME="$work/jdk26" JAVA_HOME="$work/jdk 25"
check "JDK: it is Maven's too" grep -q "^$work/jdk26 " "$work/mvn.calls"
finds "JAVA_HOME, with a space" "$work/jdk 25" JAVA_HOME="$work/jdk 25"

mkdir "$work/bin" "$work/jvms"
ln -s "$work/jdk26/bin/java" "$work/bin/java"
finds "java on the PATH, through a link" "$work/jdk26" PATH="$tools:$maven:$work/bin" JAVA_HOME="$work/jdk17"
rm "$work/bin/java"
printf '#!/bin/sh\necho "    java.home = %s" >&2\n' "$work/jdk 25" >"$work/bin/java"
chmod +x "$work/bin/java"
finds "java on the PATH, a shim" "$work/jdk 25" PATH="$tools:$maven:$work/bin"

for n in 8 17 26; do
  ln -s "$work/jdk$n" "$work/jvms/java-$n"
done
mkdir "$work/jvms/jre"
finds "in a JVM directory, past older ones" "$work/jdk26" OFFCUT_JVM_DIRS="$work/none:$work/jvms" JAVA_HOME="$work/jdk8"
jdk "$work/mac/temurin-25.jdk/Contents/Home" 25.0.1
finds "macOS layout" "$work/mac/temurin-25.jdk/Contents/Home" OFFCUT_JVM_DIRS="$work/mac"
jdk "$work/home/.sdkman/candidates/java/25.0.2-tem" 25.0.2
# The usual places, less those of this machine.
sed 's#\(OFFCUT_JVM_DIRS-\)/.*Machines:#\1#' "$here/launcher/toolchains.sh" >"$root/launcher/toolchains.sh"
try env -u OFFCUT_JVM_DIRS JAVA_HOME="$work/jdk17" "$launcher" version
cp "$here/launcher/toolchains.sh" "$root/launcher/"
check "JDK: SDKMAN's directory" out_says "JDK 25.0.2 ($work/home/.sdkman/candidates/java/25.0.2-tem)"

# ---- run and bench

reset
mkdir "$work/elsewhere"
ln -s "$launcher" "$work/elsewhere/link"
ln -s ../elsewhere/link "$work/bin/offcut"
cd "$work/elsewhere" || exit
try JAVA_HOME="$work/jdk 25" "$work/bin/offcut" run --name "my file.csv" '*' ''
check "run: status" ends 0
check "run: through links, in the caller's directory" out_says "in $work/elsewhere"
check "run: arguments as they are" out_says "<dev.offcut.command.Main><run><--name><my file.csv><*><>"
ready=$root/java/target/ready/$(cat "$root/java/target/offcut-run.stamp")
check "run: where the agent lies" out_says "<-Doffcut.agent.jar=$ready/agent/offcut-agent.jar>"
check "run: where the retrofit lies" out_says "<-Doffcut.retrofit.jar=$ready/retrofit/offcut-retrofit.jar>"
check "run: where the bundled program lies" out_says "<-Doffcut.bundled.jar=$ready/examples/sqlite/offcut-example-sqlite.jar>"
check "run: where the retrofit lies" out_says "<-Doffcut.retrofit.jar=$ready/retrofit/offcut-retrofit.jar>"
check "run: its jars are copies" [ -e "$ready/command/offcut-module.jar" ]
check "run: what is no terminal" out_says "<-Doffcut.terminal.stdin=false><-Doffcut.terminal.stdout=false><-Doffcut.terminal.stderr=false>"
check "run: one line of progress" err_says "offcut: building java modules … (first run takes about a minute)"
check "run: one build" calls 1
check "run: no format, no lint, no test" last_call_says " -Dskip.checks -Dmaven.test.skip=true -Dskip.submitted=false package$"
check "run: a build with the checks compiles again what this one did" [ ! -e "$root/java/libraries/handle/target/maven-status" ]
try JAVA_HOME="$work/jdk 25" "$launcher" run --exit
check "run: the program's own status" ends 7
check "run: no second build" calls 1
check "run: no line of progress" silent err
try JAVA_HOME="$work/jdk 25" "$launcher" run --level full -- java -jar "my app.jar" --
check "run --: arguments as they are" out_says "<dev.offcut.command.Main><run><--level><full><--><java><-jar><my app.jar><-->"
for word in ps attach detach watch web rules clean report diff export; do
  try JAVA_HOME="$work/jdk 25" "$launcher" $word "a b" --exit
  check "$word: arguments as they are" out_says "<dev.offcut.command.Main><$word><a b><--exit>"
  check "$word: the program's own status" ends 7
done
check "words of the command: one build for all" calls 1
try JAVA_HOME="$work/jdk 25" "$launcher" bench handle --json "a b.json"
check "bench: arguments as they are" out_says "<dev.offcut.bench.Main><handle><--json><a b.json>"
check "bench: a build of its own" calls 2
try JAVA_HOME="$work/jdk 25" "$launcher" bench all --quick --out "my results"
check "bench all: arguments as they are" out_says "<dev.offcut.bench.Main><all><--quick><--out><my results>"
check "bench all: where the repository and its launcher lie" out_says "<-Doffcut.root=$root><-Doffcut.launcher=$root/offcut>"
try JAVA_HOME="$work/jdk 25" "$launcher" bench memory --exit
check "bench: the program's own status" ends 7
try JAVA_HOME="$work/jdk 25" "$launcher" replay --policy "fixed, buddy" -- java
check "replay: arguments as they are" out_says "<dev.offcut.replay.Main><--policy><fixed, buddy><--><java>"
check "replay: no build of its own" calls 2
try JAVA_HOME="$work/jdk 25" "$launcher" replay --exit
check "replay: the program's own status" ends 7
try JAVA_HOME="$work/jdk 25" "$launcher" dist --help
check "dist --help: status" ends 0
check "dist --help: usage" out_says "Usage: offcut dist"
try JAVA_HOME="$work/jdk 25" "$launcher" dist archive
check "dist: an option that is none: status" ends 2
try JAVA_HOME="$work/jdk 25" "$launcher" install --help
check "install --help: usage" out_says "Usage: offcut install"
try JAVA_HOME="$work/jdk 25" "$launcher" install -o "-Dmaven.repo.local=$work/a repository"
check "install: status" ends 0
check "install: Maven is told where to" last_call_says "-Dmaven.repo.local=$work/a repository.*install"
check "install: the libraries, untested" last_call_says "libraries/handle,libraries/longmap,libraries/objectstream,libraries/memory,integrations/netty,integrations/junit,integrations/metrics,diagnosis/agent,retrofit.*-Dmaven.test.skip=true"
check "install: says what there is" out_says "dev.offcut:offcut-objectstream:"
: >"$work/mvn.calls"
start program "$launcher" run
wait "$started"
check "run: the program takes the launcher's place, so signals reach it" [ "$(cat "$work/java.pid")" = "$started" ]

# ---- Go

# A Go that is as old as it is told, and builds a program that says what it got.
gos="$work/gos"
mkdir "$gos"
cat >"$gos/go" <<END
#!/bin/sh
echo "\$PWD \$*" >>"$work/go.calls"
case \$1 in
  env) cat "$work/go.version" ;;
  build)
    [ ! -e "$work/go.fail" ] || { echo "main.go:1:1: undefined: x" && exit 1; }
    mkdir -p target
    printf '#!/bin/sh\nprintf "<%%s>" "\$@"\n' >target/bench
    chmod +x target/bench
    ;;
esac
END
chmod +x "$gos/go"
ln -s "$gos/go" "$gos/cc"
mkdir -p "$root/go/bench"
echo go1.26.8 >"$work/go.version"
ln -s "$(command -v chmod)" "$tools/chmod"
try "$launcher" bench go
check "bench go, no Go: status" ends 1
check "bench go, no Go: what to install" err_says "no Go found; install Go 1.26 or newer from https://go.dev/dl"
try PATH="$tools:$gos" "$launcher" bench go --json "a b.json"
check "bench go: status" ends 0
check "bench go: arguments as they are" out_says "<--json><a b.json>"
check "bench go: needs no JDK" no err_says JDK
check "bench go: the version is the repository's" grep -q -F -e "-X main.offcutVersion=$(sed -n 's:^ *<version>\(.*\)</version>.*:\1:p' "$root/java/pom.xml" | head -n 1) " "$work/go.calls"
try "$launcher" help
check "help: names the suite in Go" out_says "bench go "
check "help: names all suites" out_says "bench all "
echo go1.24.1 >"$work/go.version"
try PATH="$tools:$gos" "$launcher" bench go
check "bench go, an old Go: status" ends 1
check "bench go, an old Go: what to install" err_says "go1.24.1 found; install Go 1.26 or newer"
echo go1.26.8 >"$work/go.version"
mv "$gos/cc" "$gos/not-cc"
try PATH="$tools:$gos" "$launcher" bench go
check "bench go, no C compiler: says so" err_says "no C compiler found; install gcc"
mv "$gos/not-cc" "$gos/cc"
: >"$work/go.fail"
try PATH="$tools:$gos" "$launcher" bench go
check "bench go, a failed build: status" ends 1
check "bench go, a failed build: the error" err_says "undefined: x"
rm "$work/go.fail"

# ---- When to build

touch -t 203001010000 "$root/java/libraries/handle/src/test"
try JAVA_HOME="$work/jdk 25" "$launcher" run
check "a newer test: no build" calls 0
for newer in java/libraries/handle/src/main java/evidence/examples/sqlite/pom.xml java/pom.xml offcut web; do
  : >"$work/mvn.calls"
  touch -t 203001010000 "$root/$newer"
  try JAVA_HOME="$work/jdk 25" "$launcher" run
  check "a newer $newer: a build" calls 1
  touch -t 202001010000 "$root/$newer"
done
touch -t 203001010000 "$root/web"
try JAVA_HOME="$work/jdk 25" OFFCUT_TESTS="$root" "$launcher" run
check "a newer web, below the tests, which hold the lock: status" ends 0
check "a newer web, below the tests: no build" calls 1
touch -t 202001010000 "$root/web"
try JAVA_HOME="$work/jdk 25" OFFCUT_TESTS="$root" "$launcher" fleet report x
check "what the tests have not built: status" ends 1
check "what the tests have not built: says so" err_says "the tests have not built fleet"
: >"$work/mvn.calls"
rm -r "$root/java/libraries/handle/target"
try JAVA_HOME="$work/jdk 25" "$launcher" run
check "a jar is gone: a build" calls 1

reset
: >"$work/mvn.fail"
try JAVA_HOME="$work/jdk 25" "$launcher" run
check "a failed build: status" ends 1
check "a failed build: the error" err_says "Handle.java:[12,3] cannot find symbol"
check "a failed build: not Maven's advice" no err_says "Re-run"
check "a failed build: where the log is" err_says "$root/java/target/offcut-build.log"
check "a failed build: the program does not run" silent out
rm "$work/mvn.fail"
try JAVA_HOME="$work/jdk 25" "$launcher" run
check "after a failed build: another" calls 2

reset
printf '#!/bin/sh\nexec "%s/mvn" "$@"\n' "$maven" >"$root/java/mvnw"
chmod +x "$root/java/mvnw"
try PATH="$tools" JAVA_HOME="$work/jdk 25" "$launcher" run
check "no mvn: mvnw" calls 1

# ---- What words run from

# A word that runs meanwhile: its jars stay as they are, and go when it has ended.
reset
try JAVA_HOME="$work/jdk 25" "$launcher" run
first=$root/java/target/ready/$(cat "$root/java/target/offcut-run.stamp")
mkfifo "$work/word"
sh -c 'read -r _' sh "$first/command/offcut-module.jar" <"$work/word" >/dev/null 2>&1 &
word=$!
exec 8>"$work/word"
: >"$work/mvn.packs"
for build in second third; do
  touch -t 203001010000 "$root/web"
  try JAVA_HOME="$work/jdk 25" "$launcher" run
  check "a $build build: another folder" [ "$first" != "$root/java/target/ready/$(cat "$root/java/target/offcut-run.stamp")" ]
  check "a $build build: the first one's jars are there" [ -e "$first/command/offcut-module.jar" ]
done
exec 8>&-
wait "$word"
try JAVA_HOME="$work/jdk 25" "$launcher" run
touch -t 202001010000 "$root/web"
check "a build when that word has ended: the first one's jars are gone" [ ! -e "$first" ]
check "a build when that word has ended: those of two builds are left" [ "$(find "$root/java/target/ready" -mindepth 1 -maxdepth 1 | grep -c '')" = 2 ]
rm "$work/mvn.packs"

# ---- The lock

reset
mkfifo "$work/hold"
start first "$launcher" run
first=$started
await [ -e "$work/mvn.pid" ]
start second "$launcher" run
second=$started
await grep -qs waiting "$work/second.err"
check "two at once: the second waits" grep -q "waiting for another build (process $first;" "$work/second.err"
echo go >"$work/hold"
wait "$first"
status=$?
check "two at once: the first runs" ends 0
wait "$second"
status=$?
check "two at once: the second runs" ends 0
check "two at once: one build" calls 1
check "two at once: no overlap" [ ! -e "$work/mvn.overlaps" ]
check "two at once: no lock is left" [ ! -e "$lock" ]

reset
start stopped "$launcher" run
await [ -e "$work/mvn.pid" ]
kill -TERM "$started"
wait "$started"
status=$?
check "SIGTERM in a build: status" ends 143
check "SIGTERM in a build: no lock is left" [ ! -e "$lock" ]
check "SIGTERM in a build: no Maven is left" no lives "$(cat "$work/mvn.pid")"
rm -r "$work/hold"

reset
mkdir "$root/dist"
cat >"$root/dist/build.sh" <<END
mkdir "$work/making" || exit 1
sleep 3
rmdir "$work/making"
echo "size: some.jar 1 KiB, 2 at most"
echo "\$3/archive.tar.gz"
END
start first "$launcher" dist
first=$started
await [ -e "$work/making" ]
start second "$launcher" dist
wait "$first"
status=$?
check "two archives at once: the first" ends 0
wait "$started"
status=$?
check "two archives at once: the second" ends 0
check "two archives at once: the second waits" grep -q "waiting for another build (process $first;" "$work/second.err"
check "two archives at once: the second's path" [ "$(cat "$work/second.out")" = "$root/java/target/archive.tar.gz" ]
check "two archives at once: no lock is left" [ ! -e "$root/java/target/offcut-archive.lock" ]

# What is started in turn by what hangs.
cat >"$work/hang.sh" <<END
say() { :; }
. "$root/launcher/processes.sh"
limit=3
quietly "slow …" "$work/slow.log" sh -c 'for i in 1 2 3 4 5; do echo \$i; sleep 1; done' || exit 3
quietly "hanging …" "$work/hang.log" sh -c 'sh -c "trap : TERM; while :; do sleep 300; done" & echo \$! >"$work/hang.pid"; wait'
END
sh "$work/hang.sh" >"$work/out" 2>"$work/err" </dev/null
status=$?
check "no line within the limit: status" ends 143
check "no line within the limit: the log has what ran" grep -q "sleep 300" "$work/hang.log"
case $(ps -o stat= -p "$(cat "$work/hang.pid")") in
  '' | Z*) status=0 ;; # an orphan may wait for whoever adopted it
  *) status=1 ;;
esac
check "no line within the limit: nothing is left" ends 0

# A process that is no more.
sh -c : &
dead=$!
wait "$dead"
reset
mkdir -p "$lock"
echo "$dead" >"$lock/pid"
start heir1 "$launcher" run
heir1=$started
start heir2 "$launcher" run
wait "$heir1"
status=$?
check "a dead owner's lock: taken over" ends 0
wait "$started"
status=$?
check "a dead owner's lock: by one after the other" ends 0
check "a dead owner's lock: one build" calls 1
check "a dead owner's lock: no overlap" [ ! -e "$work/mvn.overlaps" ]
check "a dead owner's lock: gone" [ ! -e "$lock" ]

# ---- test

try JAVA_HOME="$work/jdk 25" "$launcher" test --bogus
check "test: unknown option" ends 2
try JAVA_HOME="$work/jdk 25" "$launcher" test --changed launcher
check "test: --changed and a stage" ends 2
try JAVA_HOME="$work/jdk 25" "$launcher" test --changed
check "test --changed: what is no clone is not said to be unchanged" ends 2

reset
try JAVA_HOME="$work/jdk 25" OFFCUT_JVM_DIRS="$work/jvms" "$launcher" test
check "test: status" ends 0
check "test: the launcher's total" out_says "  7 passed, 0 failed"
check "test: Maven's total" out_says "  Offcut Handle: Tests run: 3, Failures: 0, Errors: 0, Skipped: 1"
check "test: second run on 17" grep -q -F -e "-pl diagnosis/agent,diagnosis/resident,diagnosis/rules,integrations/junit,integrations/metrics,libraries/handle,libraries/longmap,libraries/objectstream,retrofit,libraries/memory -Dskip.checks -Dtest.jvm=$work/jvms/java-17/bin/java" "$work/mvn.calls"
check "test: the libraries on the newest JDK" grep -q -F -e "-pl diagnosis/resident,diagnosis/rules,libraries/handle,libraries/longmap,libraries/objectstream,libraries/memory,integrations/netty,integrations/junit,integrations/metrics,diagnosis/agent,retrofit -Dskip.checks -Dtest.jvm=$work/jvms/java-26/bin/java" "$work/mvn.calls"
check "test: on a JDK that does not build, the goal alone" last_call_of "Dtest.jvm" " compile surefire:test$"
check "test: the tests are told of all JDKs" grep -q -F -e "-Doffcut.jvms=$work/jvms/java-17:$work/jdk 25:$work/jvms/java-26 " "$work/mvn.calls"
check "test: JDKs that are not there, said" out_says "other JDKs     left out: no JDK found of version 21 27 28"
check "test: short stress" grep -q -e "-Dskip.unit=true -Dstress.long=false test$" "$work/mvn.calls"
check "test: fleet, with the other modules" grep -q -e " -Pfleet,spark -pl .*,diagnosis/fleet,diagnosis/fleet-spark -Dskip.checks .* verify$" "$work/mvn.calls"
check "test: format and lint, in a stage of their own" grep -q "^$work/jdk 25 .* -Pfleet,spark -Dbuild.folder=target/checks .* package$" "$work/mvn.calls"
check "test: closing line" out_says "stages: 10 passed, 0 failed, "
# shellcheck disable=SC2016 # awk's
check "test: all is built before it is tested" awk '/dependency:get/ { next } { exit !/ -Dskip.checks -DskipTests package$/ }' "$work/mvn.calls"
check "test: seconds of CPU" out_matches "^java-agent     ok  *[0-9]* s, [0-9]* s of CPU$"
try JAVA_HOME="$work/jdk 25" "$launcher" run
check "test: leaves nothing to build" calls 10
check "test: no programs of others" no grep -q -e "-Papps" "$work/mvn.calls"

reset
try JAVA_HOME="$work/jdk 25" "$launcher" test launcher install
check "test STAGE: status" ends 0
check "test STAGE: those alone" out_says "stages: 2 passed, 0 failed, 0 skipped"
check "test STAGE: builds nothing" [ ! -e "$work/mvn.calls" ]
try JAVA_HOME="$work/jdk 25" "$launcher" test java-agent
check "test STAGE: builds what it needs" out_says "stages: 2 passed, 0 failed, 0 skipped"
try JAVA_HOME="$work/jdk 25" "$launcher" test java-nothing
check "test STAGE: unknown" ends 2
check "test STAGE: unknown, what to do" err_says "offcut test --list lists them"
try JAVA_HOME="$work/jdk 25" "$launcher" test --list
check "test --list" out_matches "^java-libraries$"

reset
try JAVA_HOME="$work/jdk 25" "$launcher" test --nightly
check "test: no JDK 17, said" out_says "left out: no JDK 17 found"
check "test: no newer JDK" no grep -q -e "-Dtest.jvm=" "$work/mvn.calls"
check "test --nightly: long" grep -q -e "-Dskip.unit=true -Dstress.long=true -Dtest.jvm.args= test$" "$work/mvn.calls"

reset
ln -s "$work/jdk 25" "$work/jvms/java-25"
try OFFCUT_JAVA_HOME="$work/jdk26" OFFCUT_JVM_DIRS="$work/jvms" "$launcher" test java-checks java-programs
check "test on a newer JDK: the checks run on a 25" grep -q "^$work/jvms/java-25 .*target/checks" "$work/mvn.calls"
check "test on a newer JDK: the tests on the newer one" grep -q "^$work/jdk26 .* verify$" "$work/mvn.calls"
rm "$work/jvms/java-25"
reset
try OFFCUT_JAVA_HOME="$work/jdk26" OFFCUT_JVM_DIRS="$work/jvms" "$launcher" test java-checks java-programs
check "test without a JDK 25: status" ends 0
check "test without a JDK 25: said" out_says "java-checks    left out: format and lint need a JDK 25, and none was found"
check "test without a JDK 25: the rest" out_says "java-programs  ok"

reset
try JAVA_HOME="$work/jdk 25" OFFCUT_JVM_DIRS="$work/jvms" "$launcher" test java-apps
check "test java-apps: status" ends 0
check "test java-apps: of their module alone" last_call_of " -pl evidence/apps " " -Papps -pl evidence/apps -Dskip.checks verify$"
check "test java-apps: a stage" out_says "java-apps      ok"

reset
: >"$work/mvn.unreachable"
try JAVA_HOME="$work/jdk 25" OFFCUT_JVM_DIRS="$work/jvms" "$launcher" test java-apps
check "test java-apps without network: status" ends 0
check "test java-apps without network: what to do" out_says "java-apps      left out: libraries are missing, and Maven cannot fetch them; connect to the network"
check "test java-apps without network: nothing is tested" no grep -q -e "-Papps -pl evidence/apps -Dskip.checks verify" "$work/mvn.calls"
check "test java-apps without network: no trace" no err_says "ERROR"
try JAVA_HOME="$work/jdk 25" "$launcher" bench run --exit
check "bench run without network: status" ends 1
check "bench run without network: what to do" err_says "offcut: building java modules: libraries are missing"
check "bench run without network: no trace" no err_says "ERROR"
try JAVA_HOME="$work/jdk 25" "$launcher" fleet report x
check "fleet without network: status" ends 1
check "fleet without network: what to do" err_says "offcut: building java modules: libraries are missing"
try JAVA_HOME="$work/jdk 25" OFFCUT_JVM_DIRS="$work/jvms" "$launcher" test
check "test without network: no fleet, said" out_says "java-fleet     left out: libraries are missing"
rm "$work/mvn.unreachable"

reset
try JAVA_HOME="$work/jdk 25" "$launcher" fleet report x
check "fleet: what writes it is built" last_call_says ",diagnosis/fleet -Dskip.checks -Dmaven.test.skip=true -Dskip.submitted=false package$"
check "fleet: and given to the command" out_says "offcut-fleet.jar"
try JAVA_HOME="$work/jdk 25" "$launcher" export 1 --to json
check "export: without it" no out_says "offcut-fleet.jar"
try JAVA_HOME="$work/jdk 25" "$launcher" fleet report x --engine spark://h:7077
check "fleet --engine: what is submitted is built" grep -q -e ",diagnosis/fleet,diagnosis/fleet-spark -Dskip.checks -Dmaven.test.skip=true -Dskip.submitted=false package$" "$work/mvn.calls"
check "fleet --engine: and named to the command" out_says "-Doffcut.fleet.spark=$root/java/target/ready/$(cat "$root/java/target/offcut-fleet-spark.stamp")/fleet-spark/offcut-fleet-spark-submitted.jar"
check "fleet: a folder for temporary files, named after the process" out_says "<-Djava.io.tmpdir=$work/offcut-tmp-$(cat "$work/java.pid")>"
check "fleet: which is there" [ -d "$work/offcut-tmp-$(cat "$work/java.pid")" ]

reset
try JAVA_HOME="$work/jdk 25" "$launcher" bench run --exit
check "bench run: what is measured, and the programs" calls 2
check "bench run: the programs last" last_call_says " -pl evidence/apps "
try JAVA_HOME="$work/jdk 25" "$launcher" bench leaks --exit
check "bench leaks: the programs last" last_call_says " -pl evidence/leaks "

reset
echo " -DskipTests package" >"$work/mvn.fail"
try JAVA_HOME="$work/jdk 25" OFFCUT_JVM_DIRS="$work/jvms" "$launcher" test
check "test does not build: status" ends 1
check "test does not build: which stage" out_says "java-build     FAILED"
check "test does not build: nothing is tested" no grep -q -e "surefire:test" -e " verify" "$work/mvn.calls"
check "test does not build: what needs it has not run" out_says "java-agent     not run: java-build failed"
check "test does not build: what does not need it has" out_says "launcher       ok"

reset
echo " verify" >"$work/mvn.fail"
try JAVA_HOME="$work/jdk 25" OFFCUT_JVM_DIRS="$work/jvms" "$launcher" test
check "test fails: status" ends 1
check "test fails: which stage" out_says "java-programs  FAILED"
check "test fails: its log" err_says "cannot find symbol"
check "test fails: the other stages run" out_says "stages: 9 passed, 1 failed, "
check "test fails: what runs it alone" out_says "failed: java-programs — run it alone: ./offcut test java-programs"
check "test fails: no lock is left" [ ! -e "$lock" ]

reset
echo " verify" >"$work/mvn.slow"
start stopped "$launcher" test java-programs
await [ -e "$work/mvn.slow.pid" ]
kill -TERM "$started"
wait "$started"
status=$?
check "SIGTERM in a test: status" ends 143
check "SIGTERM in a test: no Maven is left" no lives "$(cat "$work/mvn.slow.pid")"
check "SIGTERM in a test: no lock is left" [ ! -e "$lock" ]
reset
# The stages of Go run a script of their own.
: >"$root/go/go.mod"
echo 'echo "$*" >>"'"$work"'/go.stages"' >"$root/test/go.sh"
reset
try JAVA_HOME="$work/jdk 25" PATH="$tools:$maven:$gos" "$launcher" test
check "test, Go: status" ends 0
check "test, Go: the stages" [ "$(tr '\n' ' ' <"$work/go.stages")" = "fetch vet tests examples lint " ]
: >"$work/go.stages"
try JAVA_HOME="$work/jdk 25" PATH="$tools:$maven:$gos" "$launcher" test go-settings
check "test go-settings: it alone" [ "$(tr '\n' ' ' <"$work/go.stages")" = "fetch settings " ]
: >"$work/go.stages"
try JAVA_HOME="$work/jdk 25" PATH="$tools:$maven:$gos" "$launcher" test --nightly
check "test --nightly, Go: the next release" grep -q -x next "$work/go.stages"
check "test --nightly, Go: long fuzz tests" grep -q -x "fuzz 300 36000" "$work/go.stages"
try JAVA_HOME="$work/jdk 25" "$launcher" test go
check "test, no Go: said" out_says "left out: no Go found; install Go 1.26 or newer"
rm "$root/go/go.mod"

# A Node and a browser that are found, and the page's checks, which write down what they are asked for.
pages="$work/pages"
mkdir -p "$pages" "$root/web"
: >"$root/web/page.js"
printf '#!/bin/sh\necho v18.1.0\n' >"$pages/node"
printf '#!/bin/sh\n' >"$pages/chromium"
chmod +x "$pages/node" "$pages/chromium"
cat >"$root/test/web.sh" <<END
echo "\$1" >>"$work/web.stages"
[ "\$1" != "\$(cat "$work/web.fail" 2>/dev/null)" ] && echo "5 passed, 0 failed"
END
: >"$work/web.stages"
try JAVA_HOME="$work/jdk 25" PATH="$tools:$maven:$pages" "$launcher" test
check "test, page: status" ends 0
check "test, page: the stages" [ "$(tr '\n' ' ' <"$work/web.stages")" = "units fetch browser " ]
check "test, page: totals" out_says "5 passed, 0 failed"
: >"$work/web.stages"
try JAVA_HOME="$work/jdk 25" PATH="$tools:$maven:$pages" "$launcher" test web
check "test web: no browser" no grep -q browser "$work/web.stages"
echo fetch >"$work/web.fail"
try JAVA_HOME="$work/jdk 25" PATH="$tools:$maven:$pages" "$launcher" test
check "test, browser cannot be had: status" ends 0
check "test, browser cannot be had: said" out_says "left out: Chromium could not be installed;"
echo browser >"$work/web.fail"
try JAVA_HOME="$work/jdk 25" PATH="$tools:$maven:$pages" "$launcher" test
check "test, page fails: status" ends 1
rm "$work/web.fail" "$pages/chromium"
try JAVA_HOME="$work/jdk 25" PATH="$tools:$maven:$pages" "$launcher" test
check "test, no browser: said" out_says "left out: neither Chromium nor apt-get to install it with; install Chromium"
printf '#!/bin/sh\necho v16.9.1\n' >"$pages/node"
try JAVA_HOME="$work/jdk 25" PATH="$tools:$maven:$pages" "$launcher" test web
check "test, old Node: said" out_says "left out: Node.js v16.9.1 found; install 18 or newer"
try JAVA_HOME="$work/jdk 25" "$launcher" test web
check "test, no Node: said" out_says "left out: no Node.js found; install 18 or newer"
rm "$root/web/page.js"

# The sampler's checks, which write down what they are asked for, and what is missing.
cat >"$root/test/native.sh" <<END
[ "\${1-}" != missing ] || { cat "$work/native.missing" 2>/dev/null; exit; }
echo "asked: \$*" >>"$work/native.asked"
echo "4 passed, 0 failed"
END
try JAVA_HOME="$work/jdk 25" "$launcher" test native
check "test native: status" ends 0
check "test native: alone" out_says "stages: 1 passed, 0 failed, 0 skipped"
check "test native: totals" out_says "4 passed, 0 failed"
try JAVA_HOME="$work/jdk 25" "$launcher" test --nightly native
check "test --nightly native: its long form" [ "$(tr '\n' ' ' <"$work/native.asked")" = "asked:  asked: --nightly " ]
echo "no C compiler found; install gcc" >"$work/native.missing"
try JAVA_HOME="$work/jdk 25" "$launcher" test native
check "test native, no compiler: said" out_says "native         left out: no C compiler found; install gcc"
rm "$root/test/native.sh"

: >"$work/mvn.packs"
try JAVA_HOME="$work/jdk 25" PATH="$tools:$maven" "$launcher" test java-programs
check "test, jars packed again: status" ends 1
check "test, jars packed again: said" err_says "packed again under programs that run from them, though nothing had changed:"
rm "$work/mvn.packs"

echo 'echo "not ok 1 - a thing"; exit 1' >"$root/test/launcher.sh"
try JAVA_HOME="$work/jdk 25" "$launcher" test
check "launcher tests fail: status" ends 1
check "launcher tests fail: shown" err_says "not ok 1 - a thing"

conclude
