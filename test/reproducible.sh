#!/bin/sh
# Two builds of one commit, in two folders with names of other lengths, are the same bytes: the jars of the libraries with their
# sources and documentation, and the archive. The second build is given the first one's lists of classes (dist/build.sh says why).
#
# test/reproducible.sh [COMMIT]
set -u
unset CDPATH

root=$(cd "$(dirname "$0")/.." && pwd -P)
commit=$(git -C "$root" rev-parse "${1:-HEAD}") || exit 1
work=$(mktemp -d)
. "$root/test/checks.sh"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

OFFCUT_CLASS_LISTS=''
export OFFCUT_CLASS_LISTS

# build FOLDER: writes the sums of what comes of it into FOLDER.sums.
build() {
  git clone -q "$root" "$1" && git -C "$1" checkout -q "$commit" && mkdir "$1.archive" || return
  "$1/offcut" install -Dmaven.install.skip=true >/dev/null || return
  archive=$("$1/offcut" dist) && tar -xzf "$archive" -C "$1.archive" || return
  (
    cd "$1" && find java -path '*/target/install/*.jar' ! -name 'original-*' -exec sha256sum {} + &&
      cd "$1.archive" && find . -type f -exec sha256sum {} + && sha256sum <"$archive"
  ) | LC_ALL=C sort -k 2 >"$1.sums"
  OFFCUT_CLASS_LISTS=$(echo "$1.archive"/offcut-*/runtime/lib)
}

one=$work/one
two="$work/the-other-folder"
for folder in "$one" "$two"; do
  build "$folder" || {
    echo "not ok - the build in $folder failed"
    exit 1
  }
done

: >"$work/out"
while read -r sum file; do
  check "$file" grep -q -x -F "$sum  $file" "$two.sums"
done <"$one.sums"
check "the same files" [ "$(grep -c '' "$one.sums")" = "$(grep -c '' "$two.sums")" ]
check "there are jars, and files of the archive" [ "$(grep -c '' "$one.sums")" -gt 50 ]
conclude
