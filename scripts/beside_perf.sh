#!/bin/sh
# SPDX-License-Identifier: MIT
# beside_perf.sh [ROOT]: builds a release, sets perf 7.2 or newer up in ROOT (a directory that is removed at the end, if none is
# named), and runs pmuq and perf in turns on two captured machines: tests/bench/beside_perf.py. As root, on Debian: the
# packages come from where this machine gets its own, in the suite sid.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

# Unquoted on purpose: lists of names.
need_packages $build_packages $runtime_packages xz-utils mmdebstrap
build_in build --buildtype=release
quietly ninja -C build tests/machines/unpacked.stamp
root=${1:-}
if [ -z "$root" ]; then
	root=$(mktemp -d)
	trap 'rm -rf "$root"' EXIT
	trap 'exit 1' INT TERM
fi
if ! [ -e "$root/usr/bin/perf" ]; then
	from=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' | head -n 1)
	quietly mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' --include=linux-perf \
		--keyring=/usr/share/keyrings/debian-archive-keyring.gpg sid "$root" "deb $from sid main"
fi
python3 tests/bench/beside_perf.py "$PWD/build/cli/pmuq" "$root" "$PWD/build/machines"
