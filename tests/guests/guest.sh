#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs in a guest, in the directory with pmuq and the lists of events: what it says there, as root and as
# someone without a capability, goes to /out, for compare.py to judge. Judges nothing itself.

# ask NAME WORD...: what the command prints, and how it ends.
ask()
{
	name=$1
	shift
	"$@" >"/out/$name.out" 2>"/out/$name.err"
	echo $? >"/out/$name.status"
}

as_user()
{
	su user -c "$*"
}

echo 'user:x:1000:1000::/:/bin/sh' >/etc/passwd
database=/tmp/guest.db

ask release uname -r
ask version ./pmuq --version -v
ask pmus ./pmuq list -J
ask facts ./pmuq list facts -J
ask list-events ./pmuq list events -J
./pmuq list events -r -n -o STRING >/tmp/listed
cat events /tmp/listed >/tmp/events

ask root ./pmuq encode --jsonl -f /tmp/events
ask root-text ./pmuq encode -f events
ask user as_user ./pmuq encode --jsonl -f user-events
ask user-text as_user ./pmuq encode -f user-events
ask count ./pmuq check --count=20 --json -f /tmp/events
ask count-text ./pmuq check --count -f events
# Where user space reads counters only if told so (arm64).
[ ! -e /proc/sys/kernel/perf_user_access ] || echo 1 >/proc/sys/kernel/perf_user_access
ask page ./pmuq check --rdpmc --json -f page-events
ask page-text ./pmuq check --rdpmc -f page-events
ask scan ./pmuq --db "$database" scan --check --name guest
ask scanned ./pmuq --db "$database" --host guest list events -J -o PMU,EVENT,OPENS
export CMOCKA_MESSAGE_OUTPUT=TAP PMUQ_TEST_FAKE_PFM="$PWD/tests/fake_pfm"
for test in tests/test_*; do
	ask "${test#tests/}" "./$test"
done
ask probes cat /sys/kernel/tracing/kprobe_events /sys/kernel/tracing/uprobe_events
