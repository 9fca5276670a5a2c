#!/bin/sh
# SPDX-License-Identifier: MIT
# guests.sh GUESTS_DIR [GUEST|ARCH...]: tests pmuq on emulated machines with PMUs.
# For each guest of tests/guests/known.toml, or each named one: builds pmuq for it, runs the unit tests, boots
# its kernel, runs pmuq there, and compares the output with the table.
# GUESTS_DIR is your own directory with run-guest.sh, sysroot.sh and the scripts that they call. They
# download kernels and libraries into it. build-guests/GUEST/ keeps the output of a guest.
# test.sh does not run this script: it takes minutes, and a network for the first run.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

guest_packages='qemu-system-arm qemu-system-ppc qemu-system-misc qemu-system-x86 qemu-user-static cpio kmod
	gcc-aarch64-linux-gnu gcc-powerpc64le-linux-gnu gcc-riscv64-linux-gnu gcc-s390x-linux-gnu'
top=$PWD/build-guests
# Tests that need the guest's kernel or start another program. All other tests run under QEMU's user emulation,
# which is ten times as fast, but has neither openat2 nor perf events, uses the sysroot as /, and can start
# programs of this machine only.
tests_in_guest='attr capture check discover host memory_check open open_host open_reasons pfm_abuse pfm_inherited
	pfm_inherited_listed refresh resources root vendor_files'

known()
{
	python3 tests/guests/compare.py "$@"
}

# Debian's name of an architecture → the name in its compiler, and QEMU's program for it.
compiler_of()
{
	case $1 in
	arm64) echo aarch64 ;;
	ppc64el) echo powerpc64le ;;
	amd64) echo x86_64 ;;
	*) echo "$1" ;;
	esac
}

emulator_of()
{
	case $1 in
	arm64) echo qemu-aarch64-static ;;
	ppc64el) echo qemu-ppc64le-static ;;
	amd64) echo qemu-x86_64-static ;;
	*) echo "qemu-$1-static" ;;
	esac
}

# The packages of the libraries that the build needs.
libraries()
{
	# Unquoted on purpose: a list of names.
	for package in $build_packages; do
		case $package in
		lib*-dev) printf '%s ' "$package" ;;
		esac
	done
}

# make_sysroot SUITE ARCH: makes it again if the list of packages has changed.
make_sysroot()
{
	stamp=$GUESTS/sysroot/$1-$2.packages
	[ "$(cat "$stamp" 2>/dev/null)" = "$(libraries)" ] && return 0
	report "fetching the libraries of $1 for $2"
	# Unquoted on purpose: a list of names.
	quietly "$GUESTS/sysroot.sh" "$1" "$2" $(libraries) && libraries >"$stamp"
}

# The test programs that run in the guest, as paths in a build directory. guest.sh runs those that are called test_*.
programs_for_guest()
{
	echo tests/kernel/test_kernel tests/unit/fake_pfm tests/guests/hotplug
	for test in $tests_in_guest; do
		echo "tests/unit/test_$test"
	done
}

# cross_build SUITE ARCH: builds in $top/SUITE-ARCH.
cross_build()
{
	build=$top/$1-$2
	cross=$top/$1-$2.ini
	make_sysroot "$1" "$2" || return 1
	printf "[constants]\nsysroot = '%s'\n[binaries]\nexe_wrapper = ['%s', '-L', sysroot]\n" \
		"$GUESTS/sysroot/$1-$2" "$(emulator_of "$2")" >"$cross"
	report "building for $2"
	[ -f "$build/build.ninja" ] || quietly meson setup "$build" --werror --buildtype=release \
		"-Dmachines=$top/machines" --cross-file "$cross" \
		--cross-file "tests/guests/$(compiler_of "$2").ini" || return 1
	# Unquoted on purpose: a list of names.
	quietly ninja -C "$build" cli/pmuq service/pmuqd $(programs_for_guest)
}

# The tests that run under user emulation, once for each build.
unit_tests()
{
	[ -e "$top/$1-$2.tested" ] && return 0
	report "tests under $(emulator_of "$2")"
	: >"$top/$1-$2.tested"
	emulated=$(meson test -C "$top/$1-$2" --no-rebuild --list --suite unit --suite cases 2>/dev/null | sed 's,.* / ,,')
	for test in $tests_in_guest; do
		emulated=$(echo "$emulated" | grep -vx "$test")
	done
	# Unquoted on purpose: a list of names.
	meson test -C "$top/$1-$2" --timeout-multiplier 20 --print-errorlogs $emulated >&2
}

# pack GUEST SUITE ARCH DIR: copies to DIR what the guest needs. SUITE is the Debian release of its libraries.
pack()
{
	mkdir -p "$4/payload/tests" "$4/root"
	tar -C "$GUESTS/sysroot/$2-$3" --exclude='*.a' --exclude=./usr/include -cf - . | tar -C "$4/root" -xf -
	cp "$top/$2-$3/cli/pmuq" "$top/$2-$3/service/pmuqd" "$4/payload/"
	for program in $(programs_for_guest); do
		cp "$top/$2-$3/$program" "$4/payload/tests/" || return 1
	done
	known events "$1" "$4/payload"
}

# boot_once GUEST ARCH DIR: boots the guest and collects its output. Returns 124 after a timeout.
boot_once()
{
	rm -rf "${top:?}/$1"
	report "booting $1"
	SUITE=$(known field "$1" suite) SMP=$(known field "$1" cpus) QEMU_ARGS=$(known field "$1" qemu) \
		APPEND=$(known field "$1" append) TIMEOUT=${TIMEOUT:-$(known field "$1" timeout)} ROOTS=$3/root \
		"$GUESTS/run-guest.sh" "$2" "$(known field "$1" cpu)" "$3/payload" \
		"tests/guests/$(known field "$1" script)" "$top/$1"
}

# With two emulated CPUs a guest sometimes hangs: one CPU waits for the other in the kernel. So a guest that
# hangs is booted again; if pmuq is the cause, it hangs again.
boot()
{
	status=0
	boot_once "$@" || status=$?
	[ "$status" -eq 124 ] || return "$status"
	report "$1 hangs: booting it again"
	boot_once "$@"
}

# All steps of a guest. After a test that fails, the next step still runs.
pass_guest()
{
	suite=$(known field "$1" userland)
	arch=$(known field "$1" arch)
	cross_build "$suite" "$arch" || return 1
	passed=0
	unit_tests "$suite" "$arch" || passed=1
	work=$(mktemp -d)
	{ pack "$1" "$suite" "$arch" "$work" && boot "$1" "$arch" "$work" && known judge "$1" "$top/$1"; } || passed=1
	rm -rf "$work"
	return $passed
}

if [ $# -lt 1 ] || [ ! -x "$1/run-guest.sh" ]; then
	sed -n 3,9p "$0" >&2
	exit 2
fi
GUESTS=$(cd "$1" && pwd)
export GUESTS
shift
# Unquoted on purpose: lists of names.
need_packages $build_packages xz-utils $guest_packages
mkdir -p "$top"
rm -f "$top"/*.tested
names=$(known names "$@") || { report "no such guest: $*"; exit 2; }
failed=
for name in $names; do
	pass_guest "$name" || failed="$failed $name"
done
[ -z "$failed" ] || { report "FAILED:$failed"; exit 1; }
report "all guests are as known: $(echo $names)"
