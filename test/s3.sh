#!/bin/sh
# Fleets in a bucket: every word against a real server of S3's protocol, on this machine. Adding is killed in the middle, two add the
# same at the same time while a third compacts, and the server, the bucket and the credentials are wrong. The sums are those of the runs.
# It takes a few minutes, and needs a server: python3 with pip, which fetches Moto (33 MB), or a bucket of yours. So `./offcut test`
# leaves it out, and tests with a small server of its own.
#
# test/s3.sh [RUNS [SECONDS]]       so many runs (60) of so many seconds (300)
#
# With OFFCUT_TEST_BUCKET=s3://BUCKET/PATH, that is used, by AWS_… as they are set; what is there afterwards is left. With SPARK_HOME and
# S3A_JARS (jars of hadoop-aws and what it needs, with commas), Spark reads it, too, and writes to a bucket of yours.
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
runs=${1:-60}
seconds=${2:-300}
moto=5.2.5
# resolve FILE: what find_jdk asks for.
resolve() {
  readlink -f "$1"
}
. "$root/launcher/toolchains.sh"
jdk=${OFFCUT_JAVA_HOME:-$(find_jdk 25 99)}
work=$(mktemp -d)
. "$root/test/checks.sh"
server=''
clean_up() {
  [ -z "$server" ] || kill "$server" 2>/dev/null
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' HUP INT TERM

if [ -z "$jdk" ]; then
  echo "a fleet needs a JDK 25 or newer, and none was found. Install one, or set OFFCUT_JAVA_HOME."
  exit 1
fi
mvn=$(command -v mvn) || mvn=$root/java/mvnw
if [ -z "${OFFCUT_BUILT-}" ] && ! JAVA_HOME=$jdk "$mvn" -B -ntp -q -f "$root/java/pom.xml" -Pfleet -pl diagnosis/fleet -am \
  -Dskip.checks -DskipTests package >"$work/build.log" 2>&1; then
  tail -n 30 "$work/build.log"
  exit 1
fi

# A server of our own, with a bucket; nothing of this user's is used.
start_server() {
  folder=$root/java/target/moto-$moto
  if [ ! -d "$folder" ] && ! python3 -m pip install -q --target "$folder" "moto[server]==$moto" boto3 >"$work/pip.log" 2>&1; then
    echo "Moto $moto cannot be fetched; install python3 with pip, or set OFFCUT_TEST_BUCKET"
    tail -n 5 "$work/pip.log"
    rm -rf "$folder"
    exit 1
  fi
  PYTHONPATH=$folder python3 - "$work/port" 2>"$work/server.log" <<'END' &
import sys, os
from werkzeug.serving import make_server
from moto.server import DomainDispatcherApplication, create_backend_app
import boto3
server = make_server('127.0.0.1', 0, DomainDispatcherApplication(create_backend_app), threaded=True)
with open(sys.argv[1] + '.new', 'w') as file:
    file.write(str(server.server_port))
os.rename(sys.argv[1] + '.new', sys.argv[1])
server.serve_forever()
END
  server=$!
  turns=150
  until [ -s "$work/port" ]; do
    turns=$((turns - 1))
    if [ "$turns" -eq 0 ]; then
      echo "Moto does not start:"
      tail -n 5 "$work/server.log"
      exit 1
    fi
    sleep 0.2
  done
  AWS_ENDPOINT_URL=http://127.0.0.1:$(cat "$work/port")
  AWS_ACCESS_KEY_ID=OFFCUTKEY AWS_SECRET_ACCESS_KEY=offcutsecret AWS_REGION=us-east-1
  export AWS_ENDPOINT_URL AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION
  PYTHONPATH=$folder AWS_DEFAULT_REGION=us-east-1 python3 -c "import boto3; boto3.client('s3').create_bucket(Bucket='offcut-test')"
  HOME=$work
  export HOME
  bucket=s3://offcut-test/team/fleets
}
bucket=${OFFCUT_TEST_BUCKET-}
[ -n "$bucket" ] || start_server
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

java_with() {
  "$jdk/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
    "-Doffcut.fleet.spark=$root/java/diagnosis/fleet-spark/target/offcut-fleet-spark-submitted.jar" \
    -cp "$root/java/diagnosis/command/target/offcut-command.jar:$root/java/diagnosis/fleet/target/offcut-fleet.jar:$root/java/diagnosis/fleet/target/lib/*:$root/java/diagnosis/fleet/target/test-classes" "$@"
}
# fleet WORD...: with what it printed in out and err, and its status.
fleet() {
  java_with dev.offcut.command.Main fleet "$@" >"$work/out" 2>"$work/err"
  status=$?
  cat "$work/out" "$work/err" >>"$work/all"
}
labels='--service orders --version 1.4.2 --host h1'
# add_to FLEET [OPTIONS...]
add_to() {
  to=$1
  shift
  # shellcheck disable=SC2086 # words
  fleet add "$work/runs" --to "$to" $labels "$@"
}

truth=$(java_with dev.offcut.fleet.GivenRuns "$work/runs" "$runs" "$seconds") || exit 1
echo "$runs runs; seed and sums: $truth"
truth=${truth#* }
sums="SELECT cast(sum(opened) AS bigint) AS opened, cast(sum(closed) AS bigint) AS closed, cast(sum(collected) AS bigint) AS collected, cast(sum(lost) AS bigint) AS lost, cast(sum(lost_bytes) AS bigint) AS lost_bytes FROM windows"
has_all() {
  fleet sql "$1" "$sums" --json
  out_says "$truth"
}
one=$bucket/one-$$

add_to "$work/alone"
check "a folder, to compare with: status" ends 0

fleet report "$one"
check "no fleet yet: status" ends 5
check "no fleet yet: one sentence" err_says "offcut: $one is no fleet: it has no fleet.json; \`offcut fleet add\` makes fleets"
add_to "$one"
check "added: status" ends 0
check "added: says so" err_says "offcut: added $runs sources to $one"
check "added: the sums of the runs" has_all "$one"
add_to "$one"
check "added twice: counts once" err_says "offcut: added 0 sources to $one; $runs were there already"
check "added twice: the sums of the runs" has_all "$one"

# same WORD OPTIONS...: as in the folder.
same() {
  word=$1
  shift
  fleet "$word" "$work/alone" "$@"
  cp "$work/out" "$work/folder"
  fleet "$word" "$one" "$@"
  check "$word $*: status" ends 0
  check "$word $*: as in a folder" cmp -s "$work/folder" "$work/out"
}
same report --json
same report
same sql "SELECT name, count(*) AS windows, max(peak) AS peak FROM windows GROUP BY name ORDER BY name"

fleet compact "$one"
check "compacted: status" ends 0
check "compacted: says so" err_says " now"
check "compacted: the sums of the runs" has_all "$one"
same report --json
add_to "$one"
check "added once more: counts once" err_says "offcut: added 0 sources to $one; $runs were there already"

# Another version, on another host.
for to in "$work/alone" "$one"; do
  fleet add "$work/runs/run-0.offcut" --to "$to" --service orders --version 1.4.1 --host h2
  check "another version: status" ends 0
done
same diff --versions 1.4.1,1.4.2 --json

# Two add the same, while a third compacts.
many=$bucket/many-$$
# aside NUMBER WORD...: in a process of its own.
aside() {
  number=$1
  shift
  java_with dev.offcut.command.Main fleet "$@" >"$work/aside-$number" 2>&1
  echo $? >"$work/aside-$number.status"
}
# shellcheck disable=SC2086
{
  aside 1 add "$work/runs" --to "$many" $labels &
  first=$!
  aside 2 add "$work/runs" --to "$many" $labels &
  second=$!
}
while kill -0 "$first" 2>/dev/null || kill -0 "$second" 2>/dev/null; do
  aside 3 compact "$many"
done
wait "$first" "$second"
check "two add at once: both end well" [ "$(cat "$work/aside-1.status" "$work/aside-2.status" | tr -d '\n')" = 00 ]
cat "$work"/aside-? >>"$work/all"
check "two add at once, one compacts: the sums of the runs" has_all "$many"
fleet compact "$many"
check "and compacted: status" ends 0
check "and compacted: the sums of the runs" has_all "$many"

# Killed while it adds, each time somewhat later; each next one goes on.
killed=$bucket/killed-$$
turn=0
while [ "$turn" -lt 4 ]; do
  turn=$((turn + 1))
  # shellcheck disable=SC2086
  "$jdk/bin/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
    -cp "$root/java/diagnosis/command/target/offcut-command.jar:$root/java/diagnosis/fleet/target/offcut-fleet.jar:$root/java/diagnosis/fleet/target/lib/*" \
    dev.offcut.command.Main fleet add "$work/runs" --to "$killed" $labels >"$work/adding" 2>&1 &
  adding=$!
  waits=0
  until grep -q ' of .* sources' "$work/adding" || ! kill -0 "$adding" 2>/dev/null || [ "$waits" -gt 300 ]; do
    waits=$((waits + 1))
    sleep 0.05
  done
  kill -9 "$adding" 2>/dev/null
  wait "$adding" 2>/dev/null
  cat "$work/adding" >>"$work/all"
  fleet sql "$killed" "SELECT count(*) AS processes FROM processes"
  check "killed, turn $turn: can be read" ends 0
  [ "$turn" -gt 1 ] || some=$(tail -n 1 "$work/out")
done
check "killed: in the middle ($some of $runs runs were there)" at_most "$some" $((runs - 1))
fleet compact "$killed"
check "killed, then compacted: status" ends 0
add_to "$killed"
check "killed, then added: status" ends 0
check "killed, then added: the sums of the runs" has_all "$killed"

# A copy that a full disk or a hand has cut is fetched again.
find "$XDG_CACHE_HOME/offcut" -name '*.parquet' >"$work/copies"
while read -r copy; do : >"$copy"; done <"$work/copies"
check "copies are there" [ -s "$work/copies" ]
same report --json --top 7

fleet drop "$many" --older-than 1d
check "dropped: says so" err_says "offcut: dropped "
fleet sql "$many" "SELECT count(*) AS processes FROM processes" --json
left=$(cat "$work/out")
fleet drop "$work/alone" --older-than 1d
fleet sql "$work/alone" "SELECT count(*) AS processes FROM processes" --json
check "dropped: as in a folder" out_says "$left"

if [ -n "${SPARK_HOME-}" ] && [ -n "${S3A_JARS-}" ]; then
  export JAVA_HOME="$jdk" SPARK_LOCAL_IP=127.0.0.1
  mkdir -p "$work/conf"
  SPARK_CONF_DIR=$work/conf
  export SPARK_CONF_DIR
  cat >"$work/conf/spark-defaults.conf" <<END
spark.ui.enabled false
spark.jars $S3A_JARS
END
  [ -z "${AWS_ENDPOINT_URL-}" ] || cat >>"$work/conf/spark-defaults.conf" <<END
spark.hadoop.fs.s3a.endpoint $AWS_ENDPOINT_URL
spark.hadoop.fs.s3a.path.style.access true
spark.hadoop.fs.s3a.endpoint.region us-east-1
END
  # Moto answers what s3a puts with "100 Continue" alone.
  if [ -z "$server" ]; then
    spark=$bucket/spark-$$
    add_to "$spark" --engine 'local[2]'
    check "Spark adds: status" ends 0
    check "Spark adds: the sums of the runs" has_all "$spark"
    add_to "$spark" --engine 'local[2]'
    check "Spark adds twice: counts once" err_says "offcut: added 0 sources to $spark; $runs were there already"
  fi
  fleet report "$one" --json
  cp "$work/out" "$work/duckdb"
  fleet report "$one" --json --engine 'local[2]'
  check "Spark reports: the same" cmp -s "$work/duckdb" "$work/out"
fi

# What is wrong is one sentence.
one_sentence() { [ "$(wc -l <"$work/err")" -eq 1 ] && err_says "$1"; }
fleet report s3://offcut-no-such-bucket-4711/fleet
check "no such bucket: status" ends 5
check "no such bucket: one sentence" one_sentence "offcut: there is no bucket offcut-no-such-bucket-4711 for these credentials"
fleet report gs://bucket/fleet
check "another store: one sentence" one_sentence "offcut: gs://bucket/fleet is neither a folder nor s3://BUCKET/PATH"
(AWS_ENDPOINT_URL=http://127.0.0.1:1 fleet report "$one"; echo "$status" >"$work/status")
status=$(cat "$work/status")
check "no server: status" ends 4
check "no server: one sentence" one_sentence "offcut: cannot read $one: Connection refused"
(unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_PROFILE; export AWS_EC2_METADATA_DISABLED=true; HOME=$work fleet report "$one"; echo "$status" >"$work/status")
status=$(cat "$work/status")
check "no credentials: status" ends 1
check "no credentials: one sentence" one_sentence "offcut: cannot read $one: no credentials were found; set AWS_PROFILE"

secrets() {
  grep -r -l -F -e "${AWS_SECRET_ACCESS_KEY-none of it}" -e "${AWS_ACCESS_KEY_ID-none of it}" "$work/cache" "$work/all" /tmp/offcut-* 2>/dev/null
}
check "credentials are in no copy, and nothing that was printed" [ -z "$(secrets)" ]
conclude
