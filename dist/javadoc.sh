#!/bin/sh
# Makes the documentation of the libraries as one site, to be served or opened: every exported type, linked across libraries.
# A warning fails it.
#
#   dist/javadoc.sh JDK DIR      writes DIR/index.html, and prints its path
set -eu
unset CDPATH
jdk=$1 to=$2
root=$(cd "$(dirname "$0")/.." && pwd -P)
java=$root/java
version=$(sed -n 's:^ *<version>\(.*\)</version>.*:\1:p' "$java/pom.xml" | head -n 1)
jspecify=$(sed -n 's:^ *<jspecify.version>\(.*\)</jspecify.version>:\1:p' "$java/pom.xml")
mvn=$(command -v mvn) || mvn=$java/mvnw

# What stands in the signatures.
junit=$(sed -n 's:^ *<junit.version>\(.*\)</junit.version>:\1:p' "$java/pom.xml")
micrometer=$(sed -n 's:^ *<micrometer.version>\(.*\)</micrometer.version>:\1:p' "$java/pom.xml")
opentelemetry=$(sed -n 's:^ *<opentelemetry.version>\(.*\)</opentelemetry.version>:\1:p' "$java/pom.xml")
boot=$(sed -n 's:^ *<spring-boot.version>\(.*\)</spring-boot.version>:\1:p' "$java/pom.xml")
spring=$(sed -n 's:^ *<spring6.version>\(.*\)</spring6.version>:\1:p' "$java/pom.xml")
netty=$(sed -n 's:^ *<netty41.version>\(.*\)</netty41.version>:\1:p' "$java/pom.xml")
for artifact in "org.jspecify:jspecify:$jspecify" "io.netty:netty-buffer:$netty" "io.netty:netty-common:$netty" \
  "io.micrometer:micrometer-core:$micrometer" \
  "io.opentelemetry:opentelemetry-api:$opentelemetry" "io.opentelemetry:opentelemetry-context:$opentelemetry" \
  "io.micrometer:micrometer-commons:$micrometer" "io.micrometer:micrometer-observation:$micrometer" \
  "org.springframework.boot:spring-boot:$boot" "org.springframework.boot:spring-boot-autoconfigure:$boot" \
  "org.springframework.boot:spring-boot-actuator:$boot" "org.springframework.boot:spring-boot-actuator-autoconfigure:$boot" \
  "org.springframework:spring-beans:$spring" "org.springframework:spring-context:$spring" \
  "org.springframework:spring-core:$spring" "org.springframework:spring-jcl:$spring" \
  "org.junit.jupiter:junit-jupiter-api:$junit" "org.junit.platform:junit-platform-commons:$junit" "org.opentest4j:opentest4j:1.3.0" \
  "org.apiguardian:apiguardian-api:1.1.2"; do
  env JAVA_HOME="$jdk" "$mvn" -q -B -ntp -N -f "$java/pom.xml" dependency:copy "-Dartifact=$artifact" \
    "-DoutputDirectory=$java/target/signatures" >&2
done
set --
for library in handle memory netty junit metrics longmap objectstream; do
  set -- "$@" --module-source-path "dev.offcut.$library=$(echo "$java"/*/"$library"/src/main/java)" --module "dev.offcut.$library"
done
"$jdk/bin/javadoc" -quiet -public -Xdoclint:all -Werror -notimestamp -encoding UTF-8 -docencoding UTF-8 \
  -doctitle "Offcut $version" -windowtitle "Offcut $version" -bottom "Offcut $version, Apache License 2.0" \
  --module-path "$java/target/signatures" "$@" -d "$to" >&2
echo "$to/index.html"
