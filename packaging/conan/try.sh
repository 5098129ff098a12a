#!/bin/sh
# Tries the recipe from nothing: a new Conan, an empty cache, no remote.
#
# conan create (static, then shared), each with its test package, then a project in an
# empty folder that consumes the result.  Needs python3 with venv, and PyPI or a copy of it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check 'conan>=2,<3'
PATH=$work/venv/bin:$PATH
export CONAN_HOME="$work/home" CMAKE_BUILD_PARALLEL_LEVEL="${JOBS:-$(nproc)}"
conan profile detect >/dev/null 2>&1
options='--no-remote -s compiler.cppstd=20 -c tools.cmake.cmaketoolchain:generator=Ninja'
version=$(conan inspect "$here" | sed -n 's/^version: //p')

cp -r "$here/test_package" "$work"  # Conan writes beside it
for shared in False True; do
  echo "== conan create, shared=$shared"
  # shellcheck disable=SC2086  # options are words
  conan create "$here" $options -o "&:shared=$shared" -tf "" -vwarning
  # shellcheck disable=SC2086
  conan test "$work/test_package" "bloomery/$version" $options -o "bloomery/*:shared=$shared" -vwarning
  folder=$work/consumer-$shared
  mkdir "$folder"
  cp "$root/tests/consume/use.cpp" "$folder"
  cat > "$folder/conanfile.txt" <<END
[requires]
bloomery/$version
[generators]
CMakeDeps
CMakeToolchain
[layout]
cmake_layout
END
  cat > "$folder/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(bloomery REQUIRED)
add_executable(use use.cpp)
target_link_libraries(use PRIVATE bloomery::bloomery)
END
  echo "== a consumer, shared=$shared"
  (
    cd "$folder"
    # shellcheck disable=SC2086
    conan install . $options -o "bloomery/*:shared=$shared" -vwarning
    cmake --preset conan-release --log-level=WARNING
    cmake --build --preset conan-release
    # shellcheck disable=SC1091
    . build/Release/generators/conanrun.sh
    ./build/Release/use
  )
done
echo "conan: bloomery/$version created and consumed, static and shared"
