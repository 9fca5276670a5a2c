#!/bin/sh
# SPDX-License-Identifier: MIT
# mutants.sh [MODULE|FILE|all [N [SEED]]]: N single mutations (default 20) of a module or a file, or of each module.
# Builds each, runs the tests of its module, and prints what no test noticed. docs/DEVELOPING.md explains the output.
# SANITIZE=address,undefined builds with sanitizers; TESTS='NAME...' runs only these tests. Works in a copy of the source, build-mutants/source.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

# Unquoted on purpose: lists of names.
need_packages $build_packages $optional_packages $runtime_packages $test_packages
build=build-mutants/build${SANITIZE:+-sanitize}
python3 scripts/mutants.py copy build-mutants/source
if command -v ccache >/dev/null; then
	export CC="ccache ${CC:-gcc}"
	export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$PWD}"
fi
# Arguments of another type are swapped into a warning only. An existing build is configured again for new tests.
again=
[ ! -f "$build/build.ninja" ] || again=--reconfigure
quietly meson setup $again "$build" build-mutants/source -Doptimization=0 -Ddebug=false "-Db_sanitize=${SANITIZE:-none}" \
	"-Dc_args=-DPQ_SEPARATE_BLOCKS -Werror=incompatible-pointer-types -Werror=int-conversion -Werror=discarded-qualifiers" \
	"-Dmachines=$PWD/build/machines"
exec python3 scripts/mutants.py run build-mutants/source "$build" "$@"
