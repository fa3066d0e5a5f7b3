#!/bin/sh
# What the libraries export against what they exported at a base: a commit or a tag, the first line of spec/api-base.
# Fails for what breaks a caller, when it runs or when it compiles: japicmp for Java, apidiff for Go.
# A break that is wanted stands in CHANGELOG.md as **[Breaking]**, and moves the base to the commit that made it.
#
# test/api.sh [BASE]
set -u
unset CDPATH

japicmp_version=0.23.1
apidiff_version=v0.0.0-20261014143641-f0251eb4aa3e
root=$(cd "$(dirname "$0")/.." && pwd -P)
base=${1:-$(head -n 1 "$root/spec/api-base")}
git -C "$root" rev-parse -q --verify "$base^{commit}" >/dev/null || {
  echo "test/api.sh: there is no commit $base here; a shallow clone lacks it (git fetch --unshallow)" >&2
  exit 1
}
work=$(mktemp -d)
. "$root/test/checks.sh"

clean_up() {
  git -C "$root" worktree remove --force "$work/base"
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' HUP INT TERM
git -C "$root" worktree add -q --detach "$work/base" "$base" || exit 1

libraries="handle longmap objectstream memory"
jdk=$("$root/offcut" version | sed -n 's/^JDK .*(\(.*\))$/\1/p')
JAVA_HOME=$jdk
export JAVA_HOME
mvn=$(command -v mvn) || mvn=$root/java/mvnw

# jars TREE: builds the libraries of a tree in a folder that nothing else uses.
jars() {
  "$mvn" -q -B -ntp -f "$1/java/pom.xml" -am -pl "$(for library in $libraries; do printf ',:offcut-%s' "$library"; done | cut -c 2-)" -Dbuild.folder=target/api -Dskip.checks \
    -Dmaven.test.skip=true -Dmdep.skip=true package
}
jars "$root" && jars "$work/base" || exit 1
"$mvn" -q -B -ntp -f "$root/java/pom.xml" -N dependency:copy "-DoutputDirectory=$work" \
  "-Dartifact=com.github.siom79.japicmp:japicmp:$japicmp_version:jar:jar-with-dependencies" || exit 1

try() {
  "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

for library in $libraries; do
  old=$(echo "$work"/base/java/*/"$library"/target/api/offcut-"$library"-*.jar)
  new=$(echo "$root"/java/*/"$library"/target/api/offcut-"$library"-*.jar)
  try "$jdk/bin/java" -jar "$work/japicmp-$japicmp_version-jar-with-dependencies.jar" --old "$old" --new "$new" -a protected \
    --only-incompatible --ignore-missing-classes --error-on-binary-incompatibility --error-on-source-incompatibility
  check "java/$library: what it exported at $base is there" ends 0
done

if command -v go >/dev/null; then
  GOBIN=$work go install "golang.org/x/exp/cmd/apidiff@$apidiff_version" || exit 1
  for package in handle longmap memory; do
    (cd "$work/base/go" && "$work/apidiff" -w "$work/$package.api" "offcut.dev/go/$package") || exit 1
    (cd "$root/go" && "$work/apidiff" -incompatible "$work/$package.api" "offcut.dev/go/$package") >"$work/out" 2>"$work/err"
    status=$?
    [ ! -s "$work/out" ] || status=1
    check "go/$package: what it exported at $base is there" ends 0
  done
else
  echo "left out: Go, which is not there"
fi
conclude
