#!/bin/sh
# Tables of what @NoNativeLeaks and Netty's detector find in 10,000 tests, and what they cost: those of docs/user/junit.md.
# It needs a build: mvn -f java/pom.xml package -pl :offcut-agent,:offcut-junit -am -Dskip.checks -DskipTests. It takes some minutes; the
# machine should be idle.
#
# java/integrations/junit/table.sh [ROUNDS [netty | CALLS_OF_SIN]...]
set -eu
unset CDPATH

here=$(cd "$(dirname "$0")" && pwd -P)
rounds=${1:-5}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- 1000 30000 150000 netty
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
mvn=$(command -v mvn) || mvn=$here/../../mvnw
path=$here/target/table.path
"$mvn" -B -ntp -q -o -f "$here/../../pom.xml" -pl :offcut-handle,:offcut-junit -Dskip.checks -Dmdep.outputFile="$path" -Dmdep.includeScope=test \
  compile dependency:build-classpath >/dev/null
exec "$java" -cp "$here/target/test-classes:$here/target/classes:$here/../../libraries/handle/target/classes:$(cat "$path")" \
  dev.offcut.junit.Table "$rounds" "$here/../../diagnosis/agent/target/offcut-agent.jar" "$@"
