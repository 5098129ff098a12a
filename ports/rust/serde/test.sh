#!/bin/sh
# The tests of this package, offline if its dependencies are on the machine, otherwise after fetching them once. Ends with 77,
# "skipped", where they are not and cannot be fetched; with --in-full-tests also unless BLOOMERY_TEST_FULL=1.
set -e
if [ "$1" = --in-full-tests ] && [ "$BLOOMERY_TEST_FULL" != 1 ]; then
  echo "skipped: serde takes 15 s to compile; BLOOMERY_TEST_FULL=1 runs it"
  exit 77
fi
cd "$(dirname "$0")"
if ! cargo fetch --quiet --offline 2>/dev/null &&
  ! CARGO_NET_RETRY=1 timeout 120 cargo fetch --quiet; then
  echo "skipped: serde is not on this machine and could not be fetched"
  exit 77
fi
exec cargo test --offline
