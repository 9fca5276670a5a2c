#!/bin/sh
# SPDX-License-Identifier: MIT
# From a bare Debian 12 to the first answer: installs what is missing, builds, scans this machine, lists
# its PMUs and encodes an event that it has.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

# The word splitting is meant: lists of names.
need_packages $build_packages $optional_packages $runtime_packages
build_in build --buildtype=release

pmuq=build/cli/pmuq
event=page-faults
[ -e /sys/bus/event_source/devices/msr/events/tsc ] && event=msr/tsc/

"$pmuq" scan
echo
"$pmuq" list
echo
# A refusal by the kernel (3) is an answer, too.
"$pmuq" encode "$event" || [ $? -eq 3 ]
