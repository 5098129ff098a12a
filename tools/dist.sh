#!/bin/sh
# Packs the static tool: tools/dist.sh BUILD OUT
#
# BUILD is a build tree of the preset dist.  Leaves bloomery-VERSION-linux-CPU.tar.gz and
# SHA256SUMS in OUT.  The same sources and compiler give the same bytes: files are dated
# SOURCE_DATE_EPOCH, by default the time of the last commit.
set -eu
build=$1
out=$2
root=$(cd "$(dirname "$0")/.." && pwd)
export LC_ALL=C TZ=UTC

epoch=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || true)}
: "${epoch:=$(stat -c %Y "$root/CMakeLists.txt")}"  # sources without a history
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=bloomery-$version-linux-$(uname -m)

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
doc=$stage/$name/share/doc/bloomery
put() { install -D -m "$1" "$2" "$stage/$name/$3"; }
put 755 "$build/bloomery" bin/bloomery
strip "$stage/$name/bin/bloomery"
put 644 "$build/cli/bloomery.1" share/man/man1/bloomery.1
put 644 "$build/cli/completion.bash" share/bash-completion/completions/bloomery
put 644 "$build/cli/completion.zsh" share/zsh/site-functions/_bloomery
put 644 "$build/cli/completion.fish" share/fish/vendor_completions.d/bloomery.fish
put 644 "$root/README.md" share/doc/bloomery/README.md
put 644 "$root/LICENSE" share/doc/bloomery/LICENSE
# The licences of what is linked in, as Debian ships them.
for package in libxxhash-dev libcli11-dev libfmt-dev nlohmann-json3-dev zlib1g-dev \
  libzstd-dev liblzma-dev libc6-dev libgcc-12-dev; do
  text=/usr/share/doc/$package/copyright
  [ ! -f "$text" ] || put 644 "$text" "share/doc/bloomery/licenses/$package"
done

mkdir -p "$out"
tar -C "$stage" --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner \
  --mode=go-w --format=gnu -cf - "$name" | gzip -9n > "$out/$name.tar.gz"
(cd "$out" && sha256sum "$name.tar.gz" > SHA256SUMS)
cat "$out/SHA256SUMS"
