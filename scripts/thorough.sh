#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the walks over failures whole: every operation, every system call and every allocation fails once. scripts/test.sh
# takes a part of them. Some minutes.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
takes_no_arguments "$@"

# Unquoted on purpose: lists of names.
need_packages $build_packages $optional_packages $runtime_packages $test_packages
build_in build --buildtype=release --werror
PMUQ_ALL_CALLS=1 exec meson test -C build --print-errorlogs --timeout-multiplier 6 store_failures cli-failing-calls cli-memory
