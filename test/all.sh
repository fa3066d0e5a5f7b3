# shellcheck shell=sh disable=SC2034,SC2154 # variables of its caller, and for it
# Every check there is, in stages: `offcut test`, which reads this file.

# Says in one line what keeps the page from being tested; silent if nothing does.
web_missing() {
  if ! command -v node >/dev/null; then
    echo "no Node.js found; install 18 or newer (Debian, Ubuntu: sudo apt-get install nodejs)"
    return
  fi
  found=$(node --version)
  major=$(echo "$found" | sed -n 's/^v\([0-9]\{1,\}\)\..*/\1/p')
  if [ "${major:-0}" -lt 18 ]; then
    echo "Node.js $found found; install 18 or newer from https://nodejs.org"
  elif ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null &&
    ! command -v apt-get >/dev/null; then
    echo "neither Chromium nor apt-get to install it with; install Chromium"
  fi
}

# totals LOG: the closing line of each run of tests in it, in the words of its runner.
totals() {
  awk '
    /^\[INFO\] Building [A-Z]/ { sub(/^\[INFO\] Building /, ""); sub(/ [^ ]*( +\[[0-9\/]+\])?$/, ""); module = $0 ": " }
    /Tests run: [0-9]+, Failures: [0-9]+, Errors: [0-9]+, Skipped: [0-9]+$/ { sub(/^\[[A-Z]+\] /, ""); print "  " module $0 }
    /^[0-9]+ passed, [0-9]+ failed$/ { print "  " $0 }
    /^--- (PASS|FAIL|SKIP): / { go[$2]++ }
    END {
      n = go["PASS:"] + go["FAIL:"] + go["SKIP:"]
      if (n) printf "  Go: Tests run: %d, Failures: %d, Skipped: %d\n", n, go["FAIL:"], go["SKIP:"]
    }' "$1"
}

# left_out NAME REASON: what does not run here, and why.
left_out() {
  is_chosen "$1" || return 0
  printf '%-14s left out: %s\n' "$1" "$2"
  echo "$1" >>"$left_out_stages"
}

# fails NAME LINE: a stage that failed, or could not run.
fails() {
  printf '%-14s %s\n' "$1" "$2"
  echo "$1" >>"$failed_stages"
}

# is_chosen NAME...: one of these stages runs; all of them run if the command names none.
is_chosen() {
  [ -n "$chosen_stages" ] || return 0
  for choice in $chosen_stages; do
    ! is_one_of "$choice" "$@" || return 0
  done
  return 1
}

# is_named NAME: the command names this stage.
is_named() {
  [ -n "$chosen_stages" ] && is_chosen "$1"
}

# nightly_stage NAME RUNNER ARGUMENTS...: one that runs only at night, or if it is named.
nightly_stage() {
  ! "$nightly" && ! is_named "$1" || stage "$@"
}

# Seconds of CPU that what this lane ran has taken until now.
lane_cpu() {
  # Not by $(…), which counts the children of a shell of its own.
  times >"$1"
  awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); printf "%d", 60 * (u[1] + s[1]) + u[2] + s[2] }' "$1"
}

# stage NAME RUNNER ARGUMENTS...: one stage of the tests, where RUNNER is `maven` or `quietly`. Returns 1 if it fails; the other
# stages go on. What it prints is printed at once, so that the lines of two lanes do not mix. One that writes nothing for
# `stage_limit` seconds hangs, and fails.
stage() {
  name=$1 runner=$2
  shift 2
  is_chosen "$name" || [ "$name" = java-build ] || return 0
  log=$root/java/target/offcut-test-$name.log
  began=$(date +%s)
  lane_cpu "$log.times" >"$log.cpu"
  limit=$stage_limit
  "$runner" "testing: $name …" "$log" "$@"
  ended=$?
  limit=''
  seconds=$(($(date +%s) - began))
  if [ "$ended" -ne 0 ]; then
    lines=$(totals "$log")
    fails "$name" "FAILED $(printf '%5d' "$seconds") s${lines:+
$lines}"
    show "$log" 80
    return 1
  fi
  lines=$(totals "$log")
  before=$(cat "$log.cpu")
  lane_cpu "$log.times" >"$log.cpu"
  printf '%-14s ok     %5d s, %d s of CPU\n%s' "$name" "$seconds" $(($(cat "$log.cpu") - before)) "$lines${lines:+
}"
  rm -f "$log.times" "$log.cpu"
  echo "$name" >>"$passed_stages"
}

