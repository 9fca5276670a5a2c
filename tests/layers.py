#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Dependencies go one way: cli -> {db, encode, discover, open} -> core. Reads every #include; prints TAP."""
import pathlib
import re
import sys

ROOMS = {  # room: rooms that it may include, besides itself and the public header
    "core": set(),
    "discover": {"core"},
    "encode": {"core"},
    "open": {"core"},
    "db": {"core"},
    "pfm": {"core"},
    "document": {"core"},
    "perfdata": {"core"},
    "diff": {"core"},
    "cli": set(),
}
INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]', re.M)
# The files that may know an optional library: one of the library's, one of the command's.
LIBRARIES = {"sqlite3.h": {"db/sqlite_lib.h"}, "libsmartcols.h": {"cli/table.c"}, "yaml.h": {"cli/yaml.c", "document/yaml_lib.h"},
             "jansson.h": {"db/vendor_json.c", "cli/decode_json.c"},
             "archive.h": {"discover/tar_lib.h"}, "archive_entry.h": {"discover/tar_lib.h"}}


def faults(root, room):
    for path in sorted((root / room).glob("*.[ch]")):
        name = str(path.relative_to(root))
        for kind, header in INCLUDE.findall(path.read_text()):
            target = header.split("/")[0]
            if kind == '"' and target not in ROOMS[room] | {room}:
                yield f'{name} includes "{header}"'
            owners = LIBRARIES.get(header.split("/")[-1])
            if owners and name not in owners:
                yield f"{name} includes <{header}>, which is for {' and '.join(sorted(owners))}"


def main():
    root = pathlib.Path(sys.argv[1])
    failed = 0
    print(f"1..{len(ROOMS)}")
    for number, room in enumerate(ROOMS, 1):
        found = list(faults(root, room))
        failed += bool(found)
        print(f"{'not ' if found else ''}ok {number} - {room}/ includes {', '.join(sorted(ROOMS[room])) or 'no other room'}")
        for fault in found:
            print(f"# {fault}")
    sys.exit(failed > 0)


main()
