#!/bin/sh
# `./offcut install` and the build of the sample, against a local repository that was empty: what it holds is what was installed.
# Other libraries and Maven's plugins come from the repository that this build uses, where they are there.
#
# test/install.sh JDK
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
jdk=$1
work=$(mktemp -d)
. "$root/test/checks.sh"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

repository=$work/repository
cat >"$work/settings.xml" <<END
<settings>
  <profiles>
    <profile>
      <id>here</id>
      <repositories>
        <repository><id>here</id><url>file://$HOME/.m2/repository</url><snapshots><enabled>false</enabled></snapshots></repository>
      </repositories>
      <pluginRepositories>
        <pluginRepository><id>here</id><url>file://$HOME/.m2/repository</url></pluginRepository>
      </pluginRepositories>
    </profile>
  </profiles>
  <activeProfiles><activeProfile>here</activeProfile></activeProfiles>
</settings>
END

mvn=$(command -v mvn) || mvn=$root/java/mvnw
version=$(sed -n 's:^ *<version>\(.*\)</version>.*:\1:p' "$root/java/pom.xml" | head -n 1)
cp -R "$root/samples" "$work/samples"
rm -rf "$work/samples/target" "$work/samples/build" "$work/samples/.gradle"

# try COMMAND...: sets status.
try() {
  "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

# A change that is wanted: the list that the test made is the new one.
same_api() {
  diff "$root/spec/api.txt" "$work/api" >"$work/out" || { cp "$work/api" "$root/java/target/api.txt" && echo "# java/target/api.txt is the list now" && false; }
}

try "$root/offcut" install -s "$work/settings.xml" "-Dmaven.repo.local=$repository"
check "install: status" ends 0
check "install: says what there is" out_says "dev.offcut:offcut-handle:$version"
for library in handle longmap objectstream memory netty junit metrics agent retrofit; do
  stem=$repository/dev/offcut/offcut-$library/$version/offcut-$library-$version
  for file in .pom .jar -sources.jar -javadoc.jar; do
    check "offcut-$library$file is there" test -s "$stem$file"
  done
done
try "$jdk/bin/jar" -tf "$repository/dev/offcut/offcut-handle/$version/offcut-handle-$version-sources.jar"
check "sources are sources" out_matches '^dev/offcut/handle/Handle.java$'
try "$jdk/bin/jar" -tf "$repository/dev/offcut/offcut-memory/$version/offcut-memory-$version-javadoc.jar"
check "documentation is of what is exported" out_says /dev/offcut/memory/MemoryPool.html
check "documentation is not of what is not" no out_says /dev/offcut/memory/Leaves.html

jars=''
for library in handle longmap objectstream memory netty junit metrics; do
  jars="$jars $repository/dev/offcut/offcut-$library/$version/offcut-$library-$version.jar"
done
# shellcheck disable=SC2086 # each a word
sh "$root/test/api-list.sh" "$jdk" $jars >"$work/api" 2>"$work/err"
check "what the libraries export is in spec/api.txt, and nothing else" same_api

offcut=$repository/dev/offcut
libraries=$offcut/offcut-handle/$version/offcut-handle-$version.jar:$offcut/offcut-memory/$version/offcut-memory-$version.jar
try env JAVA_HOME="$jdk" "$mvn" -B -ntp -q -s "$work/settings.xml" "-Dmaven.repo.local=$repository" -f "$work/samples/pom.xml" test
check "Maven builds and tests the sample" ends 0
check "a test with @NoNativeLeaks ran" grep -q 'Tests run: 1, Failures: 0, Errors: 0' "$work"/samples/target/surefire-reports/*ZlibTest.txt
sed 's/try (Zlib.Stream stream = new Zlib.Stream()) {/{ Zlib.Stream stream = new Zlib.Stream();/' \
  "$root/samples/src/test/java/org/example/ZlibTest.java" >"$work/samples/src/test/java/org/example/ZlibTest.java"
try env JAVA_HOME="$jdk" "$mvn" -B -ntp -q -s "$work/settings.xml" "-Dmaven.repo.local=$repository" -f "$work/samples/pom.xml" test
check "a test that leaks fails" no ends 0
check "it says the line" out_says 'z_stream opened at org.example.ZlibTest.compressedBytes_areTheSameAgain(ZlibTest.java:'
sed 's/inflater.end();//' "$root/samples/src/test/java/org/example/ZlibTest.java" >"$work/samples/src/test/java/org/example/ZlibTest.java"
try env JAVA_HOME="$jdk" "$mvn" -B -ntp -q -s "$work/settings.xml" "-Dmaven.repo.local=$repository" -f "$work/samples/pom.xml" test
check "a test that leaks what the agent sees fails" no ends 0
check "it says the line and the kind" out_says 'java.util.zip.Inflater opened at org.example.ZlibTest.compressedBytes_areTheSameAgain(ZlibTest.java:'
try "$jdk/bin/java" --illegal-native-access=deny --enable-native-access=dev.offcut.memory,org.example \
  -p "$work/samples/target/classes:$libraries" -m org.example/org.example.Main
check "the sample runs as a module" out_says 'one block and one arena, opened and closed'
try "$jdk/bin/java" --illegal-native-access=deny --enable-native-access=ALL-UNNAMED \
  -cp "$work/samples/target/classes:$libraries" org.example.Main
check "the sample runs on the class path" out_says 'one block and one arena, opened and closed'

check "the sample's zlib compresses, and nothing stays open" out_says 'zlib: 10000 bytes to 33 and back: true; open handles: 0'

# The page shows the sample's code: each of its lines stands there, whatever it is indented by.
sed 's/^ *//' "$root/samples/src/main/java/org/example/Zlib.java" >"$work/sample"
awk '/^<!-- the code of samples/ { shown = 1 } /^```$/ { code = 0; shown = 0 } code { sub(/^ +/, ""); print } shown && /^```java$/ { code = 1 }' \
  "$root/docs/user/handle.md" >"$work/shown"
check "docs/user/handle.md shows code of the sample" test "$(grep -c . "$work/shown")" -gt 30
check "the page's code is the sample's" no grep -vxF -f "$work/sample" "$work/shown"

# Gradle 9.1 is the first that runs on a JDK 25. No registry that Maven uses has it, so it is not fetched.
gradle=$(gradle --version 2>/dev/null | sed -n 's/^Gradle \([0-9.]*\).*/\1/p')
case $gradle in
  [1-8].* | 9.0* | '') echo "left out: the sample's build by Gradle; no Gradle 9.1 or newer on the PATH${gradle:+ ($gradle is)}" ;;
  *)
    cp "$root/samples/src/test/java/org/example/ZlibTest.java" "$work/samples/src/test/java/org/example/ZlibTest.java"
    try env JAVA_HOME="$jdk" gradle -q --no-daemon "-Dmaven.repo.local=$repository" \
      -p "$work/samples" test run
    check "Gradle builds, tests and runs the sample" out_says 'one block and one arena, opened and closed'
    ;;
esac

conclude
