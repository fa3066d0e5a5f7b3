#!/bin/sh
# The board spec/grafana.json and the rules spec/alerts.yml against a real Prometheus, which reads java/evidence/examples/orders: once the
# service that leaks, under the agent, and once the fixed one; and then a program in Go. Each query of the board about a metric that
# the program has returns a series, the alerts fire for a leak and not for the fixed program, and all metrics are those of
# spec/names.json. Alerts that need hours are tried with series made up.
# It takes two minutes, and needs Prometheus: as root it is installed by apt-get. So `./offcut test` leaves it out.
#
# test/board.sh [PORT]      Prometheus listens on PORT (19090) and its program on the next one
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
port=${1:-19090}
# resolve FILE: what find_jdk asks for.
resolve() {
  readlink -f "$1"
}
. "$root/launcher/toolchains.sh"
jdk=${OFFCUT_JAVA_HOME:-$(find_jdk 25 999)}
work=$(mktemp -d)
. "$root/test/checks.sh"
program=''
prometheus=''

# ended PID: a process of ours, if there is one.
ended() {
  [ -z "$1" ] || { kill "$1" 2>/dev/null; wait "$1" 2>/dev/null; }
}
clean_up() {
  ended "$prometheus"
  ended "$program"
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' HUP INT TERM

if [ -z "$jdk" ]; then
  echo "The program is built with a JDK 25 or newer, and none was found. Install one, or set OFFCUT_JAVA_HOME."
  exit 1
fi
if ! command -v node >/dev/null; then
  echo "no Node.js found; install 18 or newer (Debian, Ubuntu: sudo apt-get install nodejs)"
  exit 1
fi
if ! command -v go >/dev/null; then
  echo "no Go found; install 1.21 or newer (Debian, Ubuntu: sudo apt-get install golang-go)"
  exit 1
fi
if ! command -v prometheus >/dev/null || ! command -v promtool >/dev/null; then
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "no Prometheus found; install it (Debian, Ubuntu: sudo apt-get install prometheus)"
    exit 1
  fi
  echo "installing prometheus" >&2
  if ! { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends prometheus; } \
    >"$work/apt.log" 2>&1; then
    tail -n 20 "$work/apt.log"
    exit 1
  fi
fi

mvn=$(command -v mvn) || mvn=$root/java/mvnw
if ! JAVA_HOME=$jdk "$mvn" -B -ntp -q -f "$root/java/pom.xml" -pl diagnosis/agent,evidence/examples/orders -am -Dskip.checks -DskipTests package \
  >"$work/build.log" 2>&1; then
  tail -n 30 "$work/build.log"
  exit 1
fi
(cd "$root/go/adapters/offcutprom" && go build -o "$work/page" ./testdata/page) || exit 1

# configure PATH: Prometheus reads the program's page of metrics there.
configure() {
  cat >"$work/prometheus.yml" <<END
global:
  scrape_interval: 1s
  evaluation_interval: 1s
rule_files: ["$root/spec/alerts.yml"]
scrape_configs:
  - job_name: sample
    metrics_path: $1
    static_configs:
      - targets: ["127.0.0.1:$((port + 1))"]
END
}

# start leak|fixed|go: the program in its place.
start() {
  case $1 in
    go) exec "$work/page" "$((port + 1))" ;;
    leak) leaks=true ;;
    fixed) leaks=false ;;
  esac
  # A small young generation: what is forgotten is found soon.
  exec "$jdk/bin/java" -Xmx96m -Xmn8m -XX:+UseSerialGC -javaagent:"$root/java/diagnosis/agent/target/offcut-agent.jar=level=count" \
    -jar "$root/java/evidence/examples/orders/target/offcut-example-orders.jar" --leak="$leaks" --server.port="$((port + 1))"
}

# served leak|fixed|go: the program and Prometheus run; then the queries are asked for.
served() {
  page=/actuator/prometheus
  [ "$1" != go ] || page=/metrics
  configure "$page"
  start "$1" >"$work/$1.log" 2>&1 &
  program=$!
  prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/$1.data" --web.listen-address="127.0.0.1:$port" \
    --log.level=warn >"$work/prometheus.log" 2>&1 &
  prometheus=$!
  node "$root/test/board.mjs" "$root" "http://127.0.0.1:$port" "$1" "http://127.0.0.1:$((port + 1))" >"$work/out" 2>"$work/err"
  status=$?
  check "the $1 program is served" kill -0 "$program"
  check "Prometheus is up for it" kill -0 "$prometheus"
  ended "$prometheus"
  ended "$program"
  prometheus='' program=''
}

promtool check rules "$root/spec/alerts.yml" >"$work/out" 2>"$work/err"
status=$?
check "the rules parse" ends 0
sed "s|RULES|$root/spec/alerts.yml|" "$root/test/alerts.yml" >"$work/alerts.yml"
promtool test rules "$work/alerts.yml" >"$work/out" 2>"$work/err"
status=$?
check "the rules fire when they should, and only then" ends 0
for how in leak fixed go; do
  served "$how"
  check "the board and the alerts of the $how program" ends 0
  cat "$work/out"
done
conclude
