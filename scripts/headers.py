# SPDX-License-Identifier: MIT
"""Reads the public headers, for the manual, the bindings, the symbol map and the tests.

It reads the layout of our headers, not all of C: a comment belongs to all declarations below it, up to a blank line or the
next comment. Each member of a struct and each value of an enum is a declaration with its own comment."""
import dataclasses
import functools
import pathlib
import re
from typing import Dict, Iterator, List, Optional, Tuple

COMMENT = re.compile(r"/\*\*?(.*?)\*/", re.S)
FUNCTION = re.compile(r"^(?P<type>[\w\s]+?[\s*]+)(?P<name>pmuq_\w+)\((?P<args>[^()]*)\);$", re.S)
TOKEN = re.compile(r"\s*(?:/\*\*(?P<doc>.*?)\*/|(?P<plain>/\*.*?\*/)|(?P<macro>#(?:[^\n]*\\\n)*[^\n]*)|"
                   r"(?P<decl>(?:enum|struct) \w+ \{.*?\n\};|[^;{#/]+;))", re.S)
MEMBER = re.compile(r"(?P<type>(?:const )?(?:struct |enum )?\w+ (?:\*const )?\**)(?P<name>\w+)(?P<bits> : \d+)?(?:\[(?P<n>\w+)\])?$")


@dataclasses.dataclass(frozen=True)
class Type:
    """A type of a declaration."""

    base: str  # "size_t", "pmuq_event"
    stars: int = 0
    is_const: bool = False  # the object that it points to is const
    tag: str = ""  # "struct", "enum" or ""

    def __str__(self) -> str:
        words = ["const"] * self.is_const + [self.tag] * bool(self.tag) + [self.base]
        return " ".join(words) + (" " + "*" * self.stars if self.stars else "")


@dataclasses.dataclass(frozen=True)
class Variable:
    """A parameter, or a member of a struct."""

    type: Type
    name: str
    doc: Tuple[str, ...] = ()
    n: int = 0  # length of an array
    is_bits: bool = False


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    result: Type
    parameters: Tuple[Variable, ...]
    doc: Tuple[str, ...] = ()
    header: str = ""
    text: str = ""  # as it is declared, in one line, without the semicolon


@dataclasses.dataclass(frozen=True)
class Struct:
    name: str
    members: Tuple[Variable, ...]
    doc: Tuple[str, ...] = ()
    header: str = ""

    @property
    def is_sized(self) -> bool:
        """Whether it begins with its size: a record, options, or a result in the caller's memory."""
        return self.members[0].name == "size" and self.name != "pmuq_attr"


@dataclasses.dataclass(frozen=True)
class Enum:
    name: str
    values: Dict[str, int]
    doc: Tuple[str, ...] = ()
    docs: Dict[str, str] = dataclasses.field(default_factory=dict)
    header: str = ""


def clean(comment: str) -> List[str]:
    """The lines of a comment without its stars."""
    lines = [re.sub(r"^\s*\*? ?", "", line, count=1).rstrip() for line in comment.strip("\n").split("\n")]
    return [line for line in lines if line != "@file"]


def groups(text: str) -> Iterator[Tuple[List[str], List[str]]]:
    """Yields (comment lines, [declaration, …]) of a header in order; the comment may be empty."""
    body = re.split(r'extern "C" \{\n#endif\n', text, maxsplit=1)[-1] if 'extern "C"' in text else re.split(r"(?<=\n)\n(?=/\*\*)", text, maxsplit=1)[-1]
    body = body.rsplit("#ifdef __cplusplus", 1)[0] if 'extern "C"' in text else body.rsplit("#endif", 1)[0]
    position, comment, group = 0, [], []
    while (match := TOKEN.match(body, position)):
        gap = body[position:match.start(match.lastgroup)]
        position = match.end()
        if match["doc"] is not None:
            if group:
                yield comment, group
            comment, group = clean(match["doc"]), []
        elif match["decl"] or (match["macro"] or "").startswith("#define"):
            if group and "\n\n" in gap:
                yield comment, group
                comment, group = [], []
            group.append((match["decl"] or match["macro"]).strip())
    if group:
        yield comment, group
    left = body[position:].strip()
    if left:
        raise SystemExit(f"headers.py: cannot read this declaration: {left[:80]!r}")


