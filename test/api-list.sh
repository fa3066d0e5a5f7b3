#!/bin/sh
# What the libraries export: each public and protected member of each exported package, one a line, as javap prints it. spec/api.txt is
# this list; `sh test/install.sh JDK` compares them.
#
# test/api-list.sh JDK JAR...
set -eu
unset CDPATH

jdk=$1
shift
for jar; do
  jar=$(cd "$(dirname "$jar")" && pwd)/$(basename "$jar")
  packages=$("$jdk/bin/jar" --describe-module --file "$jar" | sed -n 's/^exports \([^ ]*\).*/\1/p' | tr . / | sort)
  # One without a descriptor exports all that it has.
  [ -n "$packages" ] || packages=$("$jdk/bin/jar" -tf "$jar" | sed -n 's:/[^/]*\.class$::p' | sort -u)
  for package in $packages; do
    types=$("$jdk/bin/jar" -tf "$jar" | grep -E "^$package/[^/]*\.class\$" | grep -v -E 'package-info|\$[0-9]' | sort)
    # shellcheck disable=SC2086 # each a word
    "$jdk/bin/javap" -protected -cp "$jar" $(echo "$types" | sed 's/\.class$//') |
      awk '/^Compiled from/ { next }
        /^(public|protected) / { shown = 1 }
        /^[^ }]/ && !/^(public|protected) / { shown = 0 }
        shown'
  done
done