# built NAME: waits until another lane has built the modules; says that the stage cannot run if that failed.
built() {
  is_chosen "$1" || return 1
  until grep -q -x java-build "$passed_stages"; do
    if grep -q -x java-build "$failed_stages"; then
      fails "$1" "not run: java-build failed"
      return 1
    fi
    sleep 0.5
  done
}

# linting_maven LABEL LOG ARGUMENTS...: `maven` with the jars of Error Prone on the class path of the JVM that javac runs in. All
# compilations then share its loaded and compiled classes; from the processor path, javac loads Error Prone anew for each of them.
linting_maven() {
  home=$(resolve "$(command -v mvn || echo none)")
  home=${home%/bin/mvn}
  if ! grep -q '^main is org.apache.maven.cli.MavenCli ' "$home/bin/m2.conf" 2>/dev/null; then
    maven "$@" # the wrapper, or another Maven than 3: they start otherwise
    return
  fi
  label=$1 log=$2 linters=$root/java/target/offcut-linters.path
  shift 2
  maven "$label" "$log" -N -Plinters dependency:build-classpath -DincludeScope=runtime "-Dmdep.outputFile=$linters" || return
  # shellcheck disable=SC2046,SC2086 # options of the JVM: each a word
  quietly "$label" "$log" "$jdk/bin/java" $(cat "$root/java/.mvn/jvm.config") -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
    ${MAVEN_OPTS-} -cp "$(echo "$home"/boot/plexus-classworlds-*.jar):$(cat "$linters")" "-Dclassworlds.conf=$home/bin/m2.conf" \
    "-Dmaven.home=$home" "-Dmaven.multiModuleProjectDirectory=$root/java" org.codehaus.plexus.classworlds.launcher.Launcher \
    -B -ntp -Dstyle.color=never -f "$root/java/pom.xml" "$@"
}

# Format, javac's lint, Error Prone and NullAway: their tools need a JDK 25, and a folder of class files of their own.
stage_checks() {
  built java-checks || return 0
  checker=$jdk
  [ "$(jdk_version "$jdk")" = 25 ] || checker=$(find_jdk 25 25)
  if [ -z "$checker" ]; then
    left_out java-checks "format and lint need a JDK 25, and none was found"
    return
  fi
  profiles=$(cat "$fetched_profiles")
  chosen=$jdk
  jdk=$checker
  maven_options=${MAVEN_OPTS-}
  # Room for what Error Prone makes: else it is collected a hundred times.
  export MAVEN_OPTS="-Xms1g -Xmn600m -XX:MetaspaceSize=512m $maven_options"
  stage java-checks linting_maven ${profiles:+"-P$profiles"} -Dbuild.folder=target/checks -Dmdep.skip=true -DskipTests package
  MAVEN_OPTS=$maven_options
  jdk=$chosen
}

# What is fetched for tests of its own: the profiles of Maven that can be tested, in a file for all lanes.
fetch_profiles() {
  profiles=''
  log=$root/java/target/offcut-fleet-fetch.log
  duckdb=$(sed -n 's:^ *<duckdb.version>\(.*\)</duckdb.version>:\1:p' "$root/java/pom.xml")
  if ! maven "fetching DuckDB …" "$log" -N dependency:get "-Dartifact=org.duckdb:duckdb_jdbc:$duckdb" &&
    missing=$(unfetched "$log"); then
    left_out java-fleet "$missing"
  else
    profiles=fleet
  fi
  # The Spark that is tested does not start on a newer one.
  if [ -n "$profiles" ] && [ "$(jdk_version "$jdk")" != 25 ]; then
    left_out java-spark "it needs a JDK 25"
  elif [ -n "$profiles" ]; then
    log=$root/java/target/offcut-spark-fetch.log
    spark=$(sed -n 's:^ *<spark.version>\(.*\)</spark.version>:\1:p' "$root/java/pom.xml")
    if ! maven "fetching Spark …" "$log" -N dependency:get "-Dartifact=org.apache.spark:spark-sql_2.13:$spark" &&
      missing=$(unfetched "$log"); then
      left_out java-spark "$missing"
    else
      profiles=fleet,spark
    fi
  fi
  if "$nightly" || is_named java-apps; then
    log=$root/java/target/offcut-apps-fetch.log
    if ! maven "fetching libraries of programs …" "$log" -Papps -pl "$(places apps)" -Dskip.checks -DskipTests package &&
      missing=$(unfetched "$log"); then
      left_out java-apps "$missing"
    else
      profiles=${profiles:+$profiles,}apps
    fi
  fi
  echo "$profiles" >"$fetched_profiles"
}

