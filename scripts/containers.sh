#!/bin/sh
# SPDX-License-Identifier: MIT
# containers.sh PACKAGES ROOT: does what docs/containers.md shows, and prints TAP.
# PACKAGES is the directory in which scripts/package.sh has built the Debian packages; ROOT the root directory of a Debian, the
# base of the image (debootstrap --variant=minbase bookworm ROOT). buildah builds the image of the page, and podman runs it.
# test.sh does not run this script: it needs root, a network, and packages.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

if [ $# -ne 2 ]; then
	sed -n 3,6p "$0" >&2
	exit 2
fi
packages=$(cd "$1" && pwd)
root=$(cd "$2" && pwd)
need_packages podman buildah crun python3-yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# podman wants cgroup2 alone, and the containers tracefs: both are mounted in a namespace.
unshare -m sh -c 'umount -R -l /sys/fs/cgroup 2>/dev/null; mount -t cgroup2 none /sys/fs/cgroup && mount -t tracefs tracefs /sys/kernel/tracing &&
	exec "$@"' sh env PYTHONPATH="$PWD/tests/cli" python3 tests/kernel/containers.py docs/containers.md "$packages" "$root" "$work"
