#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs built against the last release run with this library. abidiff compares the dump of that release with the
headers and the symbol map (scripts/symbols.py --model; test_symbols.py compares them with libpmuq.so). Additions
are allowed; removals and changes are not: test_abi.py SOURCE_DIR GENERATED LIBPMUQ CC [--update]

abidiff cannot check that a struct only grows at its end, nor that a new flag of the attr only takes a reserved bit. So the
members of structs are compared here, with libpmuq.layout, which has their positions in the last release."""
import lzma
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SOURCE, GENERATED, LIBRARY = map(pathlib.Path, sys.argv[1:4])
CC = shlex.split(sys.argv[4])
sys.path[:0] = [str(SOURCE / "tests/cli"), str(SOURCE / "scripts")]
from headers import Headers  # noqa: E402
from symbols import model, updated  # noqa: E402
from tap import Tap  # noqa: E402

DUMP, IGNORE, LAYOUT = (SOURCE / f"tests/api/libpmuq.{ending}" for ending in ("abi.xz", "abignore", "layout"))
TYPES = ("bool", "int", "unsigned", "long", "unsigned long", "unsigned short", "struct pmuq_str", "struct pmuq_bits")
#: These never grow: there are arrays of the first three, and the attr is the kernel's.
FIXED = ("pmuq_str", "pmuq_pair", "pmuq_bits", "pmuq_term", "pmuq_attr")
KEPT = "what the last release promised is kept"
MAP = "PMUQ_0.1 {\nglobal:\n\tpmuq_a;\n\tpmuq_b;\nlocal:\n\t*;\n};\nPMUQ_0.2 {\nglobal:\n\tpmuq_c;\n} PMUQ_0.1;\n"
# Changes of a later release: statement, file, old text, new text, abidiff's message; None if the change is allowed.
CHANGES = [
    ("a new function may come", "version.h", "", "int pmuq_what_is_new(void);", None),
    ("options may grow at their end", "encode.h", r"(struct pmuq_encode_options \{[^}]*)\}", r"\1\tint more;\n}", None),
    ("an enumeration may grow", "diff.h", r"(enum pmuq_weight \{)", r"\1 PMUQ_WEIGHT_MORE = 99,", None),
    ("a member may not have another size", "open.h", r"unsigned work_ms;", "uint64_t work_ms;", "pmuq_open_options.work_ms"),
    ("a member may not have another type", "opened.h", r"uint64_t value;", "int64_t value;", "pmuq_value.value"),
    ("a record may grow at its end", "catalog.h", r"(struct pmuq_event \{[^}]*)\}", r"\1\tsize_t more;\n}", None),
    ("a record may not lose a member", "catalog.h", r"\tstruct pmuq_str terms;", "", "pmuq_event.terms"),
    ("a record may not change a text into something else", "catalog.h", r"struct pmuq_str terms;", "struct pmuq_bits terms;",
     "pmuq_event.terms"),
    ("what there may be arrays of does not grow", "types.h", r"(struct pmuq_pair \{[^}]*)\}", r"\1\tsize_t more;\n}", "pmuq_pair"),
    ("a member may not push others away", "encode.h", r"\tbool is_strict;", "\tint is_strict;", "pmuq_encode_options.is_strict"),
    ("a member may not come into what was padding", "open.h", r"(\tbool wants_page;)", r"\1 bool wants_more;", "in the padding"),
    ("the attr may not grow", "attr.h", r"(\tuint64_t config4;)", r"\1 uint64_t config5;", "pmuq_attr"),
    ("the kernel's next flag may take a reserved bit", "attr.h", r"uint64_t reserved_flags : 24;",
     "uint64_t next_flag : 1;\n\tuint64_t reserved_flags : 23;", None),
    ("a field may take reserved bytes", "attr.h", r"uint16_t reserved_2;", "uint16_t next_field;", None),
    ("a flag may not move", "attr.h", r"(uint64_t disabled : 1;)(\s+)(uint64_t inherit : 1;)", r"\3\2\1", "pmuq_attr.inherit"),
    ("a flag may not go", "attr.h", r"uint64_t sigtrap : 1;", "uint64_t reserved_1 : 1;", "pmuq_attr.sigtrap"),
    ("a field of the attr may not move", "attr.h", r"(uint64_t config1;[^\n]*)(\s+)(uint64_t config2;[^\n]*)", r"\3\2\1",
     "pmuq_attr.config1"),
    ("options may not grow before it", "encode.h", r"(struct pmuq_encode_options \{)", r"\1 long more;", "offset changed"),
    ("a function may not go", "pmuq.h", r"const char \*pmuq_version\(void\);", "", "pmuq_version"),
    ("a function may not return something else", "pmuq.h", r"const char (\*pmuq_version)", r"const int \1", "return type"),
    ("a function may not take something else", "capture.h", r"(pmuq_capture_file\([^,]*,\s+)size_t", r"\1int", "parameter 2"),
    ("a symbol may not change its node", "pmuq.map", r"PMUQ_0\.1 ", "PMUQ_0.9 ", "pmuq_version"),
]

tap = Tap()


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=120)


def soname():
    return re.search(r"\[(libpmuq\.so\.[0-9]+)\]", run("readelf", "-d", LIBRARY).stdout).group(1)


def build(root, name):
    """A dump of the library that the headers and the map in that directory declare."""
    source, library = root / "model.c", root / "model.so"
    source.write_text(model(root / "include"))
    text = updated((root / "pmuq.map").read_text(), set(re.findall(r"\b(pmuq_\w+)\([^()]*\) \{", source.read_text())))[0]
    (root / "pmuq.map").write_text(text)
    done = run(*CC, "-std=c11", "-g", "-O0", "-fPIC", "-shared", f"-I{root}/include", f"-I{GENERATED}", f"-Wl,-soname,{name}",
               f"-Wl,--version-script={root}/pmuq.map", str(source), "-o", str(library))
    if done.returncode:
        raise RuntimeError(done.stderr)
    return library


def copy(root):
    shutil.copytree(SOURCE / "include", root / "include")
    shutil.copy(SOURCE / "pmuq.map", root)
    return root


def position_of(struct, member):
    """C that prints the position of a member: offset, size and type, or the word and the bits of a bit field."""
    name = f"{struct}.{member.name}"
    if member.is_bits:
        return (f"{{ struct {struct} all = {{ .{member.name} = ~0ull }}; uint64_t words[sizeof(all) / 8]; memcpy(words, &all, sizeof(all));"
                f' for (size_t i = 0; i < sizeof(all) / 8; i++) if (words[i]) printf("{name}=%zu %#llx\\n", i, (unsigned long long)words[i]); }}')
    lvalue = f"((struct {struct} *)0)->{member.name}"
    return f'printf("{name}=%zu %zu %s\\n", offsetof(struct {struct}, {member.name}), sizeof({lvalue}), TYPE({lvalue}));'


def layout(root):
    """{"STRUCT": its size, "STRUCT.MEMBER": its position}, from the compiler."""
    types = ", ".join(f'{type_name}: "{type_name}"' for type_name in TYPES)
    lines = ["#include <pmuq/pmuq.h>", "#include <stdio.h>", "#include <string.h>",
             f'#define TYPE(x) _Generic((x), {types}, default: "pointer")', "int main(void) {"]
    for one in Headers(root / "include").structs.values():
        if one.is_sized or one.name in FIXED:
            lines.append(f'printf("{one.name}=%zu\\n", sizeof(struct {one.name}));')
            lines += [position_of(one.name, member) for member in one.members if not member.name.startswith("reserved_")]
    source, program = root / "layout.c", root / "layout"
    source.write_text("\n".join([*lines, "return 0; }"]))
    done = run(*CC, "-std=c11", "-Wno-overflow", "-Wno-bitfield-constant-conversion", f"-I{root}/include", f"-I{GENERATED}", str(source), "-o", str(program))
    if done.returncode:
        raise RuntimeError(done.stderr)
    return dict(line.split("=") for line in run(str(program)).stdout.splitlines())


def moved(before, now):
    """The differences from the structs of the last release, one line each."""
    for what, old in before.items():
        new, struct = now.get(what, "gone"), what.partition(".")[0]
        may_grow = "." not in what and what not in FIXED
        if new == "gone" or (int(new) < int(old) if may_grow else new != old):
            yield f"{what}: {old} -> {new}\n"
        added = [one for one in now if one not in before and one.startswith(f"{what}.")]
        for member in added if what == struct and what != "pmuq_attr" else ():
            if int(now[member].split()[0]) < int(old):
                yield f"{member}: in the padding of the last release's {struct}\n"


def differences(dump, root, name):
    """The status and report of abidiff, and the layout differences; bit 2 of the status is set for a change."""
    done = run("abidiff", "--no-architecture", "--no-added-syms", "--no-show-locs", "--suppressions", str(IGNORE), str(dump),
               str(build(root, name)))
    complaints = "".join(moved(dict(line.split("=") for line in LAYOUT.read_text().splitlines()), layout(root)))
    return done.returncode | (4 if complaints else 0), done.stdout + done.stderr + complaints


def compare(work, dump):
    status, report = differences(dump, copy(work / "now"), soname())
    tap.same(status, 0, KEPT, report)
    status, report = differences(dump, copy(work / "soname"), "libpmuq.so.9")
    tap.ok(status & 4 and "SONAME" in report, "another SONAME is a breaking change", f"status {status}", report)
    for number, (statement, name, old, new, reported) in enumerate(CHANGES):
        root = copy(work / str(number))
        path = root / name if name.endswith(".map") else root / "include/pmuq" / name
        before = path.read_text() if path.exists() else ""
        path.write_text(re.sub(old, new, before, count=1))
        tap.ok(path.read_text() != before, f"{statement}: {name} contains the text to change")
        status, report = differences(dump, root, soname())
        tap.ok(reported in report and status & 4 if reported else status == 0, statement, f"status {status}", report)


def write_dump(work):
    text = work / "libpmuq.abi"
    done = run("abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-parameter-names", "--type-id-style",
               "hash", "--out-file", str(text), str(build(copy(work / "now"), soname())))
    tap.same((done.returncode, done.stderr), (0, ""), "abidw writes the dump")
    LAYOUT.write_text("".join(f"{what}={how}\n" for what, how in layout(work / "now").items()))
    # The only path in the dump is that of the model, in a temporary directory.
    DUMP.write_bytes(lzma.compress(re.sub(rb"path='[^']*'", b"path='pmuq.h'", text.read_bytes()), preset=9 | lzma.PRESET_EXTREME))


tap.same(updated(MAP, {"pmuq_b", "pmuq_d", "pmuq_e"}), (MAP.replace("pmuq_c", "pmuq_d;\n\tpmuq_e"), ["pmuq_a"]),
         "new symbols are added to the last node of a map, and older nodes keep theirs")
if not shutil.which("abidiff"):
    tap.skip(KEPT, "no abidiff: it is in abigail-tools")
elif sys.maxsize < 2**32 or sys.byteorder != "little":
    tap.skip(KEPT, "the dump is of a 64-bit little-endian machine")
else:
    with tempfile.TemporaryDirectory() as directory:
        if sys.argv[5:] == ["--update"]:
            write_dump(pathlib.Path(directory))
        else:
            (pathlib.Path(directory) / "libpmuq.abi").write_bytes(lzma.open(DUMP).read())
            compare(pathlib.Path(directory), pathlib.Path(directory) / "libpmuq.abi")
tap.finish()
