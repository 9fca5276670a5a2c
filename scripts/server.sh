#!/bin/sh
# SPDX-License-Identifier: MIT
# server.sh [HOSTS [COMMAND...]]: builds pmuq, starts a PostgreSQL server of its own, fills it with made-up hosts (1,000), and prints
# commands to try; or runs the command with the connection string in $DB. Nothing is left afterwards.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

# Unquoted on purpose: lists of names.
need_packages $build_packages $runtime_packages xz-utils postgresql
build_in build --buildtype=release
hosts=${1:-1000}
[ $# -eq 0 ] || shift
exec python3 tests/postgres/try_server.py "$PWD/build/cli/pmuq" "$PWD/build/machines" "$hosts" "$@"
