#!/bin/sh
# Runs every fuzzer for so many seconds (60), or those that are named: run.sh [SECONDS] [TARGET ..]
# `run.sh build` only builds them and their seeds, `run.sh list` names them.
# On the stable compiler, without a sanitizer: the crate forbids unsafe code, so findings are panics,
# overflows, failed assertions, memory beyond the limit and inputs that take too long.
set -eu
cd "$(dirname "$0")"
seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- container portable parquet script
[ "$seconds" != list ] || { printf '%s\n' "$@"; exit; }

host=$(rustc -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-target}
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table
  -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1"
# With --target the flags are for the fuzzers alone, not for what builds them.
RUSTFLAGS="--cfg fuzzing $(echo $coverage)" cargo build --quiet --release --target "$host" --bins
[ -d corpus/script ] && [ "$seconds" != build ] ||
  cargo run --quiet --release --manifest-path ../Cargo.toml -p bloomery-conform -- \
    seeds ../../../spec/vectors ../../../spec/scripts corpus
[ "$seconds" != build ] || exit 0

for name in "$@"; do
  mkdir -p "artifacts/$name"
  echo "== $name"
  "$target/$host/release/$name" "corpus/$name" -max_total_time="$seconds" -max_len=16384 \
    -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 -artifact_prefix="artifacts/$name/" \
    2>"artifacts/$name.log" || { tail -n 30 "artifacts/$name.log"; exit 1; }
  grep -E 'DONE|stat::number_of_executed_units|stat::peak_rss_mb' "artifacts/$name.log" | tail -n 3
done
