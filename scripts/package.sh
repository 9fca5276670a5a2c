#!/bin/sh
# SPDX-License-Identifier: MIT
# package.sh DIR [ROOT]: builds the Debian packages of this work tree, as an ordinary user without a network.
# Writes them to DIR, an absolute path. Fails if `clean` does not restore the source, or if lintian reports anything.
# ROOT is the root directory of a Debian (debootstrap makes one): the packages are installed in a copy of it, and
# debian/tests/smoke runs there. This needs root, and the package mirrors that ROOT is configured for.
# test.sh does not run this script: it takes minutes.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

case ${1-} in
/*) dir=$1 ;;
*)
	report "usage: package.sh DIR [ROOT], DIR an absolute path"
	exit 2
	;;
esac
root=${2-}
source=$dir/pmuq

# Runs a command as an ordinary user without a network.
as_user()
{
	if [ "$(id -u)" -eq 0 ]; then
		chown -R nobody:nogroup "$dir"
		unshare -n setpriv --reuid=nobody --regid=nogroup --clear-groups env "HOME=$dir" "$@"
	else
		unshare -cn "$@"
	fi
}

# That user must reach the directory through its parents.
need_reachable()
{
	mkdir -p "$dir"
	as_user test -w "$dir" || { report "nobody cannot write to $dir: the user must be able to enter its parents"; exit 2; }
}

# Copies the files that git lists, and those that it would add: no build output.
copy_source()
{
	rm -rf "$source"
	mkdir -p "$source"
	git -c core.quotePath=off ls-files --cached --others --exclude-standard |
		while IFS= read -r path; do [ ! -e "$path" ] || printf '%s\n' "$path"; done |
		tar -c -T - | tar -x -C "$source"
}

sums()
{
	(cd "$source" && find . -type f -exec sha256sum {} + | sort -k 2)
}

build_packages()
{
	sums >"$dir/sums"
	(cd "$source" && as_user dpkg-buildpackage -us -uc >"$dir/build.log" 2>&1) ||
		{ tail -n 40 "$dir/build.log" >&2; return 1; }
	(cd "$source" && as_user dpkg-buildpackage -us -uc -T clean >>"$dir/build.log" 2>&1)
	sums | diff "$dir/sums" - >&2 || { report "the build changed the source: see the lines above"; return 1; }
}

# No error and no warning is accepted; debian/ gives a reason for each override.
run_lintian()
{
	as_user lintian --info --fail-on error,warning "$dir"/pmuq_*.changes
}

# Runs a command in the copy of ROOT, with its own mounts.
inside()
{
	unshare -m sh -c 'for name in proc sys dev; do mount --rbind "/$name" "$0/$name"; done
		exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"' \
		"$dir/root" "$@"
}

try_in_root()
{
	rm -rf "$dir/root"
	cp -a --reflink=auto "$root" "$dir/root"
	for name in resolv.conf hosts; do
		[ ! -e "/etc/$name" ] || cp "/etc/$name" "$dir/root/etc/$name"
	done
	mkdir "$dir/root/packages"
	cp "$dir"/*.deb "$source/debian/tests/smoke" "$dir/root/packages"
	inside apt-get -q update
	inside sh -ec 'apt-get -q install --no-install-recommends -y /packages/*.deb'
	# First with what the packages depend on, then with what they recommend, and a compiler.
	inside pmuq list
	inside apt-get -q install --no-install-recommends -y libarchive13 libyaml-0-2 gcc golang-go libc6-dev pkg-config
	inside /packages/smoke
	inside chroot --userspec=nobody:nogroup / /packages/smoke
	# The database of root, which a removal keeps and a purge removes.
	inside pmuq scan --name here
	inside apt-get -q remove -y pmuq
	inside test -s /var/lib/pmuq/pmuq.db
	inside apt-get -q purge -y pmuq pmuqd libpmuq0 libpmuq-dev python3-pmuq librust-pmuq-dev librust-pmuq-sys-dev golang-pmuq-pmuq-dev libpfm-compat
	left=$(inside find / -xdev -path /packages -prune -o -name '*pmuq*' -print)
	[ -z "$left" ] || { report "a purge leaves: $left"; return 1; }
}

# Unquoted on purpose: lists of names.
need_packages $build_packages $optional_packages $package_packages
need_reachable
copy_source
build_packages
run_lintian
[ -z "$root" ] || try_in_root
report "$(ls "$dir"/*.deb | wc -l) packages in $dir"
