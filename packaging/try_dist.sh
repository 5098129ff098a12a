#!/bin/sh
# Unpacks what make dist left in a folder and runs the tool where there is nothing else:
#   packaging/try_dist.sh FOLDER
set -eu
folder=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$folder" && sha256sum -c SHA256SUMS)
tar -xzf "$folder"/bloomery-*.tar.gz --strip-components=1 -C "$work"
for file in share/man/man1/bloomery.1 share/bash-completion/completions/bloomery \
  share/zsh/site-functions/_bloomery share/fish/vendor_completions.d/bloomery.fish \
  share/doc/bloomery/LICENSE share/doc/bloomery/README.md; do
  [ -s "$work/$file" ] || { echo "missing: $file"; exit 1; }
done
tool=$work/bin/bloomery
kind=$(ldd "$tool" 2>&1 || true)
case $kind in
  *"not a dynamic executable"* | *"statically linked"*) ;;
  *) echo "needs libraries: $kind"; exit 1 ;;
esac
if [ "$(id -u)" = 0 ]; then  # a root with this one program in it
  mkdir "$work/root"
  cp "$tool" "$work/root/bloomery"
  run() { chroot "$work/root" /bloomery "$@"; }
else
  mkdir "$work/empty"
  cd "$work/empty"
  run() { env -i "$tool" "$@"; }
fi
run --version
seq 1000 | run build -o keys.bloom
[ "$(run query keys.bloom 42 no-such-key)" = 42 ]
run verify keys.bloom
echo "dist: $(stat -c %s "$tool") bytes, runs alone"
