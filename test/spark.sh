#!/bin/sh
# Fleets on a real Spark cluster: a master and two workers of one core each, on this machine. Runs are added by the cluster, once with
# a worker that is killed in the middle; the sums are those of the runs, the answers those of DuckDB, and the files are the same.
# It takes a few minutes, and needs Spark: SPARK_HOME, or python3 with pip, which fetches 456 MB. So `./offcut test` leaves it out.
#
# test/spark.sh [RUNS [SECONDS]]     so many runs (60) of so many seconds (1800)
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
runs=${1:-60}
seconds=${2:-1800}
# The newest Spark that was tried; the module is compiled for the one in java/pom.xml.
version=4.3.0
# resolve FILE: what find_jdk asks for.
resolve() {
  readlink -f "$1"
}
. "$root/launcher/toolchains.sh"
jdk=${OFFCUT_JAVA_HOME:-$(find_jdk 25 25)}
work=$(mktemp -d)
. "$root/test/checks.sh"
daemons=''

# killed PID...: processes of ours and their children, at once.
killed() {
  for pid in "$@"; do
    children=$(pgrep -P "$pid")
    # shellcheck disable=SC2086 # they are numbers
    kill -9 "$pid" $children 2>/dev/null
    wait "$pid" 2>/dev/null
  done
}
clean_up() {
  # shellcheck disable=SC2086
  killed $daemons
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' HUP INT TERM

if [ -z "$jdk" ]; then
  echo "Spark needs a JDK 25 here, and none was found. Install one, or set OFFCUT_JAVA_HOME."
  exit 1
fi
JAVA_HOME=$jdk
SPARK_LOCAL_IP=127.0.0.1
export JAVA_HOME SPARK_LOCAL_IP

# Its package for Python is a whole Spark.
fetch_spark() {
  folder=$root/java/target/spark-$version
  SPARK_HOME=$folder/deps
  [ ! -x "$SPARK_HOME/bin/spark-submit" ] || return 0
  if ! command -v python3 >/dev/null || ! python3 -m pip --version >/dev/null 2>&1; then
    echo "no Spark found: set SPARK_HOME to one of version 4.2 or newer, or install python3 with pip, which fetches it"
    exit 1
  fi
  echo "fetching Spark $version (456 MB)" >&2
  if ! python3 -m pip download -q --no-deps --no-binary :all: -d "$work" "pyspark==$version" >"$work/pip.log" 2>&1 ||
    ! mkdir -p "$folder" || ! tar -xzf "$work/pyspark-$version.tar.gz" -C "$folder" --strip-components 1; then
    echo "Spark $version cannot be fetched; set SPARK_HOME to one of version 4.2 or newer"
    tail -n 5 "$work/pip.log"
    exit 1
  fi
  rm -f "$work/pyspark-$version.tar.gz"
}
[ -n "${SPARK_HOME-}" ] || fetch_spark
export SPARK_HOME

# All tests of both engines run on the way, with queries compiled as on a cluster.
mvn=$(command -v mvn) || mvn=$root/java/mvnw
if [ -z "${OFFCUT_BUILT-}" ] && ! "$mvn" -B -ntp -q -f "$root/java/pom.xml" -Pfleet,spark -pl diagnosis/fleet-spark -am \
  -Dskip.checks -Dtest=FleetOnSparkTest -Dsurefire.failIfNoSpecifiedTests=false -Doffcut.spark.all=true \
  -Dskip.submitted=false package >"$work/build.log" 2>&1; then
  tail -n 30 "$work/build.log"
  exit 1
fi

# java_with ARGUMENTS...: what the launcher starts, with the runs of the tests.
java_with() {
  # shellcheck disable=SC2086 # two words
  "$jdk/bin/java" $quick --enable-native-access=ALL-UNNAMED \
    "-Doffcut.fleet.spark=$root/java/diagnosis/fleet-spark/target/offcut-fleet-spark-submitted.jar" \
    -cp "$root/java/diagnosis/command/target/offcut-command.jar:$root/java/diagnosis/fleet/target/offcut-fleet.jar:$root/java/diagnosis/fleet/target/lib/*:$root/java/diagnosis/fleet-spark/target/test-classes" "$@"
}
# fleet WORD...: with what it printed in out and err, and its status.
fleet() {
  java_with dev.offcut.command.Main fleet "$@" >"$work/out" 2>"$work/err"
  status=$?
}

# wait_for SECONDS COMMAND...: until it holds; fails if it does not.
wait_for() {
  turns=$(($1 * 5))
  shift
  until "$@"; do
    turns=$((turns - 1))
    [ "$turns" -gt 0 ] || return 1
    sleep 0.2
  done
}
# logged COUNT TEXT: the master says so at least so often.
logged() { [ "$(grep -c -e "$2" "$work/master.log")" -ge "$1" ]; }

# All of these end before the second compiler would pay off.
quick='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
mkdir "$work/conf"
cat >"$work/conf/spark-defaults.conf" <<END
spark.driver.memory 512m
spark.executor.memory 512m
spark.executor.cores 1
spark.driver.defaultJavaOptions $quick
spark.executor.defaultJavaOptions $quick
spark.ui.enabled false
spark.master.rest.enabled false
END
SPARK_CONF_DIR=$work/conf
SPARK_DAEMON_MEMORY=256m
SPARK_DAEMON_JAVA_OPTS=$quick
export SPARK_CONF_DIR SPARK_DAEMON_MEMORY SPARK_DAEMON_JAVA_OPTS

"$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.master.Master --host 127.0.0.1 --port 0 --webui-port 0 >"$work/master.log" 2>&1 &
master=$!
daemons=$master
if ! wait_for 120 logged 1 'Starting Spark master at spark:'; then
  echo "the master does not start:"
  tail -n 20 "$work/master.log"
  exit 1
fi
url=$(sed -n 's,.*Starting Spark master at \(spark://[^ ]*\).*,\1,p' "$work/master.log" | head -n 1)
workers=0
# start_worker: sets worker.
start_worker() {
  workers=$((workers + 1))
  "$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --port 0 --webui-port 0 --cores 1 --memory 600m \
    --work-dir "$work/worker-$workers" "$url" >"$work/worker-$workers.log" 2>&1 &
  worker=$!
  daemons="$daemons $worker"
  if ! wait_for 120 logged "$workers" 'Registering worker'; then
    echo "a worker does not start:"
    tail -n 20 "$work/worker-$workers.log"
    exit 1
  fi
}
start_worker

truth=$(java_with dev.offcut.fleet.GivenRuns "$work/runs" "$runs" "$seconds") || exit 1
echo "$runs runs, $(du -sm "$work/runs" | cut -f 1) MiB; seed and sums: $truth"
# The rest of the line is what `fleet sql` has to say.
truth=${truth#* }
sums="SELECT cast(sum(opened) AS bigint) AS opened, cast(sum(closed) AS bigint) AS closed, cast(sum(collected) AS bigint) AS collected, cast(sum(lost) AS bigint) AS lost, cast(sum(lost_bytes) AS bigint) AS lost_bytes FROM windows"

# add_to FLEET [OPTIONS...]
add_to() {
  to=$1
  shift
  fleet add "$work/runs" --to "$to" --service orders --version 1.4.2 --host h1 "$@"
}
# has_all FLEET: the sums of the runs, on DuckDB; and no unfinished file.
has_all() {
  fleet sql "$1" "$sums" --json
  out_says "$truth" && [ -z "$(find "$1" -name '.unfinished*')" ]
}
files() { (cd "$1" && find . -type f | sort); }
clock() { date +%s.%N; }
# Seconds of CPU that the workers and what they started have had, which Linux knows.
cpu_of_workers() {
  # shellcheck disable=SC2046,SC2086 # numbers
  sed 's/.*) //' $(printf '/proc/%s/stat ' ${daemons#* }) | awk -v hz="$(getconf CLK_TCK)" '{ticks += $12 + $13 + $14 + $15} END {printf "%.1f", ticks / hz}'
}
# Their CPU counts when they have ended.
no_executors() {
  for pid in ${daemons#* }; do
    ! pgrep -P "$pid" >/dev/null || return 1
  done
}
# measured COMMAND...: sets wall and cpu, in seconds.
measured() {
  before=$(clock) cpu_before=$(cpu_of_workers)
  "$@"
  ended=$(clock)
  wait_for 30 no_executors
  wall=$(echo "$before $ended" | awk '{printf "%.1f", $2 - $1}')
  cpu=$(echo "$cpu_before $(cpu_of_workers)" | awk '{printf "%.1f", $2 - $1}')
}

before=$(clock)
add_to "$work/alone"
alone=$(echo "$before $(clock)" | awk '{printf "%.1f", $2 - $1}')
check "added on this machine: status" ends 0
check "added on this machine: the sums of the runs" has_all "$work/alone"

# What each program of Spark costs before it adds anything; the first one also reads Spark's jars from the disk.
for turn in first second; do
  measured fleet add "$work/runs/run-0.offcut" --to "$work/start-$turn" --service orders --version 1.4.2 --host h1 --engine "$url"
  check "one run, $turn program: status" ends 0
done
start=$wall
measured add_to "$work/one" --engine "$url"
one=$wall one_cpu=$cpu
check "one worker: status" ends 0
check "one worker: says what it added" err_says "offcut: added $runs sources to"
check "one worker: the sums of the runs" has_all "$work/one"
files "$work/alone" >"$work/alone.files"
files "$work/one" >"$work/one.files"
check "one worker: the files of this machine's own" cmp -s "$work/alone.files" "$work/one.files"

start_worker
measured add_to "$work/two" --engine "$url"
two=$wall two_cpu=$cpu
check "two workers: status" ends 0
check "two workers: the sums of the runs" has_all "$work/two"
add_to "$work/two" --engine "$url"
check "added twice: counts once" err_says "offcut: added 0 sources to $work/two; $runs were there already"
check "added twice: the sums of the runs" has_all "$work/two"

# report, diff and sql: the words that follow; the same on both engines.
same() {
  asked=$1
  shift
  fleet "$@"
  cp "$work/out" "$work/duckdb"
  check "$asked on DuckDB: status" ends 0
  fleet "$@" --engine "$url"
  check "$asked on Spark: status" ends 0
  check "$asked: the same on both" cmp -s "$work/duckdb" "$work/out"
}
same "report" report "$work/two" --json
same "report, as text" report "$work/two"
fleet add "$work/runs/run-0.offcut" --to "$work/two" --service orders --version 1.4.1 --host h2
same "a comparison" diff "$work/two" --versions 1.4.1,1.4.2 --json
same "a query" sql "$work/two" "SELECT name, count(*) AS windows, max(peak) AS peak FROM windows GROUP BY name ORDER BY name"

# some FLEET COUNT: so many sources are in it.
some() { [ "$(find "$1/processes" -name '[!.]*.parquet' 2>/dev/null | wc -l)" -ge "$2" ]; }
add_to "$work/killed" --engine "$url" &
adding=$!
wait_for 300 some "$work/killed" $((runs / 5))
killed "$worker"
there=$(find "$work/killed/processes" -name '[!.]*.parquet' | wc -l)
wait "$adding"
check "a worker killed: in the middle ($there of $runs runs were there)" at_most "$there" $((runs - 1))
has_all_but_rests() {
  fleet sql "$work/killed" "$sums" --json
  out_says "$truth"
}
check "a worker killed: the sums of the runs" has_all_but_rests
files "$work/killed" | grep -v '/\.unfinished' >"$work/killed.files"
check "a worker killed: the same files" cmp -s "$work/alone.files" "$work/killed.files"

fleet sql "$work/two" "SELECT nothing FROM windows" --engine "$url"
check "a query that fails: status" ends 1
check "a query that fails: one sentence" err_says "offcut: Spark: [UNRESOLVED_COLUMN"
check "a query that fails: one line" [ "$(wc -l <"$work/err")" -eq 1 ]

killed "$master"
fleet report "$work/two" --engine "$url"
check "no master: status" ends 4
check "no master: one sentence" err_says "offcut: no Spark master answers at $url"
(SPARK_HOME='' && fleet report "$work/two" --engine "$url"; echo "$status" >"$work/status")
status=$(cat "$work/status")
check "no Spark: status" ends 1
check "no Spark: one sentence" err_says "offcut: --engine needs Apache Spark 4.2 or newer on this machine, and SPARK_HOME is not set"

echo "adding $runs runs of $seconds s, $(du -sm "$work/runs" | cut -f 1) MiB; a program of Spark that adds one run takes $start s"
echo "this machine's own, on $(nproc) cores: $alone s; one worker: $one s, $one_cpu s of the workers' CPU; two: $two s, $two_cpu s of CPU"
echo "$one $two $start" | awk '{printf "speed-up: %.2f; without the start of Spark'"'"'s programs: %.2f\n", $1 / $2, ($1 - $3) / ($2 - $3)}'
echo "load of the machine, of $(nproc) cores: $(uptime | sed 's/.*load average: //')"
conclude