# Sets fleet to Maven's option for the profiles of fleets, or to nothing, and fleet_modules to their modules.
find_fleet() {
  fleet='' fleet_modules=''
  ! grep -q fleet "$fetched_profiles" || { fleet=-Pfleet fleet_modules=' fleet'; }
  ! grep -q spark "$fetched_profiles" || { fleet=-Pfleet,spark fleet_modules=' fleet fleet-spark'; }
}

# Compiles and packs all of it, once: the tests, and the words that run, make none of it again.
stage_build() {
  fetch_profiles
  find_fleet
  sets="$sets${fleet:+ fleet}"
  for set in $sets; do
    begin_stamp "$set"
  done
  stage java-build maven ${fleet:+"$fleet"} -Dskip.libraries=false -Dskip.checks -DskipTests package || return 0
  remove_copies
  for set in $sets; do
    end_stamp "$set"
  done
  : >"$root/java/target/offcut-test.built"
}

# java_tests NAME MODULES ARGUMENTS...: tests of modules, beside those of others. What they depend on is among the modules, and
# left out by its name; Surefire starts a JVM for it all the same, and deletes the folder with its files when that ends, so each
# stage has one of its own.
java_tests() {
  name=$1 modules=$2
  shift 2
  built "$name" || return 0
  # shellcheck disable=SC2086 # each a word
  stage "$name" maven ${fleet:+"$fleet"} -pl "$(places $modules)" -Dskip.checks -Dstress.long="$nightly" \
    "-Doffcut.jvms=$jvms" "-DtempDir=surefire-$name" -Dsurefire.failIfNoSpecifiedTests=false "$@"
}

stage_java_libraries() {
  fleet=''
  java_tests java-libraries "resident rules handle longmap objectstream memory netty junit metrics" test
}

# The goal alone, since to pack it again would take the jar from whoever runs it. `compile` finds nothing to do; without it,
# Maven 3 does not find one module's classes for another.
stage_java_agent() {
  fleet=''
  java_tests java-agent 'rules longmap resident agent retrofit' '-Dtest=dev/offcut/agent/**/*Test,dev/offcut/retrofit/**/*Test' compile surefire:test
}

