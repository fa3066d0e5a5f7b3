#!/bin/sh
# Makes docs/report/leaks.png, the picture in README.md: runs a program with two leaks under ./offcut, and takes a picture of the page.
# leaks.txt has the texts of the picture: `sh test/web.sh browser` fails if the page has others.
#
# It needs what ./offcut needs, Node.js and Chromium.
set -eu
unset CDPATH

here=$(cd "$(dirname "$0")" && pwd -P)
root=$(dirname "$(dirname "$here")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

jdk=$("$root/offcut" version | sed -n 's/^JDK .*(\(.*\))$/\1/p')
"$jdk/bin/javac" -g -d "$work" "$here/Thumbnails.java"
cd "$work"
"$root/offcut" run -o report -- "$jdk/bin/java" -Xmx64m -cp . com.example.Thumbnails
cat report.txt
node "$root/web/test/take-picture.mjs" report.html "$here/leaks.png"
