#!/bin/sh
# Runs every fuzzer of the ports to Go and Rust: tools/fuzz_ports.sh [SECONDS each, 60]
# Those of Go come with the language; those of Rust fetch libfuzzer-sys.
set -eu
cd "$(dirname "$0")/../ports"
seconds=${1:-60}

for package in . ./dialect ./internal/conform; do
  for target in $(cd go && go test -list '^Fuzz' "$package" | grep '^Fuzz'); do
    echo "== go $target"
    (cd go && go test -run '^$' -fuzz "^$target\$" -fuzztime "${seconds}s" "$package") | tail -n 3
  done
done
rust/fuzz/run.sh "$seconds"