def read_type(text: str) -> Type:
    """ "const struct pmuq_pmu *" """
    stars, words = text.count("*"), text.replace("*", " ").split()
    tag = next((word for word in words if word in ("struct", "enum")), "")
    return Type([word for word in words if word not in ("const", "struct", "enum")][0], stars, "const" in words, tag)


def read_parameters(text: str) -> Tuple[Variable, ...]:
    if text.strip() == "void":
        return ()
    parts = [" ".join(one.split()) for one in text.split(",")]
    # "const char *const *names" is an array of texts.
    return tuple(Variable(read_type(re.sub(r"\w+$", "", one)), re.search(r"(\w+)$", one)[1]) for one in parts)


def members(body: str) -> Iterator[Variable]:
    """The members of a struct, each with its comment."""
    before: List[str] = []
    for match in re.finditer(r"/\*\*(?!<)(?P<doc>.*?)\*/|(?P<decl>[^;/]+);[ \t]*(?:/\*\*?<?(?P<after>.*?)\*/)?", body, re.S):
        if match["doc"] is not None:
            before = clean(match["doc"])
            continue
        doc = tuple(before or clean(match["after"] or ""))
        first, *others = [" ".join(one.split()) for one in match["decl"].strip().split(",")]
        parts = MEMBER.match(first)
        if not parts:
            raise SystemExit(f"headers.py: cannot read this member: {first!r}")
        tag = read_type(parts["type"])
        for one in [parts["name"] + (f"[{parts['n']}]" if parts["n"] else ""), *others]:
            name, _, n = one.strip("*").partition("[")
            yield Variable(tag, name, doc, int(n.rstrip("]") or 0) if n else 0, bool(parts["bits"]))
        before = []


def read_enum(name: str, body: str, doc: Tuple[str, ...], header: str) -> Enum:
    values: Dict[str, int] = {}
    docs: Dict[str, str] = {}
    for match in re.finditer(r"(\w+)(?: =\s*([^,/]+?))?\s*(?:,|$)\s*(?:/\*\*<(.*?)\*/)?", body.strip(), re.S):
        values[match[1]] = int(eval(f"({match[2]})")) if match[2] else len(values)
        docs[match[1]] = " ".join(clean(match[3] or "")).strip()
    return Enum(name, values, doc, docs, header)


@dataclasses.dataclass(frozen=True)
class Constant:
    """A macro that is a number."""

    name: str
    value: int
    doc: Tuple[str, ...] = ()


class Headers:
    """The declarations of all headers, or of the named ones."""

    def __init__(self, include: pathlib.Path, names: Optional[List[str]] = None) -> None:
        self.include = include
        self.paths = sorted(path for path in include.glob("pmuq/*.h") if not names or path.name in names)
        self.functions: Dict[str, Function] = {}
        self.structs: Dict[str, Struct] = {}
        self.enums: Dict[str, Enum] = {}
        self.constants: Dict[str, Constant] = {}
        self.opaque: List[str] = []
        self.files: Dict[str, Tuple[str, ...]] = {}  # header → its first comment
        for path in self.paths:
            self._read(path.name, path.read_text())

    def _read(self, header: str, text: str) -> None:
        self.files[header] = tuple(next((clean(one) for one in COMMENT.findall(text) if "@file" in one), []))
        for comment, group in groups(text):
            for declaration in group:
                self._declare(header, tuple(comment), declaration)

    def _declare(self, header: str, doc: Tuple[str, ...], declaration: str) -> None:
        if match := FUNCTION.match(declaration):
            self.functions[match["name"]] = Function(match["name"], read_type(match["type"]), read_parameters(match["args"]), doc, header,
                                                     " ".join(declaration.rstrip(";").split()))
        elif match := re.match(r"struct (\w+) \{(.*)\};$", declaration, re.S):
            self.structs[match[1]] = Struct(match[1], tuple(members(match[2])), doc, header)
        elif match := re.match(r"enum (\w+) \{(.*)\};$", declaration, re.S):
            self.enums[match[1]] = read_enum(match[1], match[2], doc, header)
        elif match := re.match(r"#define (\w+) (\d+)$", declaration):
            self.constants[match[1]] = Constant(match[1], int(match[2]), doc)
        elif match := re.match(r"struct (\w+);$", declaration):
            self.opaque.append(match[1])


@functools.lru_cache(maxsize=None)
def read(include: str) -> Headers:
    return Headers(pathlib.Path(include))
