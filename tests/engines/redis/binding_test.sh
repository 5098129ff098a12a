#!/bin/sh
# The binding of adapters/redis against the header of Debian's redis source package:
#   binding_test.sh WORK COMPILER MODULE
# The header is fetched once, into WORK.  Ends with 77, "skipped", where it cannot be.  Also: what the module exports.
set -e
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
exported=$(nm -D --defined-only "$3" | awk '{ print $3 }')
if [ "$exported" != RedisModule_OnLoad ]; then
  printf 'the module exports other symbols than RedisModule_OnLoad:\n%s\n' "$exported"
  exit 1
fi
header=$work/redismodule.h
if [ ! -s "$header" ]; then
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "skipped: no apt-get to fetch the source package of redis with"
    exit 77
  fi
  state=$work/apt
  mkdir -p "$state/lists/partial"
  # The machine's own package sources, of source packages.
  {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | sed -n 's/^deb /deb-src /p'
    for file in /etc/apt/sources.list.d/*.sources; do
      [ ! -e "$file" ] || awk '/^URIs:/ { u = $2 } /^Suites:/ { $1 = ""; n = split($0, s, " ") }
        /^Components:/ { $1 = ""; for (i = 1; i <= n; ++i) print "deb-src", u, s[i] $0 }' "$file"
    done
  } | grep -i debian >"$state/sources.list" || true
  options="-q -o Dir::Etc::sourcelist=$state/sources.list -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists=$state/lists"
  # shellcheck disable=SC2086  # words
  if ! (cd "$state" && timeout 120 apt-get $options update && timeout 120 apt-get $options source --download-only redis) \
      >"$state/log" 2>&1; then
    echo "skipped: the source package of redis cannot be fetched"
    exit 77
  fi
  archive=$(ls "$state"/redis_*.orig.tar.* | head -n 1)
  tar -xf "$archive" -C "$state" --wildcards '*/src/redismodule.h'
  cp "$state"/redis-*/src/redismodule.h "$header"
fi
"$2" -std=c++20 -fsyntax-only -w -I "$work" -I "$here/../../../adapters/redis/src" "$here/binding_test.cpp"
echo "cases: lines $(grep -c '  X(' "$here/../../../adapters/redis/src/binding.hpp")"
