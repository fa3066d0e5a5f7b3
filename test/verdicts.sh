#!/bin/sh
# The table of verdicts: what `offcut run` says first of programs whose problem is known, on this JDK and on 17 if it is found.
#
# test/verdicts.sh [HOME_OF_JDK_17]
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
log=$root/java/target/offcut-verdicts.log
table=$root/java/diagnosis/command/target/verdicts.txt
mkdir -p "$root/java/target"
rm -f "$table"
cd "$root/java" || exit 1
./mvnw -q -B -ntp -pl diagnosis/agent,diagnosis/command -am -Dskip.checks -Dstress.long=true "-Doffcut.jvms=${1-}" -Dtest=VerdictsTest \
  -Dsurefire.failIfNoSpecifiedTests=false package >"$log" 2>&1
status=$?
if [ ! -e "$table" ]; then
  tail -n 40 "$log"
  exit 1
fi
cat "$table"
awk '$4 == "right" { right++ } END { printf "%d of %d are right\n", right, NR }' "$table"
exit "$status"
