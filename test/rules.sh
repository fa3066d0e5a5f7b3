#!/bin/sh
# Tries the built-in rules for closeables with the real libraries: each release that spec/closeables.json says they were tried
# with, on this JDK and on 17 if it is found. It takes minutes and fetches 400 MiB, so `./offcut test` leaves it out.
#
# test/rules.sh [LIBRARY …]      as in spec/closeables.json: test/rules.sh RocksDB "the JDK"
#
# A program of test/rules opens objects and closes some of them. Its comments say of each class what has to be counted;
# `ended` is what was lost or collected, where that differs from one release to the next; A|B is the class A or B. The table goes to stdout.
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
# resolve FILE: what find_jdk asks for.
resolve() {
  readlink -f "$1"
}
. "$root/launcher/toolchains.sh"
offcut=${OFFCUT:-$root/offcut}
jdk=${OFFCUT_JAVA_HOME:-$(find_jdk 25 999)}
jdk17=${OFFCUT_JAVA17_HOME:-$(find_jdk 17 17)}
work=$root/java/target/rules
failures=0
tried=0
mkdir -p "$work"

# comment NAME FILE: what stands behind it in the comments of a program.
comment() {
  sed -n "s:^// $1\: ::p" "$2"
}

# coordinates LIBRARY: group:artifact:version, one a line.
coordinates() {
  sed -n "s/^ *\"$1\": \[\(.*\)\],*\$/\1/p" "$root/spec/closeables.json" | tr -d '" ' | tr ',' '\n'
}

# dependency GROUP:ARTIFACT:VERSION [CLASSIFIER]: as a pom has it.
dependency() {
  echo "$1" | {
    IFS=: read -r group artifact version
    echo "<dependency><groupId>$group</groupId><artifactId>$artifact</artifactId><version>$version</version>"
    [ -z "${2-}" ] || echo "<classifier>$2</classifier>"
    echo "</dependency>"
  }
}

# fetch FOLDER FILE COORDINATES: the jars of a release, and what the program needs besides.
fetch() {
  [ ! -e "$1/fetched" ] || return 0
  rm -rf "$1"
  mkdir -p "$1"
  {
    echo '<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version><dependencies>'
    dependency "$3"
    classifier=$(comment classifier "$2")
    [ -z "$classifier" ] || dependency "$3" "$classifier"
    for one in $(comment with "$2"); do
      dependency "$one"
    done
    echo '</dependencies></project>'
  } >"$1/pom.xml"
  "$root/java/mvnw" -q -B -ntp -f "$1/pom.xml" dependency:copy-dependencies "-DoutputDirectory=$1/jars" >"$1/mvn.log" 2>&1 || return 1
  touch "$1/fetched"
}

# counted FILE CLASS: its figures in what `offcut rules test` printed, as opened=1 closed=1 …
counted() {
  awk -v class="$2" '
    /^  [^ ]/ { on = index("|" class "|", "|" $1 "|"); next }
    on && /^      / { text = text " " $0 }
    END {
      gsub(/ +/, " ", text)
      if (match(text, /opened [0-9,]+, closed [0-9,]+, freed by the collector [0-9,]+, lost [0-9,]+/)) {
        text = substr(text, RSTART, RLENGTH)
        gsub(/freed by the collector/, "collected", text)
        n = split(text, part, ", ")
        for (i = 1; i <= n; i++) { split(part[i], word, " "); gsub(/,/, "", word[2]); value[word[1]] = word[2] }
        print "opened=" value["opened"], "closed=" value["closed"], "collected=" value["collected"], "lost=" value["lost"],
          "ended=" value["collected"] + value["lost"]
      }
    }' "$1"
}

# agrees "opened=20 lost>=1" "opened=20 closed=12 …": prints what differs.
agrees() {
  for wanted in $1; do
    name=${wanted%%[>=]*}
    value=${wanted##*=}
    is=$(echo "$2" | tr ' ' '\n' | sed -n "s/^$name=//p")
    case $wanted in
      *'>='*) [ "${is:-0}" -ge "$value" ] || echo "$wanted, not ${is:-0}" ;;
      *) [ "${is:-0}" -eq "$value" ] || echo "$wanted, not ${is:-0}" ;;
    esac
  done
}

# try PROGRAM LIBRARY RELEASE FOLDER JAVA_HOME
try() {
  file=$root/test/rules/$1.java
  feature=$(jdk_version "$5")
  out=$4/$1.$feature.out
  native=''
  [ "$feature" -lt 22 ] || native=--enable-native-access=ALL-UNNAMED
  # Words of the comment are options.
  # shellcheck disable=SC2046
  (cd "$4" && "$offcut" rules test -- "$5/bin/java" $native -XX:+UseSerialGC $(comment jvm "$file") -cp "$4/classes:$4/jars/*" "$1") \
    >"$out" 2>"$out.err"
  status=$?
  wrong=$(comment counts "$file" | while read -r class figures; do
    is=$(counted "$out" "$class")
    agrees "$figures" "$is" | sed "s/^/$class /"
  done)
  tried=$((tried + 1))
  classes=$(sed -n '/^Counted/,$p' "$out" | grep -c "^  [^ ].*($2)")
  missing=$(sed -n '/^Not counted/,/^Counted/p' "$out" | grep -c '^  [^ ]')
  if [ -z "$wrong" ] && [ "$status" -eq 0 ]; then
    result=right
  else
    result="WRONG (status $status, $out)"
    failures=$((failures + 1))
  fi
  printf '%-13s  %-44s  %3s  %7s  %11s  %s\n' "$2" "$3" "$feature" "$classes" "$missing" "$result"
  [ -z "$wrong" ] || echo "$wrong" | sed 's/^/    /'
}

# with_jdks PROGRAM LIBRARY RELEASE FOLDER
with_jdks() {
  mkdir -p "$4/classes"
  if ! "$jdk/bin/javac" --release 17 -d "$4/classes" -cp "$4/jars/*" "$root/test/rules/$1.java" >"$4/javac.log" 2>&1; then
    echo "$2 $3: the program does not compile ($4/javac.log)"
    failures=$((failures + 1))
    return
  fi
  for home in "$jdk17" "$jdk"; do
    [ -z "$home" ] || try "$1" "$2" "$3" "$4" "$home"
  done
}

printf '%-13s  %-44s  %3s  %7s  %11s  %s\n' library release JDK classes 'not counted' counts
for file in "$root"/test/rules/*.java; do
  program=$(basename "$file" .java)
  library=$(comment library "$file")
  if [ $# -gt 0 ]; then
    wanted=false
    for one in "$@"; do
      [ "$one" != "$library" ] || wanted=true
    done
    "$wanted" || continue
  fi
  if [ "$library" = "the JDK" ]; then
    with_jdks "$program" "$library" "" "$work/$program"
    continue
  fi
  for release in $(coordinates "$library"); do
    folder=$work/$program-${release##*:}
    if fetch "$folder" "$file" "$release"; then
      with_jdks "$program" "$library" "$release" "$folder"
    else
      echo "$library $release: cannot be fetched ($folder/mvn.log)"
      failures=$((failures + 1))
    fi
  done
done
echo "$tried runs, $failures wrong"
[ "$failures" -eq 0 ]
