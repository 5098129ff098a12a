#!/bin/sh
# Installs the package into an empty root, uses it from an empty folder, removes it:
#   packaging/debian/try.sh FILE.deb
# The system does not change: dpkg works in another root, with a copy of the list of
# installed packages, so that Depends is checked.  Needs root, as dpkg does.
set -eu
deb=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
use=$(realpath "$here/../../tests/consume")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
usr=$root/usr
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$work/empty"
cp /var/lib/dpkg/status "$root/var/lib/dpkg/"
cp /var/lib/dpkg/info/format "$root/var/lib/dpkg/info/"
cp -r /var/lib/dpkg/info/*.list "$root/var/lib/dpkg/info/"
# The package's scripts call ldconfig and nothing else; this one only records the call.
mkdir "$work/bin"
printf '#!/bin/sh\necho called >> %s/ldconfig\n' "$work" > "$work/bin/ldconfig"
chmod +x "$work/bin/ldconfig"
in_root() {
  PATH="$work/bin:$PATH" dpkg --root="$root" --no-triggers --force-script-chrootless \
    --log="$work/log" "$@" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
}
cd "$work/empty"

echo "== dpkg -i"
dpkg-deb -f "$deb" Package Version Architecture Depends Installed-Size
in_root -i "$deb"
dpkg --root="$root" -s bloomery | grep -x 'Status: install ok installed'
[ -s "$work/ldconfig" ]
case $(dpkg-deb -f "$deb" Depends) in
  *libc6*libstdc++6*) ;;
  *) echo "Depends names no libraries"; exit 1 ;;
esac
grep -q Apache-2.0 "$usr/share/doc/bloomery/copyright"

echo "== the tool, its manual page and completions"
seq 1000 > keys
"$usr/bin/bloomery" build keys -o keys.bloom
[ "$("$usr/bin/bloomery" query keys.bloom 42 no-such-key)" = 42 ]
zcat "$usr/share/man/man1/bloomery.1.gz" > page
man --warnings -l page > text 2> warnings
grep -q '^NAME' text
if [ -s warnings ]; then
  cat warnings
  exit 1
fi
bash -c ". $usr/share/bash-completion/completions/bloomery && complete -p bloomery" >/dev/null
[ -s "$usr/share/zsh/site-functions/_bloomery" ]
[ -s "$usr/share/fish/vendor_completions.d/bloomery.fish" ]

echo "== pkg-config"
lib=$(dirname "$(find "$usr/lib" -name libbloomery.so)")
export PKG_CONFIG_PATH="$lib/pkgconfig" LD_LIBRARY_PATH="$lib"
# shellcheck disable=SC2046  # flags are words
g++ -std=c++20 "$use/use.cpp" $(pkg-config --cflags --libs bloomery) -o by_pkg_config
ldd by_pkg_config | grep -q "$lib/libbloomery.so"
./by_pkg_config

echo "== find_package"
cat > CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(bloomery REQUIRED)
add_executable(by_find_package $use/use.cpp)
target_link_libraries(by_find_package PRIVATE bloomery::bloomery)
END
cmake -B build -DCMAKE_PREFIX_PATH="$usr" --log-level=WARNING
cmake --build build >/dev/null
./build/by_find_package

echo "== dpkg -r"
in_root -r bloomery
left=$(find "$root" -name '*bloom*' ! -path '*/var/lib/dpkg/*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
echo "debian: installed, used and removed"
