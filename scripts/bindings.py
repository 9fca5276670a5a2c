#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates the C++ headers, the Python modules and the Rust sources from the C headers: bindings.py INCLUDE OUT HAND...

This file finds the classes in the declarations, for all languages: objects, records, methods and lists. bindings_cpp.py,
bindings_python.py and bindings_rust.py print them. HAND are the handwritten files of the language: a function that one of them calls is not generated.

The rules (a new function or member needs no line here):
  - a struct with a function pmuq_NAME_free() is owned; an opaque struct is an object, a struct with a size is a record,
    or, if the caller allocates it, options or a result;
  - a function is a method of its first parameter, if that is a class; a function that returns an object of the class in its
    name through `ret...` is a constructor; parameters `ret...` are results; a function with `reterr` can fail;
  - a function that returns a record by its index is a list, if the headers have a count of it: a function or a member;
  - if a record always contains or points to another record, the members of both are its members."""
import dataclasses
import pathlib
import re
import sys
from typing import Dict, List, Optional, Tuple

import headers
from headers import Function, Struct, Variable

#: C function → a better name for C++ and Python.
NAMES = {"pmuq_source_open_live": "live", "pmuq_source_open_tree": "tree", "pmuq_source_open_catalog": "of",
         "pmuq_source_open_sysfs": "sysfs", "pmuq_source_open_service": "service",
         "pmuq_writer_new": "make", "pmuq_reader_new": "make"}
#: Structs that never grow, since arrays contain them: types.h.
FIXED = ("pmuq_str", "pmuq_pair", "pmuq_bits", "pmuq_term", "pmuq_attr", "pmuq_formula_input", "pmuq_formula_result",
         "pmuq_metric_count", "pmuq_metric_value")
#: Options of which 0 is not the default: the member → its default; "": the caller must set it.
DEFAULTS = {"pmuq_open_call.cpu": "-1", "pmuq_open_call.group_fd": "-1", "pmuq_open_call.errnum": ""}

#: How handwritten files of a language call a function of the library.
CALLS = {".py": r"(?<=lib\.)pmuq_\w+", ".rs": r"(?<=ffi::)pmuq_\w+"}


@dataclasses.dataclass(frozen=True)
class Member:
    """A member of a record. `what` is text, value, enum, index, struct, array, bytes, object or attr."""

    name: str
    what: str
    variable: Variable
    can_be_none: bool = False
    count: str = ""  # of an array: the member that counts it, or a number

    @property
    def base(self) -> str:
        return self.variable.type.base


@dataclasses.dataclass(frozen=True)
class Count:
    """The length of a list: `function`(object, arguments), or `member` of the record that this function returns."""

    function: str = ""
    member: str = ""
    path: Tuple[str, ...] = ()  # the members to follow from the object to that record
    takes_index: bool = False


@dataclasses.dataclass(frozen=True)
class Method:
    function: Function
    name: str
    owner: str = ""  # its class: "pmuq_catalog"; "" for a function of no class
    is_static: bool = False
    inputs: Tuple[Variable, ...] = ()  # without the object
    outputs: Tuple[Variable, ...] = ()
    fails: bool = False
    count: Optional[Count] = None  # of a list; the index is not among the inputs

    @property
    def is_const(self) -> bool:
        return bool(self.function.parameters) and self.function.parameters[0].type.is_const

    like: Tuple[str, ...] = ()  # the comment of the function before it, if its own is "The same …"

    @property
    def doc(self) -> Tuple[str, ...]:
        return summary(self.function.doc)

    @property
    def whole_doc(self) -> str:
        """Its own comment, after the one in `like`."""
        return " ".join([*self.like, *self.function.doc])

    @property
    def is_alone(self) -> bool:
        """Whether the object that it makes does not need its inputs, by the comment."""
        return bool(re.search(r"(do|does)\s+not\s+need|independent|needs? neither|not needed|need it", self.whole_doc))

    def doc_of(self, name: str) -> str:
        """The text after @param NAME."""
        found = re.search(rf"@param {name}\s+(.*?)(?=@|$)", self.whole_doc)
        return " ".join(found[1].split()) if found else ""


@dataclasses.dataclass
class Class:
    struct: str  # "pmuq_catalog"
    record: Optional[Struct] = None
    is_owned: bool = False
    is_list: bool = False
    members: List[Member] = dataclasses.field(default_factory=list)
    methods: List[Method] = dataclasses.field(default_factory=list)
    #: Records that it always has: (method or member that returns one, its class).
    wholes: List[Tuple[str, str]] = dataclasses.field(default_factory=list)

    @property
    def name(self) -> str:
        return camel(self.struct)

    @property
    def is_mutable(self) -> bool:
        return any(not one.is_const and not one.is_static for one in self.methods)


def camel(struct: str) -> str:
    """ "pmuq_open_result" as "OpenResult"."""
    return "".join(word.capitalize() for word in struct.replace("pmuq_", "", 1).split("_"))


def summary(doc: Tuple[str, ...]) -> Tuple[str, ...]:
    """A comment up to its first @param or @return."""
    lines = []
    for line in doc:
        if line.lstrip().startswith("@"):
            break
        lines.append(line)
    return tuple("\n".join(lines).strip("\n").split("\n"))


def plural(name: str) -> str:
    return name + ("es" if name.endswith("s") else "s")


class Api:
    """The declarations of the headers as classes, methods and functions."""

    def __init__(self, include: pathlib.Path, hand: List[pathlib.Path]) -> None:
        self.headers = headers.Headers(include)
        self.hand = hand
        text = headers.COMMENT.sub("", "\n".join(path.read_text() for path in hand))
        called = re.findall(CALLS.get(hand[0].suffix if hand else "", r"\bpmuq_\w+"), text)
        self.by_hand = set(called) & set(self.headers.functions)
        self.caller_structs = {one.name for one in self.headers.structs.values() if self._is_of_caller(one)}
        self.classes: Dict[str, Class] = {}
        self.functions: List[Method] = []
        self._find_classes()
        like: Tuple[str, Tuple[str, ...]] = ("", ())
        for function in self.headers.functions.values():
            if not (function.doc and function.doc[0].startswith("The same")):
                like = (function.name, function.doc)
                self._emit(function)
            else:
                doc = (f"Like {like[0]}(): t{function.doc[0][1:]}", *function.doc[1:])
                self._emit(dataclasses.replace(function, doc=doc), like[1])
        self._find_wholes()
        self._find_lists()

    # Classes and their members

    def _is_of_caller(self, struct: Struct) -> bool:
        """Whether the caller allocates it: options, or a result."""
        taken = [one.type for function in self.headers.functions.values() for one in function.parameters
                 if one.type.base == struct.name and one.type.stars == 1 and (one.name.startswith("ret") or not one.type.is_const
                                                                             or "options" in one.name
                                                                             or one.name in ("filter", "call", "parts"))]
        return struct.is_sized and bool(taken) and f"{struct.name}_free" not in self.headers.functions

    def _find_classes(self) -> None:
        named = [one for one in self.headers.opaque if one not in self.headers.structs]
        for name in [*self.headers.structs, *named]:
            struct = self.headers.structs.get(name)
            if name in FIXED or struct and not struct.is_sized:
                continue
            self.classes[name] = Class(name, struct, f"{name}_free" in self.headers.functions)
        for one in self.classes.values():
            if one.record:
                one.members = self.members_of(one.record)

    def members_of(self, struct: Struct) -> List[Member]:
        names = [one.name for one in struct.members]
        return [self._member(one, names) for one in struct.members if one.name != "size"]

    def _member(self, one: Variable, names: List[str]) -> Member:
        doc, type_ = " ".join(one.doc), one.type
        if type_.base == "pmuq_str" and not type_.stars:
            return Member(one.name, "text", one, "or none" in doc)
        if type_.base == "pmuq_attr":
            return Member(one.name, "attr", one, "NULL" in doc)
        if type_.stars and type_.base in self.classes:
            return Member(one.name, "object", one, "NULL" in doc)
        if one.n:
            return Member(one.name, "array", one, count=str(one.n))
        if type_.stars and type_.base not in ("char", "void"):
            after = [name for name in names[names.index(one.name):] if name.startswith("n_")]
            return Member(one.name, "array", one, count=f"n_{one.name}" if f"n_{one.name}" in names else (after or [""])[0])
        if type_.tag == "struct":
            return Member(one.name, "struct", one)
        if type_.stars:
            return Member(one.name, "bytes", one, count=f"{one.name}_bytes")
        if re.search(r"\b(PMUQ_NOT_KNOWN|SIZE_MAX)\b", doc):
            return Member(one.name, "index", one, True)
        return Member(one.name, "enum" if type_.tag == "enum" else "value", one, f"has_{one.name}" in names)

    def _find_wholes(self) -> None:
        for one in self.classes.values():
            if one.struct in self.caller_structs:
                continue
            one.wholes += [(member.name, member.base) for member in one.members
                           if member.what == "struct" or member.what == "object" and not member.can_be_none
                           and self.classes[member.base].record]
            one.wholes += [(method.name, method.function.result.base) for method in one.methods
                           if method.is_const and not method.inputs and not method.outputs and method.function.result.stars
                           and method.function.result.base in self.classes and self.classes[method.function.result.base].record]

    def defaults(self, struct: str) -> Dict[str, str]:
        """The members of options that have an entry in DEFAULTS."""
        return {name.split(".")[1]: value for name, value in DEFAULTS.items() if name.split(".")[0] == struct}

    def needed(self, struct: str) -> List[Member]:
        """The members of options that the caller must set."""
        defaults = self.defaults(struct)
        return [one for one in self.classes[struct].members if defaults.get(one.name) == ""] if defaults else []

    def fixed_members(self, struct: str) -> List[Member]:
        return [Member(one.name, "value", one) for one in self.headers.structs[struct].members]

    def doc_of(self, one: Class) -> Tuple[str, ...]:
        """The first comment of the header that declares the object."""
        free = self.headers.functions.get(f"{one.struct}_free")
        return self.headers.files[free.header] if free else ()

    def name_function(self, member: Member) -> str:
        """The function that returns the name of an enum value, or ""."""
        name = f"{member.base}_name"
        return name if member.what == "enum" and name in self.headers.functions else ""

    # Functions

    def _emit(self, function: Function, like: Tuple[str, ...] = ()) -> None:
        # A lazy table may not outlive its store, nor be shared by threads: languages that promise both have whole tables.
        if function.name.endswith("_free") or "_lazy_" in function.name:
            return
        parameters = list(function.parameters)
        fails = bool(parameters) and parameters[-1].type.base == "pmuq_error" and parameters[-1].type.stars == 2
        if fails:
            parameters.pop()
        outputs: List[Variable] = []
        while parameters and re.match(r"ret(_|$)", parameters[-1].name):
            outputs.insert(0, parameters.pop())
        made = next((one.type.base for one in outputs if one.type.stars == 2 and one.type.base in self.classes), "")
        first = parameters[0].type if parameters else None
        owner = first.base if first and first.stars == 1 and first.base in self.classes else ""
        is_static = bool(made) and made != owner and function.name.startswith(made + "_")
        if is_static:
            owner = made
        elif owner:
            parameters.pop(0)
        rest = function.name[len(owner) + 1:] if owner and function.name.startswith(owner + "_") else function.name[len("pmuq_"):]
        name = NAMES.get(function.name, rest)
        method = Method(function, name, owner, is_static, tuple(parameters), tuple(outputs), fails, like=like)
        (self.classes[owner].methods if owner else self.functions).append(method)

    def is_taken(self, one: Variable) -> bool:
        """Whether a function takes ownership of an object: no function changes this class, so the parameter would be const otherwise."""
        type_ = self.classes.get(one.type.base)
        return bool(type_) and not type_.record and not type_.is_mutable and one.type.stars == 1 and not one.type.is_const

    # Lists

    def _find_lists(self) -> None:
        for one in self.classes.values():
            one.is_list = all(f"{one.struct}_{what}" in self.headers.functions for what in ("count", "get"))
            counting = {f"{one.struct}_count"} if one.is_list else set()
            for position, method in enumerate(one.methods):
                found = self._list_of(one, method)
                if found and not (one.is_list and method.name == "get"):
                    one.methods[position] = dataclasses.replace(method, name=found[0], count=found[1], inputs=method.inputs[:-1])
                    counting.add(found[1].function if found[1].function.endswith("_count") else "")
            one.methods = [method for method in one.methods if method.function.name not in counting
                           and not (one.is_list and method.name == "get")]

    def _list_of(self, one: Class, method: Method) -> Optional[Tuple[str, Count]]:
        """The name and the length of the list whose elements a function returns; None if it returns no elements."""
        result, inputs = method.function.result, method.inputs
        is_element = result.stars == 1 and result.base in self.classes and not method.fails
        if not (is_element and inputs and inputs[-1].type.base == "size_t"):
            return None
        item = result.base.rsplit("_", 1)[-1] if method.name == "get" else method.name
        if f"{one.struct}_{item}_count" in self.headers.functions and len(inputs) == 1:
            return plural(item), Count(f"{one.struct}_{item}_count")
        for name in (plural(item), item):
            count = self._count(one, f"n_{name}", len(inputs))
            if count:
                return name, count
        return None

    def _count(self, one: Class, member: str, n_inputs: int) -> Optional[Count]:
        """Finds the member that is the length of a list: in the record, in one of its records, or in what a method returns."""
        def has(struct: str) -> bool:
            return any(each.name == member for each in self.headers.structs[struct].members)

        if n_inputs == 2:
            get = self.headers.functions.get(f"{one.struct}_get")
            return Count(get.name, member, takes_index=True) if get and has(get.result.base) else None
        if one.record and has(one.struct):
            return Count(member=member)
        for name, struct in one.wholes:
            if has(struct):
                function = f"{one.struct}_{name}"
                return Count(function, member) if function in self.headers.functions else Count(member=member, path=(name,))
        return None


def main() -> None:
    include, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    api = Api(include, [pathlib.Path(one) for one in sys.argv[3:]])
    if out.suffix == ".hpp":
        import bindings_cpp as language
    elif out.suffix == ".rs":
        import bindings_rust as language  # type: ignore[no-redef]
    else:
        import bindings_python as language  # type: ignore[no-redef]
    out.write_text(language.write(api)[out.name])


if __name__ == "__main__":
    main()
