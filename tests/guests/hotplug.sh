#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs in a guest, in the directory with pmuq: starts the daemon as a user without capabilities, and changes the machine
# while clients use it. compare.py reads the result.
uname -r >/out/release.out
echo 'user:x:1000:1000::/:/bin/sh' >/etc/passwd
mkdir /run/pmuq
chown user /run/pmuq
su user -c './pmuqd --socket /run/pmuq/io.pmuq' 2>/out/pmuqd.err &
export CMOCKA_MESSAGE_OUTPUT=TAP
tests/hotplug /run/pmuq/io.pmuq 1000 >/out/test_hotplug.out 2>/out/test_hotplug.err
echo $? >/out/test_hotplug.status
