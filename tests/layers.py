#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Dependencies go one way: cli -> {db, encode, discover, open, ...} -> core. Reads every #include of every file, in
sub-directories too; prints TAP."""
import pathlib
import re
import sys

MODULES = {  # module: modules that it may include, besides itself and the public headers
    "core": set(),
    "discover": {"core"},
    "encode": {"core"},
    "decode": {"core", "encode"},
    "complete": {"core", "encode"},
    "open": {"core"},
    "watch": {"core", "remote"},
    "db": {"core"},
    "vendor": {"core", "db"},
    "pfm": {"core"},
    "document": {"core"},
    "fit": {"core", "encode"},
    "metric": {"core", "encode", "fit"},
    "inbox": {"core", "db", "document"},
    "perfdata": {"core"},
    "diff": {"core"},
    "remote": {"core"},
    "compat": set(),
    "cli": set(),
    "service": {"cli"},
}
# The command and the daemon use only the public API for machines; these headers are tools, and the words of perf_event_open(2).
CLI_TOOLS = {f"core/{name}.h" for name in (
    "base", "freep", "io", "limits", "str", "num", "arena", "buf", "vec", "caret", "library", "instance", "ranges", "flags", "bits",
    "attr/attr", "error", "text/json_read", "text/no_tracepoints", "text/sink", "text/time", "text/utf8", "populate", "text/yaml_lib", "thread")}
INCLUDE = re.compile(r'^#\s*include ([<"])([^>"]+)[>"]', re.M)
# The files that may include the header of an optional library.
LIBRARIES = {"sqlite3.h": {"db/sqlite/sqlite_lib.h"}, "libsmartcols.h": {"cli/output/smartcols.c"},
             "yaml.h": {"core/text/yaml_lib.h"},
             "archive.h": {"discover/tar/tar_lib.h"}, "archive_entry.h": {"discover/tar/tar_lib.h"}}


def violations(root, module):
    for path in sorted((root / module).rglob("*.[ch]")):
        name = str(path.relative_to(root))
        for quote, header in INCLUDE.findall(path.read_text()):
            target = header.split("/")[0]
            if quote == '"' and target not in MODULES[module] | {module} and not (module in ("cli", "service") and header in CLI_TOOLS):
                yield f'{name} includes "{header}"'
            owners = LIBRARIES.get(header.split("/")[-1])
            if owners and name not in owners:
                yield f"{name} includes <{header}>, which only {' and '.join(sorted(owners))} may include"


def forgotten(root):
    """Directories with C files that no rule names: they would not be checked."""
    known = set(MODULES) | {"include", "tests", "examples", "docs", "bindings", "schemas"}
    for path in sorted(root.glob("*/**/*.[ch]")):
        top = path.relative_to(root).parts[0]
        if top not in known and not top.startswith(("build", ".")):
            yield f"{path.relative_to(root)} is in no module"


def main():
    root = pathlib.Path(sys.argv[1])
    checks = {f"{module}/ includes {', '.join(sorted(allowed)) or 'no other module'}": list(violations(root, module))
              for module, allowed in MODULES.items()}
    checks["every C file is in a module"] = list(forgotten(root))
    print(f"1..{len(checks)}")
    for number, (name, found) in enumerate(checks.items(), 1):
        print(f"{'not ' if found else ''}ok {number} - {name}")
        for line in found:
            print(f"# {line}")
    sys.exit(any(checks.values()))


main()
