#!/bin/sh
# The tests of an adapter in Rust inside its engine:  rust_test.sh FOLDER RUST_VERSION
# The engine's packages are fetched once, if they are not on the machine.  Ends with 77, "skipped", where they cannot be, or where
# Rust is older than the engine needs.
set -e
cd "$1"
needed=$2
if ! command -v cargo >/dev/null 2>&1; then
  echo "skipped: no cargo; $(basename "$1") needs version $needed or later"
  exit 77
fi
found=$(cargo --version | cut -d ' ' -f 2)
oldest=$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)
if [ "$oldest" != "$needed" ]; then
  echo "skipped: $(basename "$1") needs cargo $needed or later; this is $found"
  exit 77
fi
if ! cargo fetch --quiet --offline 2>/dev/null && ! CARGO_NET_RETRY=1 timeout 120 cargo fetch --quiet; then
  echo "skipped: the packages of $(basename "$1") are not on this machine and could not be fetched"
  exit 77
fi
# Two at a time: the tests of an engine on two cores.
exec cargo test --offline -- --nocapture --test-threads 2
