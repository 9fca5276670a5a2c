#!/bin/sh
# SPDX-License-Identifier: MIT
# pages.sh DIR: shows the pages of `pmuq report` to a real Chromium, wide and narrow, light and dark, prints TAP, and leaves a
# picture of each in DIR. Installs Chromium. test.sh runs the same test if Chromium is there, without pictures.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

if [ $# -ne 1 ]; then
	sed -n 3,4p "$0" >&2
	exit 2
fi
mkdir -p "$1"
# Unquoted on purpose: lists of names.
need_packages $build_packages $runtime_packages chromium fonts-dejavu-core
build_in build --buildtype=release
PMUQ=$PWD/build/cli/pmuq PMUQ_TEST_MACHINES=$PWD/build/machines PMUQ_SCHEMAS=$PWD/schemas PYTHONPATH=tests/cli \
	exec python3 tests/pages/test_browser.py build/tests/queries/make_hosts "$1"
