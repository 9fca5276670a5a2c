#!/bin/sh
# SPDX-License-Identifier: MIT
# agents.sh [HOSTS [ROUNDS]]: builds pmuq, starts a PostgreSQL server of its own, and measures HOSTS hosts (100,000) that push to it
# through 32 agents, and ROUNDS rounds of heartbeats (24): docs/fleet.md. Half an hour on a small machine.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

# Unquoted on purpose: lists of names.
need_packages $build_packages $runtime_packages xz-utils postgresql
build_in build --buildtype=release
exec python3 tests/postgres/many_agents.py "$PWD/build/cli/pmuq" "$PWD/build/machines" "${1:-100000}" "${2:-24}"
