# SPDX-License-Identifier: MIT
# Sourced by the other scripts: the packages that pmuq needs, and functions to build it. They print failures only.

build_packages='meson ninja-build gcc libc6-dev pkg-config python3 libsqlite3-dev libsmartcols-dev libyaml-dev libarchive-dev libcmocka-dev'
runtime_packages='libsqlite3-0 libsmartcols1 libyaml-0-2 libarchive13 libpq5'
# Used by the build if they are installed.
optional_packages='libpfm4-dev'
test_packages='xz-utils libjansson-dev abigail-tools valgrind mandoc doxygen cmake g++ clang lld libclang-rt-dev python3-jsonschema python3-yaml mypy papi-tools rustc cargo golang-go zsh fish sqlite3 postgresql libpq-dev'
package_packages='build-essential debhelper dh-python lintian xz-utils'
bench_packages='xz-utils bsdextrautils libjansson-dev libpfm4-dev valgrind rustc cargo golang-go'

# How long to wait for another apt, and how often to try.
apt_wait_s=600
apt_pause_s=5

report()
{
	printf '%s\n' "$*" >&2
}

# For a script without arguments: if it got any, prints its first comment and ends.
takes_no_arguments()
{
	[ $# -gt 0 ] || return 0
	sed -n '3,/^set/s/^# //p' "scripts/${0##*/}" >&2
	exit 2
}

# Runs a command, and prints its output only if it fails.
quietly()
{
	log=$(mktemp)
	if "$@" >"$log" 2>&1; then
		rm -f "$log"
		return 0
	fi
	cat "$log" >&2
	rm -f "$log"
	report "failed: $*"
	return 1
}

# Prints the arguments that are not installed.
missing_packages()
{
	for package; do
		dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
			printf '%s ' "$package"
	done
}

# apt_get WORD...: apt-get, which waits while another apt holds a lock. DPkg::Lock::Timeout is for dpkg's lock only: for the
# locks of the lists and of the archives apt-get has to be started again. If its own wait ends before its second try, it names
# what it could not do, but not the lock.
apt_get()
{
	waited=0
	while ! apt_log=$(LC_ALL=C apt-get -q -o DPkg::Lock::Timeout="$apt_pause_s" "$@" 2>&1); do
		case $apt_log in
		*'Could not get lock'* | *'Unable to acquire the dpkg frontend lock'* | *'Unable to lock the administration directory'*) ;;
		*)
			report "$apt_log"
			report "failed: apt-get $*"
			return 1
			;;
		esac
		if [ "$waited" -ge "$apt_wait_s" ]; then
			report "$apt_log"
			report "failed: apt-get $*: another apt holds the lock for $apt_wait_s s"
			return 1
		fi
		[ "$waited" -gt 0 ] || report "another apt holds the lock: waiting up to $apt_wait_s s"
		sleep "$apt_pause_s"
		waited=$((waited + apt_pause_s))
	done
}

# Installs the packages that are missing. On other systems than Debian the user has to do that.
need_packages()
{
	if ! command -v dpkg-query >/dev/null; then
		report "not a Debian system: install the equivalents of these packages first: $*"
		return 0
	fi
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		report "packages are missing; as root, run:"
		report "  apt-get update && apt-get install --no-install-recommends -y ${missing% }"
		return 1
	fi
	report "installing ${missing% }"
	export DEBIAN_FRONTEND=noninteractive
	apt_get update || report "apt-get update failed: using the old package lists"
	# Unquoted on purpose: a list of names.
	apt_get install --no-install-recommends -y $missing
}

# configure_in DIR [MESON OPTION...]: an existing directory is configured again.
configure_in()
{
	dir=$1
	shift
	if [ -f "$dir/build.ninja" ]; then
		quietly meson setup --reconfigure "$dir" "$@"
	else
		quietly meson setup "$dir" "$@"
	fi
}

# compile_in DIR [TARGET...]: compilers take a tenth less time with large pages, where the kernel has them, and more of them than
# CPUs disturb each other.
compile_in()
{
	dir=$1
	shift
	quietly env GLIBC_TUNABLES=glibc.malloc.hugetlb=1 ninja --quiet -j "$(nproc)" -C "$dir" "$@"
}

# build_in DIR [MESON OPTION...]: configures and compiles.
build_in()
{
	configure_in "$@" || return 1
	compile_in "$1"
}

# meson's own options, and freed memory is used again after 16 MiB instead of 256: new pages took most of the time.
export ASAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_summary=1:quarantine_size_mb=16
# Reports of sanitizers name functions and lines: -g1, in c_args, is enough for that.
options_of_sanitizers='-Doptimization=1 -Ddebug=false'

# configure_for_sanitizers DIR COVERAGE: for tests and fuzz targets. COVERAGE is true if fuzz targets have to follow what all code
# does. clang has the fuzz targets' coverage, and its UBSan also sees arithmetic on null pointers. lld links these
# hundreds of programs in half the time.
configure_for_sanitizers()
{
	# Unquoted on purpose: a list of options.
	CC=clang CC_LD=lld configure_in "$1" --werror -Dbenchmarks=false $options_of_sanitizers -Dfuzz=enabled "-Dfuzz_coverage=$2" -Db_sanitize=address,undefined \
		-Db_lundef=false "-Dc_args=-fno-sanitize-recover=all -g1" "-Dmachines=$PWD/build/machines"
}
