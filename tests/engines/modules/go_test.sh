#!/bin/sh
# The tests of an adapter in Go inside its engine:  go_test.sh FOLDER GO_VERSION
# The engine's modules are fetched once, if they are not on the machine.  Ends with 77, "skipped", where they cannot be, or where Go
# is older than the engine needs.  Without cgo: pebble's codecs in C take longer to compile than everything else.
set -e
cd "$1"
needed=$2
export CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS=-mod=readonly
if ! command -v go >/dev/null 2>&1; then
  echo "skipped: no go; $(basename "$1") needs version $needed or later"
  exit 77
fi
found=$(go env GOVERSION | sed 's/^go//')
oldest=$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)
if [ "$oldest" != "$needed" ]; then
  echo "skipped: $(basename "$1") needs go $needed or later; this is $found"
  exit 77
fi
if ! GOPROXY=off go list -deps -test ./... >/dev/null 2>&1 && ! timeout 120 go list -deps -test ./... >/dev/null; then
  echo "skipped: the modules of $(basename "$1") are not on this machine and could not be fetched"
  exit 77
fi
GOPROXY=off exec go test -count=1 -timeout 3000s -v ./...
