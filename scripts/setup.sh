# SPDX-License-Identifier: MIT
# Sourced by the other scripts: what must be installed, and how to build. Quiet about what goes well.

build_packages='meson ninja-build gcc libc6-dev pkg-config python3 libsqlite3-dev libsmartcols-dev libyaml-dev libarchive-dev libcmocka-dev'
runtime_packages='libsqlite3-0 libsmartcols1 libyaml-0-2 libarchive13'
# What is built only where it is found.
optional_packages='libpfm4-dev'
test_packages='xz-utils libjansson-dev abigail-tools valgrind mandoc doxygen g++ clang libclang-rt-dev python3-jsonschema python3-yaml mypy zsh fish'
package_packages='build-essential debhelper dh-python lintian xz-utils'
bench_packages='xz-utils libjansson-dev libpfm4-dev'

say()
{
	printf '%s\n' "$*" >&2
}

# Runs a command; what it prints is shown only if it fails.
quietly()
{
	log=$(mktemp)
	if "$@" >"$log" 2>&1; then
		rm -f "$log"
		return 0
	fi
	cat "$log" >&2
	rm -f "$log"
	say "failed: $*"
	return 1
}

# Those of the arguments that are not installed.
missing_packages()
{
	for package; do
		dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
			printf '%s ' "$package"
	done
}

# Installs what is missing of the arguments; on other systems than Debian's, leaves that to the user.
need_packages()
{
	if ! command -v dpkg-query >/dev/null; then
		say "not a Debian system: make sure that there is what these packages hold: $*"
		return 0
	fi
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		say "packages are missing; as root, run:"
		say "  apt-get update && apt-get install --no-install-recommends -y ${missing% }"
		return 1
	fi
	say "installing ${missing% }"
	export DEBIAN_FRONTEND=noninteractive
	quietly apt-get -q update || say "going on with the package lists that are there"
	# The word splitting is meant: a list of names.
	quietly apt-get -q install --no-install-recommends -y $missing
}

# configure_in DIR [MESON OPTION...]: anew, should it be there.
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

# build_in DIR [MESON OPTION...]: configure and compile.
build_in()
{
	configure_in "$@" || return 1
	quietly ninja -C "$1"
}

# The fuzz targets and the command, with clang and all that finds a fault, in build-fuzz.
build_fuzzers()
{
	CC=clang configure_in build-fuzz --werror -Dfuzz=enabled -Db_sanitize=address,undefined -Db_lundef=false \
		-Dc_args=-fno-sanitize-recover=all "-Dmachines=$PWD/build/machines" || return 1
	quietly ninja -C build-fuzz fuzzers cli/pmuq
}
