#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs in a guest, in the directory with pmuq and the lists of events: writes the output of pmuq, as root
# and as a user without capabilities, to /out. compare.py compares it.

# run NAME WORD...: stores the output and the status of the command.
run()
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
# Not in /tmp: pmuq writes no database where other users can put files.
database=$HOME/guest.db

run release uname -r
run version ./pmuq --version -v
run tracepoints sh -c 'ls -d /sys/kernel/tracing/events/*/*/id | wc -l'
run pmus ./pmuq list -J
run facts ./pmuq list facts -J
run list-events ./pmuq list events --from sysfs -J
./pmuq list events --from sysfs -r -n -o STRING >/tmp/listed
cat events /tmp/listed >/tmp/events
cat /tmp/events group-events >/tmp/counted

run root ./pmuq encode --json -f /tmp/events
run root-text ./pmuq encode -f events
run user as_user ./pmuq encode --json -f user-events
run user-text as_user ./pmuq encode -f user-events
run count ./pmuq check --count=20 --json -f /tmp/counted
run count-text ./pmuq check --count -f events
run show ./pmuq show '*pmu*' 'cpu*'
# arm64: let user space read counters.
[ ! -e /proc/sys/kernel/perf_user_access ] || echo 1 >/proc/sys/kernel/perf_user_access
run page ./pmuq check --rdpmc --json -f page-events
run page-text ./pmuq check --rdpmc -f page-events
run scan ./pmuq --db "$database" scan --check --name guest
run scanned ./pmuq --db "$database" --host guest list events --from sysfs -J -o PMU,EVENT,OPENS
export CMOCKA_MESSAGE_OUTPUT=TAP PMUQ_TEST_FAKE_PFM="$PWD/tests/fake_pfm"
for test in tests/test_*; do
	run "${test#tests/}" "./$test"
done
run probes cat /sys/kernel/tracing/kprobe_events /sys/kernel/tracing/uprobe_events
