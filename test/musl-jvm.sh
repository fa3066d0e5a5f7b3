#!/bin/sh
# Builds a JVM for the C library musl from Debian's sources of OpenJDK 17, for `test/account-matrix.sh`: no package registry has one.
# It needs Debian, root for `apt-get install` if something is missing, 3 GB, and half an hour.
#
# test/musl-jvm.sh FOLDER      the JVM is FOLDER/jvm; sources and objects lie beside it, and can be deleted
#
# The compiler is zig, from PyPI, since Debian has no C++ library for musl. It is HotSpot's client JVM, without optimization, with the
# Serial, Parallel and G1 collectors. Its classes are those of Debian's package of the same version.
set -eu
unset CDPATH JAVA_HOME

if [ $# -ne 1 ]; then
  echo "usage: test/musl-jvm.sh FOLDER"
  exit 2
fi
mkdir -p "$1"
work=$(cd "$1" && pwd -P)
boot=${OFFCUT_JAVA17_HOME:-/usr/lib/jvm/java-17-openjdk-amd64}
zig_version=0.13.0
target=x86_64-linux-musl

if [ ! -x "$boot/bin/javac" ]; then
  echo "OpenJDK 17 is built with a JDK 17, and $boot is none. Install one, or set OFFCUT_JAVA17_HOME."
  exit 1
fi
missing=''
for pair in musl-gcc:musl-tools autoconf:autoconf make:make zip:zip unzip:unzip file:file pip:python3-pip; do
  command -v "${pair%%:*}" >/dev/null || missing="$missing ${pair##*:}"
done
# shellcheck disable=SC2086 # words of their own
[ -z "$missing" ] || apt-get install -y -q $missing

# The sources, by lists of our own: those of the machine stay as they are.
mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/src" "$work/deb"
codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
{
  echo "deb http://deb.debian.org/debian $codename main"
  echo "deb-src http://deb.debian.org/debian $codename main"
} >"$work/apt/sources.list"
apt() {
  apt-get -q -o Dir::Etc::sourcelist="$work/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State::lists="$work/apt/lists" -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User=root "$@"
}
apt update
cd "$work/src"
apt source --download-only openjdk-17 zlib
version=$(sed -n 's/^Version: //p' openjdk-17_*.dsc | head -n 1)
for archive in openjdk-17_*.orig.tar.* zlib_*.orig.tar.*; do
  tar xf "$archive"
done
cd "$work/deb"
apt download "openjdk-17-jre-headless=$version"
dpkg -x openjdk-17-jre-headless_*.deb .
classes=$work/deb/usr/lib/jvm/java-17-openjdk-amd64
source=$(echo "$work"/src/openjdk-17-*/)
source=${source%/}

# Debian takes zlib out of the sources of OpenJDK.
zlib=$source/src/java.base/share/native/libzip/zlib
mkdir -p "$zlib"
for file in "$work"/src/zlib-*/*.[ch]; do
  name=$(basename "$file")
  case $name in
    adler32.c | crc32.c) cp "$file" "$zlib/z$name" ;;
    *) cp "$file" "$zlib/$name" ;;
  esac
done

# The compiler. What is compiled goes to clang itself, which knows precompiled headers; zig links.
[ -x "$work/zig/ziglang/zig" ] || pip install -q --target "$work/zig" "ziglang==$zig_version"
mkdir -p "$work/bin" "$work/empty/cups" "$work/empty/fontconfig" "$work/empty/alsa"
for header in cups/cups.h cups/ppd.h fontconfig/fontconfig.h alsa/asoundlib.h; do
  echo >"$work/empty/$header" # configure asks for them; what includes them is not built
done
zig=$work/zig/ziglang/zig
lib=$work/zig/ziglang/lib
includes=''
for folder in libcxx/include libcxxabi/include libunwind/include include libc/include/$target libc/include/generic-musl \
  libc/include/x86-linux-any libc/include/any-linux-any; do
  includes="$includes -isystem $lib/$folder"
done
macros='-D_GNU_SOURCE -D_LIBCPP_HAS_MUSL_LIBC -D_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS -D_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS'
macros="$macros -D_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS -D_LIBCPP_PSTL_CPU_BACKEND_SERIAL -D_LIBCPP_ABI_VERSION=1"
macros="$macros -D_LIBCPP_ABI_NAMESPACE=__1 -D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE"
cat >"$work/bin/cxx" <<END
#!/bin/sh
for word in "\$@"; do
  [ "\$word" != -c ] || exec $zig clang -target $target -nostdinc $macros $includes -w "\$@"
done
exec $zig c++ -target $target -mcpu=x86_64 -fno-sanitize=undefined -Wl,--undefined-version "\$@"
END
cat >"$work/bin/cc" <<END
#!/bin/sh
case "\$*" in
  *c++-header*) exec $work/bin/cxx "\$@" ;;
  *-shared*) exec $zig cc -target $target -mcpu=x86_64 -fno-sanitize=undefined -Wl,--undefined-version "\$@" ;;
esac
exec $zig cc -target $target -mcpu=x86_64 -fno-sanitize=undefined "\$@"
END
printf '#!/bin/sh\nexec %s ar "$@"\n' "$zig" >"$work/bin/ar"
chmod +x "$work"/bin/*

cd "$source"
system=x86_64-unknown-linux-musl
empty=$work/empty
bash configure --build=$system --host=$system --target=$system --with-conf-name=musl --with-boot-jdk="$boot" \
  --with-toolchain-type=clang CC="$work/bin/cc" CXX="$work/bin/cxx" AR="$work/bin/ar" --enable-headless-only \
  --with-cups-include="$empty" --with-fontconfig-include="$empty" --with-alsa-include="$empty" --with-alsa-lib="$empty" \
  --with-zlib=bundled --with-libjpeg=bundled --with-giflib=bundled --with-libpng=bundled --with-lcms=bundled \
  --with-harfbuzz=bundled --with-freetype=bundled --with-jvm-variants=client \
  --with-jvm-features=-jfr,-dtrace,-vm-structs,-epsilongc,-zgc,-shenandoahgc --with-native-debug-symbols=none \
  --disable-warnings-as-errors --with-version-string="${version%%-*}"
# Compiled in a third of the time.
sed -i -E 's/^(CX?X?_O_FLAG_(HIGHEST_JVM|HIGHEST|HI|NORM)):=.*/\1:=-O1/' build/musl/spec.gmk
make CONF=musl hotspot java.base-libs java.base-launchers java.management-libs jdk.management-libs java.instrument-libs \
  jdk.net-libs java.rmi-libs

jvm=$work/jvm
built=$source/build/musl/support
rm -rf "$jvm"
mkdir -p "$jvm/bin" "$jvm/lib"
cp "$classes/lib/modules" "$classes/lib/tzdb.dat" "$classes/lib/classlist" "$jvm/lib"
cp "$classes/release" "$jvm"
cp -RL "$boot/conf" "$jvm" # in Debian's package these are links to /etc
for module in "$built"/modules_libs/*; do
  cp -R "$module"/. "$jvm/lib"
done
printf -- '-client KNOWN\n-server ALIASED_TO -client\n' >"$jvm/lib/jvm.cfg"
# zig links programs statically, and such a program cannot load the JVM.
# shellcheck disable=SC2016 # for the loader
musl-gcc -o "$jvm/bin/java" "$built/native/java.base/java/main.o" -L"$jvm/lib" -ljli -Wl,-rpath,'$ORIGIN/../lib'
"$jvm/bin/java" -Xshare:dump >/dev/null
"$jvm/bin/java" -version
echo "OFFCUT_MUSL_JAVA_HOME=$jvm"
