#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The generated bindings (scripts/bindings.py) contain every function and every member of a record, and a new one
without a line anywhere else; ctypes lays out structs as the C compiler does, and enums have its values.
test_bindings.py SOURCE_DIR BUILD_DIR CC"""
import ctypes
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SOURCE, BUILD = map(pathlib.Path, sys.argv[1:3])
CC = shlex.split(sys.argv[3])
# Imports the modules without the package, because the package loads the library.
sys.path[:0] = [str(SOURCE / "tests/cli"), str(SOURCE / "scripts"), str(BUILD / "bindings/python/pmuq")]
sys.dont_write_bytecode = True
import _declarations  # noqa: E402
import bindings  # noqa: E402
import bindings_cpp  # noqa: E402
import bindings_python  # noqa: E402
import bindings_rust  # noqa: E402
import enums  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
LANGUAGES = {"C++": (bindings_cpp.write, sorted((SOURCE / "include/pmuq").glob("*.hpp"))),
             "Python": (bindings_python.write, sorted((SOURCE / "bindings/python/pmuq").glob("*.py"))),
             "Rust": (bindings_rust.write, [path for path in sorted((SOURCE / "bindings/rust/pmuq/src").glob("*.rs"))
                                            if path.name != "generated.rs"])}
#: Additions of a later release: file, text before, new lines, and their form in the bindings.
NEW = [
    ("a member of a record", "catalog.h", "struct pmuq_str terms; /**< \"event=0xcd,umask=0x1,ldlat=3\" */",
     "\n\tstruct pmuq_str topic; /**< or none */", {"C++": "std::optional<std::string_view> topic() const noexcept", "Python": "def topic(self) -> Optional[str]:",
      "Rust": "pub fn topic(&self) -> Option<&'a Text>"}),
    ("a list that a record counts", "catalog.h", "size_t n_caps;", "\n\tsize_t n_notes;\n\tconst struct pmuq_str *notes;",
     {"C++": "detail::Array<std::string_view, pmuq_str> notes() const noexcept", "Python": "def notes(self) -> Tuple[str, ...]:",
      "Rust": "pub fn notes(&self) -> List<'a, &'a Text>"}),
    ("a function that cannot fail", "catalog.h", "void pmuq_catalog_free(struct pmuq_catalog *catalog);",
     "\nuint64_t pmuq_catalog_hash(const struct pmuq_catalog *catalog);", {"C++": "std::uint64_t hash() const noexcept", "Python": "def hash(self) -> int:",
      "Rust": "pub fn hash(&self) -> u64"}),
    ("a function that can fail", "catalog.h", "void pmuq_catalog_free(struct pmuq_catalog *catalog);",
     "\nint pmuq_catalog_merge(const struct pmuq_catalog *catalog, const struct pmuq_catalog *other,\n"
     "\t\tstruct pmuq_catalog **ret, struct pmuq_error **reterr);",
     {"C++": "Result<Catalog> merge(CatalogView other) const noexcept",
      "Python": "def merge(self, other: \"pmuq.Catalog\") -> \"pmuq.Catalog\":", "Rust": "pub fn merge(&self, other: &Catalog) -> Result<Catalog>"}),
    ("a function of no object", "pmuq.h", "const char *pmuq_version(void);", "\nunsigned pmuq_release(void);",
     {"C++": "inline unsigned release() noexcept", "Python": "def release() -> int:",
      "Rust": "pub fn release() -> u32"}),
]


def generated(include, write, hand):
    return "\n".join(write(bindings.Api(include, hand)).values())


def calls(language, name):
    """The call of a function in that language."""
    if language == "Rust":
        return rf"(ffi::|[ {{(]){name}\b"
    if language == "Python" and name.endswith("_free"):
        return rf"""create\(["']{name[:-5]}["']|POINTERS\["{name[:-5]}"\]"""
    return rf"\b{name}\b" if language == "C++" else rf"lib\.{name}\b"


def reads(language, name):
    """The access to a member of a record in that language."""
    if language == "Rust":
        return rf"\bc(\(\))?\.(\w+\.)?{bindings_rust.rust_name(name)}\b"
    return rf"object_->{name}\b" if language == "C++" else rf"""self\._c(\.|, "){name}\b"""


def nothing_forgotten(language, write, hand):
    api = bindings.Api(SOURCE / "include", hand)
    text = "\n".join([*write(api).values(), *(path.read_text() for path in hand)])
    without_comments = bindings.headers.COMMENT.sub("", text)
    forgotten = [name for name in api.headers.functions if not re.search(calls(language, name), without_comments)]
    tap.ok(len(api.headers.functions) > 150, "the headers declare functions")
    tap.same(sorted(forgotten), ["pmuq_store_open_lazy_metrics", "pmuq_store_open_lazy_vendor"],
             f"{language} calls each of them, except those whose result may not outlive another object")
    tap.same([line for file in write(api).values() for line in re.findall(r".*with free\(\).*", file)], [], f"no comment in {language} is about free()")
    members = [f"{one.struct}.{member.name}" for one in api.classes.values() if one.struct not in api.caller_structs
               for member in one.members if not re.search(reads(language, member.name), text)]
    tap.same(members, [], f"{language} has each member of each record")


def optional_texts():
    """A comment contains "or none" or promises a text; one that has "none" elsewhere is listed here."""
    api = bindings.Api(SOURCE / "include", [])
    texts = [(f"{one.struct}.{member.name}", " ".join(member.variable.doc), member.can_be_none) for one in api.classes.values()
             for member in one.members if member.what == "text"]
    tap.ok(sum(can_be_none for _, _, can_be_none in texts) > 30, "some texts can be missing")
    tap.same([name for name, doc, can_be_none in texts if re.search(r"\bnone\b", doc) and not can_be_none],
             ["pmuq_fit_event.counters", "pmuq_metric.version", "pmuq_vendor_event.version"], "… which their comments call none")
    tap.same([name for name, doc, can_be_none in texts if can_be_none and '; or ""' in doc], [], "… but no text that may be empty")


def new_ones(language, write, hand, work):
    for what, header, after, lines, want in NEW:
        include = work / what.replace(" ", "-") / "include"
        (include / "pmuq").mkdir(parents=True, exist_ok=True)
        for path in (SOURCE / "include/pmuq").glob("*.h"):
            text = path.read_text()
            if path.name == header:
                tap.ok(after in text, f"{header} contains the text before {what}", after)
                text = text.replace(after, after + lines)
            (include / "pmuq" / path.name).write_text(text)
        tap.ok(want[language] in generated(include, write, hand), f"{language}: {what} is generated", want[language])


def layout_program(structs, enum_list):
    lines = ["#include <pmuq/pmuq.h>", "#include <stdio.h>", "int main(void)", "{"]
    for name, struct in structs.items():
        lines.append(f'\tprintf("{name} %zu\\n", sizeof(struct {name}));')
        lines += [f'\tprintf("{name}.{member} %zu %zu\\n", offsetof(struct {name}, {member}),'
                  f" sizeof(((struct {name} *)0)->{member}));" for member, *_ in struct._fields_ if member != "rest"]
    lines += [f'\tprintf("{value} %d\\n", {value});' for one in enum_list for value in one.values]
    return "\n".join([*lines, "\treturn 0;", "}"]) + "\n"


def compiled(structs, enum_list, work):
    source, program = work / "layout.c", work / "layout"
    source.write_text(layout_program(structs, enum_list))
    subprocess.run([*CC, "-std=c11", f"-I{SOURCE}/include", f"-I{BUILD}/include", source, "-o", program], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()


def numbers(one):
    """The values of an enum in Python by their names in C, without the number of modifiers."""
    found_in = getattr(enums, bindings.camel(one.name))
    for name, value in one.values.items():
        found = [member for member in found_in if name.endswith(f"_{member.name}")]
        yield f"{name} {max(found, key=lambda member: len(member.name)).value if found else value}"


def laid_out(work):
    structs, enum_list = _declarations.STRUCTS, list(bindings.headers.read(str(SOURCE / "include")).enums.values())
    made = []
    for name, struct in structs.items():
        made.append(f"{name} {ctypes.sizeof(struct)}")
        made += [f"{name}.{member} {getattr(struct, member).offset} {getattr(struct, member).size}" for member, *_ in struct._fields_
                 if member != "rest"]
    made += [line for one in enum_list for line in numbers(one)]
    want = compiled(structs, enum_list, work)
    tap.ok(len(want) > 400, "there are structs and enums")
    tap.same([line for line in made if line not in want], [], "structs of ctypes have the layout of the compiler, and enums its values")


for name, (writer, files) in LANGUAGES.items():
    nothing_forgotten(name, writer, files)
    with tempfile.TemporaryDirectory() as directory:
        new_ones(name, writer, files, pathlib.Path(directory))
optional_texts()
with tempfile.TemporaryDirectory() as directory:
    laid_out(pathlib.Path(directory))
tap.finish()
