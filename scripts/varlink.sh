#!/bin/sh
# SPDX-License-Identifier: MIT
# varlink.sh DIR: tests pmuqd with clients that are not ours, and prints TAP.
# They are varlinkctl and systemd-socket-activate of Debian 13, and the Go library of varlink with code that its generator
# makes from the interface file. DIR is your own directory: DIR/root gets the packages of Debian 13, DIR/go the Go program.
# test.sh does not run this script: it needs a network for the first run, and a compiler of Go.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

client_packages='mmdebstrap debian-archive-keyring golang-go golang-github-varlink-go-dev'

# Unpacks systemd and what it depends on; nothing is configured or started.
make_root()
{
	[ ! -e "$clients/root.complete" ] || return 0
	report "fetching systemd of Debian 13"
	rm -rf "$clients/root"
	quietly mmdebstrap --variant=extract --include=systemd trixie "$clients/root"
	: >"$clients/root.complete"
}

# The generator writes a file next to the interface file. vet compiles all of it.
make_go_client()
{
	export GO111MODULE=off GOFLAGS= GOPATH="$clients/go:/usr/share/gocode" GOCACHE="$clients/go/cache"
	package=$clients/go/src/iopmuq
	rm -rf "$package"
	mkdir -p "$package"
	cp build/service/io.pmuq.varlink "$package/"
	quietly go run github.com/varlink/go/cmd/varlink-go-interface-generator "$package/io.pmuq.varlink"
	quietly go vet iopmuq
	quietly go build -o "$clients/go/client" tests/service/client.go tests/service/client_types.go
}

if [ $# -ne 1 ]; then
	sed -n 3,6p "$0" >&2
	exit 2
fi
mkdir -p "$1"
clients=$(cd "$1" && pwd)
# Unquoted on purpose: lists of names.
need_packages $build_packages $client_packages xz-utils
configure_in build
quietly ninja --quiet -C build cli/pmuq service/pmuqd service/io.pmuq.varlink tests/machines/unpacked.stamp
make_root
make_go_client
export PMUQ="$PWD/build/cli/pmuq" PMUQD="$PWD/build/service/pmuqd" PMUQ_INTERFACE="$PWD/build/service/io.pmuq.varlink" \
	PMUQ_TEST_MACHINES="$PWD/build/machines" PMUQ_SCHEMAS="$PWD/schemas" PMUQ_TESTS="$PWD/tests" PYTHONPATH="$PWD/tests/cli" \
	VARLINK_ROOT="$clients/root" GO_CLIENT="$clients/go/client"
python3 tests/service/clients.py
