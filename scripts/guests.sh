#!/bin/sh
# SPDX-License-Identifier: MIT
# guests.sh GUESTS_DIR [GUEST|ARCH...]: pmuq on kernels that have PMUs, on emulated hardware.
# For each guest of tests/guests/known.toml, or those named: builds for it, passes the unit tests, boots
# its kernel, asks there what pmuq says, and compares with what is known.
# GUESTS_DIR is a directory of your own with run-guest.sh, sysroot.sh and the scripts that they call; they
# fetch kernels and libraries into it. What the guests said stays in build-guests/GUEST/.
# Not a part of test.sh: it takes minutes, and a network the first time.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

guest_packages='qemu-system-arm qemu-system-ppc qemu-system-misc qemu-system-x86 qemu-user-static cpio kmod
	gcc-aarch64-linux-gnu gcc-powerpc64le-linux-gnu gcc-riscv64-linux-gnu gcc-s390x-linux-gnu'
top=$PWD/build-guests
# These speak to the kernel, or start another program, and so are run in the guest: QEMU's user emulation has
# neither openat2 nor perf events, takes / for the sysroot, and starts programs of this machine alone. The others
# pass under it, ten times as fast.
tests_in_guest='attr capture check discover host open open_host open_reasons pfm_abuse refresh root'

known()
{
	python3 tests/guests/compare.py "$@"
}

# What Debian calls an architecture: what its compiler, and what QEMU calls it.
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

# The libraries that the build wants, as packages.
libraries()
{
	# The word splitting is meant: a list of names.
	for package in $build_packages; do
		case $package in
		lib*-dev) printf '%s ' "$package" ;;
		esac
	done
}

# make_sysroot SUITE ARCH: anew, should it have been made of other packages.
make_sysroot()
{
	stamp=$GUESTS/sysroot/$1-$2.packages
	[ "$(cat "$stamp" 2>/dev/null)" = "$(libraries)" ] && return 0
	say "fetching the libraries of $1 for $2"
	# The word splitting is meant: a list of names.
	quietly "$GUESTS/sysroot.sh" "$1" "$2" $(libraries) && libraries >"$stamp"
}

# Those of the tests, as paths in a build.
programs_for_guest()
{
	echo tests/kernel/test_kernel tests/unit/fake_pfm
	for test in $tests_in_guest; do
		echo "tests/unit/test_$test"
	done
}

# cross_build SUITE ARCH: into $top/SUITE-ARCH.
cross_build()
{
	build=$top/$1-$2
	cross=$top/$1-$2.ini
	make_sysroot "$1" "$2" || return 1
	printf "[constants]\nsysroot = '%s'\n[binaries]\nexe_wrapper = ['%s', '-L', sysroot]\n" \
		"$GUESTS/sysroot/$1-$2" "$(emulator_of "$2")" >"$cross"
	say "building for $2"
	[ -f "$build/build.ninja" ] || quietly meson setup "$build" --werror --buildtype=release \
		"-Dmachines=$top/machines" --cross-file "$cross" \
		--cross-file "tests/guests/$(compiler_of "$2").ini" || return 1
	# The word splitting is meant: a list of names.
	quietly ninja -C "$build" cli/pmuq $(programs_for_guest)
}

# The tests that want captured machines, once for each build.
unit_tests()
{
	[ -e "$top/$1-$2.tested" ] && return 0
	say "tests under $(emulator_of "$2")"
	: >"$top/$1-$2.tested"
	emulated=$(meson test -C "$top/$1-$2" --no-rebuild --list --suite unit --suite cases 2>/dev/null | sed 's,.* / ,,')
	for test in $tests_in_guest; do
		emulated=$(echo "$emulated" | grep -vx "$test")
	done
	# The word splitting is meant: a list of names.
	meson test -C "$top/$1-$2" --timeout-multiplier 20 --print-errorlogs $emulated >&2
}

# pack GUEST SUITE ARCH DIR: what the guest gets; SUITE is that of its libraries.
pack()
{
	mkdir -p "$4/payload/tests" "$4/root"
	tar -C "$GUESTS/sysroot/$2-$3" --exclude='*.a' --exclude=./usr/include -cf - . | tar -C "$4/root" -xf -
	cp "$top/$2-$3/cli/pmuq" "$4/payload/"
	for program in $(programs_for_guest); do
		cp "$top/$2-$3/$program" "$4/payload/tests/" || return 1
	done
	known events "$1" "$4/payload"
}

# boot_once GUEST ARCH DIR: and collects its answers. 124: it ran out of time.
boot_once()
{
	rm -rf "${top:?}/$1"
	say "booting $1"
	SUITE=$(known field "$1" suite) QEMU_ARGS=$(known field "$1" qemu) APPEND=$(known field "$1" append) \
		TIMEOUT=${TIMEOUT:-900} ROOTS=$3/root "$GUESTS/run-guest.sh" "$2" "$(known field "$1" cpu)" "$3/payload" \
		tests/guests/guest.sh "$top/$1"
}

# Two emulated CPUs hang now and then, with one of them waiting in the guest's kernel for the other. What pmuq
# hangs in hangs again.
boot()
{
	status=0
	boot_once "$@" || status=$?
	[ "$status" -eq 124 ] || return "$status"
	say "$1 hung: once more"
	boot_once "$@"
}

# All of a guest; a test that fails keeps it from nothing else.
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
# The word splitting is meant: lists of names.
need_packages $build_packages xz-utils $guest_packages
mkdir -p "$top"
rm -f "$top"/*.tested
names=$(known names "$@") || { say "no such guest: $*"; exit 2; }
failed=
for name in $names; do
	pass_guest "$name" || failed="$failed $name"
done
[ -z "$failed" ] || { say "FAILED:$failed"; exit 1; }
say "all guests are as known: $(echo $names)"
