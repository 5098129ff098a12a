# Read by the scripts that run fuzzers: what a fuzzer tried, for tools/scoreboard.py.
# keep NAME passed|failed [INPUTS]
keep() {
  [ -n "${BLOOMERY_RESULTS-}" ] || return 0
  mkdir -p "$BLOOMERY_RESULTS"
  printf '{"tests": [{"name": "", "result": "%s", "counts": {"inputs": %d}}]}\n' "$2" "${3:-0}" \
    >"$BLOOMERY_RESULTS/$1.json"
}
