#!/bin/sh
# SPDX-License-Identifier: MIT
# On a fresh Debian, as root: installs what is missing, builds pmuq, scans this machine, lists its PMUs and
# encodes one of its events.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
takes_no_arguments "$@"

# Unquoted on purpose: lists of names.
need_packages $build_packages $optional_packages $runtime_packages
build_in build --buildtype=release

pmuq=build/cli/pmuq
event=page-faults
[ -e /sys/bus/event_source/devices/msr/events/tsc ] && event=msr/tsc/

"$pmuq" scan
echo
"$pmuq" list
echo
# Exit status 3 is correct, too: the event is valid, but the kernel refuses to open it.
"$pmuq" encode "$event" || [ $? -eq 3 ]
