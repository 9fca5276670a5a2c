#!/bin/sh
# SPDX-License-Identifier: MIT
# Debian packages of what is checked out, as a user without a network would build them, and tried where nothing else is:
#   package.sh DIR [ROOT]
# leaves the packages in DIR, an absolute path, having seen that the build cleans up behind itself, and having asked
# lintian. With ROOT, the root directory of a Debian that is there (debootstrap makes one), they are installed
# in a copy of it, and debian/tests/smoke runs there; that wants root, and what they depend on from the root's own mirrors.
# Not part of test.sh: it takes minutes.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

case ${1-} in
/*) dir=$1 ;;
*)
	say "usage: package.sh DIR [ROOT], DIR an absolute path"
	exit 2
	;;
esac
root=${2-}
source=$dir/pmuq

# As an ordinary user, where nothing answers.
humbly()
{
	if [ "$(id -u)" -eq 0 ]; then
		chown -R nobody:nogroup "$dir"
		unshare -n setpriv --reuid=nobody --regid=nogroup --clear-groups env "HOME=$dir" "$@"
	else
		unshare -cn "$@"
	fi
}

# What git knows or would know, and nothing that a build left.
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
	(cd "$source" && humbly dpkg-buildpackage -us -uc >"$dir/build.log" 2>&1) ||
		{ tail -n 40 "$dir/build.log" >&2; return 1; }
	(cd "$source" && humbly dpkg-buildpackage -us -uc -T clean >>"$dir/build.log" 2>&1)
	sums | diff "$dir/sums" - >&2 || { say "the build left something, or took something"; return 1; }
}

# Errors and warnings, all of them; what is overridden has its reason in debian/.
ask_lintian()
{
	humbly lintian --info --fail-on error,warning "$dir"/pmuq_*.changes
}

# A copy of a root, with its own view of the kernel.
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
	# As whoever only lists and encodes has it, then with all that is recommended, and a compiler.
	inside pmuq list
	inside apt-get -q install --no-install-recommends -y libarchive13 libyaml-0-2 gcc libc6-dev pkg-config
	inside /packages/smoke
	inside chroot --userspec=nobody:nogroup / /packages/smoke
	inside apt-get -q purge -y pmuq libpmuq0 libpmuq-dev python3-pmuq
	left=$(inside find / -xdev -path /packages -prune -o -name '*pmuq*' -print)
	[ -z "$left" ] || { say "purged, and still there: $left"; return 1; }
}

# The word splitting is meant: lists of names.
need_packages $build_packages $optional_packages $package_packages
copy_source
build_packages
ask_lintian
[ -z "$root" ] || try_in_root
say "$(ls "$dir"/*.deb | wc -l) packages in $dir"
