#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No function and no member of a record is forgotten by the generated bindings (scripts/bindings.py), and a new one
appears in them without a line anywhere else: test_bindings.py SOURCE_DIR"""
import pathlib
import re
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(SOURCE / "tests/cli"), str(SOURCE / "scripts")]
import bindings  # noqa: E402
import bindings_cpp  # noqa: E402
from tap import Tap  # noqa: E402

tap = Tap()
LANGUAGES = {"C++": (bindings_cpp.write, sorted((SOURCE / "include/pmuq").glob("*.hpp")))}
#: What a release to come might add: where, after what, the new lines, and what they must become in C++.
NEW = [
    ("a member of a record", "catalog.h", "struct pmuq_str terms; /**< \"event=0xcd,umask=0x1,ldlat=3\" */",
     "\n\tstruct pmuq_str topic; /**< or none */", {"C++": "std::optional<std::string_view> topic() const noexcept"}),
    ("a list that a record counts", "catalog.h", "size_t n_caps;", "\n\tsize_t n_notes;\n\tconst struct pmuq_str *notes;",
     {"C++": "detail::Array<std::string_view, pmuq_str> notes() const noexcept"}),
    ("a function that cannot fail", "catalog.h", "void pmuq_catalog_free(struct pmuq_catalog *catalog);",
     "\nuint64_t pmuq_catalog_hash(const struct pmuq_catalog *catalog);", {"C++": "std::uint64_t hash() const noexcept"}),
    ("a function that can fail", "catalog.h", "void pmuq_catalog_free(struct pmuq_catalog *catalog);",
     "\nint pmuq_catalog_merge(const struct pmuq_catalog *catalog, const struct pmuq_catalog *other,\n"
     "\t\tstruct pmuq_catalog **ret, struct pmuq_error **reterr);",
     {"C++": "Result<Catalog> merge(CatalogView other) const noexcept"}),
    ("a function of no object", "pmuq.h", "const char *pmuq_version(void);", "\nunsigned pmuq_release(void);",
     {"C++": "inline unsigned release() noexcept"}),
]


def generated(include, write, hand):
    return "\n".join(write(bindings.Api(include, hand)).values())


def nothing_forgotten(language, write, hand):
    text = generated(SOURCE / "include", write, hand)
    api = bindings.Api(SOURCE / "include", hand)
    functions = [name for name in set(api.headers.functions) - api.by_hand if not re.search(rf"\b{name}\b", text)]
    tap.ok(len(api.headers.functions) > 150, "the headers declare functions")
    tap.same(functions, [], f"{language} calls each of them")
    members = [f"{one.struct}.{member.name}" for one in api.classes.values() if one.struct not in api.caller_structs
               for member in one.members if not re.search(rf"\b{member.name}\b", text)]
    tap.same(members, [], f"{language} has each member of each record")


def new_ones(language, write, hand, work):
    for claim, header, after, lines, want in NEW:
        include = work / claim.replace(" ", "-") / "include"
        (include / "pmuq").mkdir(parents=True, exist_ok=True)
        for path in (SOURCE / "include/pmuq").glob("*.h"):
            text = path.read_text()
            if path.name == header:
                tap.ok(after in text, f"{header} has what {claim} is put after", after)
                text = text.replace(after, after + lines)
            (include / "pmuq" / path.name).write_text(text)
        tap.ok(want[language] in generated(include, write, hand), f"{language}: {claim} appears", want[language])


for name, (writer, files) in LANGUAGES.items():
    nothing_forgotten(name, writer, files)
    with tempfile.TemporaryDirectory() as directory:
        new_ones(name, writer, files, pathlib.Path(directory))
tap.finish()
