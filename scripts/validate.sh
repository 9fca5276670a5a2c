#!/bin/sh
# SPDX-License-Identifier: MIT
# validate.sh DIR: compares the library of compat/ with libpfm4's own validation table.
# It gets Debian's source of the installed libpfm4, builds its program of tests unchanged, and runs it with both libraries. Prints a
# summary line; exits with 1 if a row of the table has an error with ours, or is not tried. DIR is your own directory for the source.
# test.sh does not run this script: it needs a network for the first run.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

validate_packages='libpfm4-dev dpkg-dev debian-archive-keyring'

# Only apt-get with lists of its own: the system does not need to know sources.
apt_here()
{
	apt_get -o Dir::State::lists="$sources/lists" -o Dir::Cache="$sources/cache" -o Dir::Etc::sourcelist="$sources/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User="$(id -un)" "$@"
}

# The source of the binary package that the helper loads, with Debian's patches.
get_source()
{
	[ ! -d "$sources/libpfm4-$version" ] || return 0
	report "fetching the source of libpfm4 $version"
	mkdir -p "$sources/lists/partial" "$sources/cache/archives/partial"
	apt-get indextargets --format \
		'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' | sort -u >"$sources/sources.list"
	apt_here update
	(cd "$sources" && apt_here --download-only source "libpfm4=$version")
	quietly dpkg-source -x "$sources/libpfm4_$version.dsc" "$sources/unpacked"
	mv "$sources/unpacked" "$sources/libpfm4-$version"
}

# run_table NAME [VARIABLE=VALUE...]: the output is kept in DIR/NAME. The program's exit status is the number of errors modulo 256.
run_table()
{
	name=$1
	shift
	env "$@" "$sources/validate" -a -p >"$sources/$name" 2>&1 || :
}

# Rows, and rows that are wrong or skipped: "1184 0". A row is on a line of its own only if it is wrong or skipped.
count_rows()
{
	awk '/ events: [0-9]+ errors/ { rows += $1 }
		/Event[0-9]+ / { bad[$0 ~ /^Line/ ? $2 : $1]++ }
		END { n = 0; for (row in bad) n++; print rows + 0, n }' "$sources/$1"
}

if [ $# -ne 1 ]; then
	sed -n 3,6p "$0" >&2
	exit 2
fi
mkdir -p "$1"
sources=$(cd "$1" && pwd)
# Unquoted on purpose: lists of names.
need_packages $build_packages $validate_packages
version=$(dpkg-query -W -f '${source:Version}' libpfm4)
get_source
configure_in build
quietly ninja --quiet -C build compat/libpfm.so.4 pfm/pmuq-pfm
tests=$sources/libpfm4-$version/tests
quietly cc -w -D_GNU_SOURCE "-I$sources/libpfm4-$version/include" "$tests/validate.c" "$tests/validate_x86.c" "$tests/validate_perf.c" \
	-lpfm -o "$sources/validate"
compat=LD_LIBRARY_PATH=$PWD/build/compat
env "$compat" ldd "$sources/validate" | grep -q "$PWD/build/compat/libpfm.so.4" || {
	report "failed: the loader does not find build/compat/libpfm.so.4"
	exit 1
}
run_table libpfm4
run_table libpfm-compat "$compat" "PMUQ_PFM=$PWD/build/pfm/pmuq-pfm"
for name in libpfm4 libpfm-compat; do
	set -- $(count_rows $name)
	echo "$name: $(($1 - $2)) of $1 rows as in the validation table of libpfm4 $version"
done
# Of the last one. The output has a line for each wrong row.
if [ "$1" -eq 0 ] || [ "$2" -ne 0 ]; then
	cat "$sources/libpfm-compat" >&2
	exit 1
fi