# Modules that need jars of the libraries: they are packed, but not written if nothing has changed.
stage_java_programs() {
  built java-programs || return 0
  find_fleet
  java_tests java-programs "handle longmap memory netty metrics resident rules replay command examples/sqlite examples/budget examples/orders bench$fleet_modules" \
    '-Dtest=!dev/offcut/resident/**,!dev/offcut/rules/**,!dev/offcut/handle/**,!dev/offcut/longmap/**,!dev/offcut/memory/**,!dev/offcut/netty/**,!dev/offcut/metrics/**' verify || return 0
  # A JVM whose jar is written anew finds no more classes in it: a build step has to leave alone what is as it was.
  written=$(find "$root"/java/*/*/target "$root"/java/evidence/examples/*/target -maxdepth 1 -name 'offcut-*.jar' -newer "$root/java/target/offcut-test.built")
  if [ -n "$written" ]; then
    say "packed again under programs that run from them, though nothing had changed:" "$written"
    fails java-programs "FAILED: jars were packed again"
  fi
}

# Tests whose answer is the JDK's: they run on the oldest and on the newest, too. The nightly form runs all others there as well.
of_each_jdk='AgentBeanTest AgentTest AllocatorsTest CallSiteRuleTest ClassPathTest CleanerTest EventsTest
ExitAccountTest FullHeapTest HandleTest HelpersTest JcmdTest JnaRetrofitTest JvmWideFilterTest LineTest LoadersTest
MemoryClassTest ProxiesAndLambdasTest ReaperTest ReleaseLoopTest RunningAgentTest SafeObjectInputStreamTest
SharedArchiveTest ShutdownTest StreamRetrofitTest ThreadStacksTest TrackingTest TruthTest UnknownShapesTest ViewTest
WatchingTest'

# java_on NAME HOME MODULES...: the tests of modules on another JDK. Tests
# that go through all JDKs go through this one alone: those of the one that builds have gone through all. The names of
# tests end with Test; with patterns given, Surefire would else take all that has tests in it, as classes that tests run.
java_on() {
  name=$1 home=$2
  shift 2
  built "$name" || return 0
  tests='**/*Test'
  # shellcheck disable=SC2086 # each a word
  "$nightly" || tests=$(echo $of_each_jdk | tr ' ' ,)
  version=$(jdk_version "$home")
  stage "$name" maven -pl "$(places "$@")" -Dskip.checks -Dtest.jvm="$home/bin/java" "-Doffcut.jvms=$home" \
    "-Dtest.reports=surefire-reports-$version" "-DtempDir=surefire-$version" \
    "-Dtest=$tests" ${too_new:+"$too_new"} -Dsurefire.failIfNoSpecifiedTests=false compile surefire:test
}

# The modules whose class files are older than 25. The metrics are compiled with pools, whose own tests need a newer JDK.
stage_java17() {
  find_jdk17
  if [ -z "$jdk17" ]; then
    left_out java-17 "no JDK 17 found"
    return
  fi
  too_new=-Dskip.memory=true # else Surefire starts a JVM for them
  # shellcheck disable=SC2046
  java_on java-17 "$jdk17" $(cd "$root/java" && grep -l -E '<maven.compiler.release>(8|17)<' ./*/*/pom.xml ./retrofit/pom.xml | sed 's:^.*/\([^/]*\)/pom.xml$:\1:') memory
  too_new=''
}

# The libraries on the newest JDK, if that is not the one that builds.
stage_java_newest() {
  newest=$(found_jdks | tail -n 1)
  version=${newest%% *}
  [ "$version" -le "$(jdk_version "$jdk")" ] || java_on "java-$version" "${newest#* }" resident rules handle longmap objectstream memory netty junit metrics agent retrofit
}

stage_stress() {
  built java-stress || return 0
  compilers=''
  ! "$nightly" || compilers=-Dtest.jvm.args=
  # Not a jar is made: other lanes use those that there are.
  stage java-stress maven -pl "$(places stress)" -am -Dskip.checks -Dskip.unit=true -Dstress.long="$nightly" ${compilers:+"$compilers"} test
}

# Programs of others. They run under the jars that were built before.
stage_apps() {
  "$nightly" || is_named java-apps || return 0
  built java-apps || return 0
  ! grep -q apps "$fetched_profiles" || stage java-apps maven -Papps -pl "$(places apps)" -Dskip.checks verify
}

stage_go() {
  [ -e "$root/go/go.mod" ] || return 0
  is_chosen go-vet go go-settings go-examples go-next go-fuzz go-lint go-run || return 0
  missing=$(go_missing)
  if [ -n "$missing" ]; then
    left_out go "$missing"
    return
  fi
  log=$root/java/target/offcut-go-fetch.log
  if ! quietly "fetching Go modules …" "$log" sh "$root/test/go.sh" fetch; then
    left_out go "the modules it needs could not be fetched; $log says why"
    return
  fi
  stage go-vet quietly sh "$root/test/go.sh" vet
  stage go quietly sh "$root/test/go.sh" tests
  stage go-examples quietly sh "$root/test/go.sh" examples
  nightly_stage go-settings quietly sh "$root/test/go.sh" settings
  nightly_stage go-next quietly sh "$root/test/go.sh" next
  nightly_stage go-fuzz quietly sh "$root/test/go.sh" fuzz 300 36000
  stage go-lint quietly sh "$root/test/go.sh" lint
  [ -e "$root/test/go-run.sh" ] || return 0
  # The command with Go programs.
  built go-run || return 0
  stage go-run quietly env JAVA_HOME="$jdk" sh "$root/test/go-run.sh"
}

stage_web() {
  [ -e "$root/web/page.js" ] || return 0
  is_chosen web web-browser || return 0
  missing=$(web_missing)
  if [ -n "$missing" ]; then
    left_out web "$missing"
    return
  fi
  stage web quietly sh "$root/test/web.sh" units
  built web-browser || return 0
  log=$root/java/target/offcut-web-fetch.log
  if ! quietly "fetching a browser …" "$log" sh "$root/test/web.sh" fetch; then
    left_out web-browser "Chromium could not be installed; $log says why"
    return
  fi
  stage web-browser quietly env JAVA_HOME="$jdk" sh "$root/test/web.sh" browser
}

# The malloc sampler. It is no module of Maven, and its tests need nothing that is built.
stage_native() {
  [ -e "$root/test/native.sh" ] || return 0
  is_chosen native || return 0
  missing=$(JAVA_HOME="$jdk" sh "$root/test/native.sh" missing)
  if [ -n "$missing" ]; then
    left_out native "$missing"
    return
  fi
  long=''
  ! "$nightly" || long=--nightly
  # shellcheck disable=SC2086 # it may be empty
  stage native quietly env JAVA_HOME="$jdk" sh "$root/test/native.sh" $long
}

stage_launcher() {
  stage launcher quietly sh "$root/test/launcher.sh"
}

stage_architecture() {
  [ -e "$root/test/architecture.sh" ] || return 0
  stage architecture quietly sh "$root/test/architecture.sh"
}

# The archive for servers, on one that has a Java 17 and nothing else.
stage_dist() {
  [ -e "$root/test/dist.sh" ] || return 0
  if [ -z "$jdk17" ]; then
    left_out dist "no JDK 17 found"
    return
  fi
  built dist || return 0
  # shellcheck disable=SC2016 # the inner shell's
  stage dist quietly sh -c 'sh "$1/test/dist.sh" "$("$1/offcut" dist)" "$2"' sh "$root" "$jdk17"
}

# The libraries as another build finds them, and the sample that is built with them.
stage_install() {
  stage install quietly sh "$root/test/install.sh" "$jdk"
}

# Full disks, folders of others, programs that are stopped and commands that are killed, on the oldest and on the newest JDK.
stage_faults() {
  [ -e "$root/test/faults.sh" ] || return 0
  built faults || return 0
  # shellcheck disable=SC2086 # a JDK 17 may be missing
  stage faults quietly sh "$root/test/faults.sh" "$jdk" ${jdk17:+"$jdk17"} "$jdk"
}

# The commands that the pages show, as a reader would type them.
stage_docs() {
  [ -e "$root/test/docs.sh" ] || return 0
  built docs || return 0
  stage docs quietly sh "$root/test/docs.sh"
}

# The stages by name: those that need no built modules, and those that do.
unbuilt_stages='launcher architecture go-vet go go-settings go-examples go-lint go-next go-fuzz web install native'
built_stages='java-build java-checks java-libraries java-agent java-programs java-17 java-stress java-apps go-run web-browser docs
dist faults'

# Each at most once in all lanes. First what others wait for, and what waits for nobody; then the longest, so that the lanes
# end together.
take_parts() {
  for part in build go launcher stress checks java_libraries java_agent java_programs java17 java_newest \
    faults native web docs dist install architecture apps; do
    [ "$part" != build ] || needs_build || continue
    ! mkdir "$taken_parts/$part" 2>/dev/null || "stage_$part"
  done
}

# A chosen stage uses what the build makes.
needs_build() {
  # shellcheck disable=SC2086 # each a word
  is_chosen $built_stages "java-$newest_version"
}

# What git knows of the clone and would not commit unasked: the tests must leave it as it was.
clone_state() {
  [ ! -e "$root/.git" ] || git -C "$root" status --porcelain
}

# The stages that what was changed concerns: since the commit that the branch and its upstream share, or since the last commit.
changed_stages() {
  base=$(git -C "$root" merge-base HEAD '@{upstream}' 2>/dev/null) || base=HEAD
  { git -C "$root" diff --name-only "$base" && git -C "$root" ls-files --others --exclude-standard "$root"; } | while read -r file; do
    case $file in
      docs/user/* | README.md) echo docs ;;
      go/*) echo go-vet go go-examples go-lint go-run ;;
      web/*) echo web web-browser ;;
      offcut | launcher/*) echo launcher ;;
      dist/*) echo dist ;;
      test/all.sh) echo launcher ;;
      test/faults*) echo faults ;;
      test/web*) echo web web-browser ;;
      test/*.sh) basename "$file" .sh ;;
      java/pom.xml | java/src/*) echo java-libraries java-agent java-programs java-stress ;;
      java/evidence/stress/*) echo java-stress ;;
      java/retrofit/* | java/diagnosis/agent/* | java/diagnosis/rules/*) echo java-agent java-programs ;;
      java/diagnosis/resident/* | java/libraries/handle/* | java/libraries/longmap/* | java/libraries/memory/*) echo java-libraries java-programs ;;
      java/libraries/objectstream/* | java/integrations/netty/* | java/integrations/junit/* | java/integrations/metrics/*) echo java-libraries ;;
      java/diagnosis/native/*) echo native ;;
      java/* | spec/*) echo java-programs ;;
    esac
    case $file in
      *.java) echo java-checks ;;
      *.md) echo architecture ;;
    esac
  done | tr ' ' '\n' | sort -u | while read -r stage; do
    # shellcheck disable=SC2086 # each a word
    ! is_one_of "$stage" $unbuilt_stages $built_stages || echo "$stage"
  done
}

# is_one_of WORD WORDS...
is_one_of() {
  wanted=$1
  shift
  for one; do
    [ "$one" != "$wanted" ] || return 0
  done
  return 1
}

run_tests() {
  nightly=false changed='' all_chosen=''
  newest_version=$(found_jdks | tail -n 1 | sed 's/ .*//')
  for arg; do
    case $arg in
      --nightly) nightly=true ;;
      --changed) changed=yes ;;
      --list)
        # shellcheck disable=SC2086 # each a word
        printf '%s\n' $unbuilt_stages $built_stages
        exit
        ;;
      -h | --help)
        usage
        exit
        ;;
      -*) die 2 "test: unknown option $arg (there are --changed, --nightly and --list)" ;;
      *)
        # shellcheck disable=SC2086 # each a word
        is_one_of "$arg" $unbuilt_stages $built_stages "java-$newest_version" ||
          die 2 "test: unknown stage $arg (offcut test --list lists them)"
        all_chosen="$all_chosen $arg"
        ;;
    esac
  done
  if [ -n "$changed" ]; then
    ! "$nightly" && [ -z "$all_chosen" ] || die 2 "test: --changed chooses the stages; give it alone"
    git -C "$root" rev-parse --verify -q HEAD >/dev/null 2>&1 || die 2 "test: --changed asks git what has changed, and $root is no clone; name the stages"
    all_chosen=$(changed_stages | tr '\n' ' ')
    [ -n "$all_chosen" ] || die 0 "test: nothing has changed that a stage tests"
    say "testing what has changed: $all_chosen"
  fi
  chosen_stages=$all_chosen
  need_jdk
  find_jdk17
  lock offcut
  export OFFCUT_TESTS="$root"
  stage_limit=1500
  ! "$nightly" || stage_limit=''
  passed_stages=$root/java/target/offcut-test.passed
  failed_stages=$root/java/target/offcut-test.failed
  left_out_stages=$root/java/target/offcut-test.left-out
  : >"$passed_stages"
  : >"$failed_stages"
  : >"$left_out_stages"
  before_tests=$(clone_state)
  jvms=$(found_jdks | sed 's/^[0-9]* //' | tr '\n' :)
  jvms=${jvms%:}
  absent=''
  for version in 17 21 25 26 27 28; do
    found_jdks | grep -q "^$version " || absent="$absent $version"
  done
  [ -z "$absent" ] || printf '%-14s left out: %s\n' "other JDKs" "no JDK found of version$absent"
  fetched_profiles=$root/java/target/offcut-test.profiles
  taken_parts=$root/java/target/offcut-test.taken
  rm -rf "$taken_parts"
  mkdir "$taken_parts" || exit 1
  started=$(date +%s)
  # Four lanes keep two cores busy: much of a test is waiting.
  lane take_parts
  lane take_parts
  lane take_parts
  lane take_parts
  await_lanes
  after_tests=$(clone_state)
  if [ "$before_tests" != "$after_tests" ]; then
    fails clean-clone "FAILED: the tests changed files of the clone. git status before:
$before_tests
after:
$after_tests"
  fi
  sum_up $(($(date +%s) - started))
}

# sum_up SECONDS: the last lines: what failed, and what runs it alone.
sum_up() {
  passes=$(grep -c '' "$passed_stages")
  failures=$(grep -c '' "$failed_stages")
  skips=$(grep -c '' "$left_out_stages")
  echo "offcut: tested in $1 s"
  while read -r name; do
    case $name in
      clean-clone) echo "failed: $name" ;;
      *) echo "failed: $name — run it alone: ./offcut test $name" ;;
    esac
  done <"$failed_stages"
  echo "stages: $passes passed, $failures failed, $skips skipped"
  [ "$failures" -eq 0 ]
}
