# SPDX-License-Identifier: MIT
"""What the parameters of a C function are in Python: bindings_classes.py."""
import keyword
import re
from typing import List, Optional, Tuple

from bindings import Api, Member, Method, camel
from headers import Variable

#: Names that read better in Python. The class Error is the exception.
CLASSES = {"pmuq_error": "Diagnosis"}
PATHS = ("path", "dir", "helper")
INDEXES = ("index", "target", "host", "import", "glob")
#: Any number of threads may use these; of all other objects calls wait for each other.
SHARED = ("pmuq_catalog", "pmuq_vendor")
CTYPES = {"void": "None", "int32_t": "ctypes.c_int32", "int": "ctypes.c_int", "unsigned": "ctypes.c_uint", "bool": "ctypes.c_bool", "size_t": "ctypes.c_size_t",
          "int8_t": "ctypes.c_int8", "uint8_t": "ctypes.c_uint8", "uint16_t": "ctypes.c_uint16", "int64_t": "ctypes.c_int64",
          "uint32_t": "ctypes.c_uint32", "uint64_t": "ctypes.c_uint64", "char": "ctypes.c_char"}
def class_name(struct: str) -> str:
    return CLASSES.get(struct) or camel(struct)


def python_name(name: str) -> str:
    return name + "_" * keyword.iskeyword(name)


class Argument:
    """A parameter of a Python method: how it is declared, what is done with it first, and what C gets."""

    def __init__(self, name: str, annotation: str, value: str, default: str = "", before: str = "", handle: str = "") -> None:
        self.name, self.annotation, self.value, self.default = name, annotation, value, default
        self.before, self.handle = before, handle

    @property
    def declaration(self) -> str:
        return f"{self.name}: {self.annotation}" + f" = {self.default}" * bool(self.default)


class Arguments:
    """Works them out."""

    def __init__(self, api: Api) -> None:
        self.api = api

    def enum(self, base: str) -> str:
        """The Python class of an enum; that of codes is none, since they are many."""
        return camel(base) if base in self.api.headers.enums else ""

    def doc_of(self, method: Method, name: str) -> str:
        """What the comment says of a parameter."""
        found = re.search(rf"@param {name}\s+(.*?)(?=@|$)", method.whole_doc)
        return " ".join(found[1].split()) if found else ""

    def argument(self, method: Method, one: Variable) -> List[Argument]:
        kind, name, doc = one.type, python_name(one.name), self.doc_of(method, one.name)
        optional = "NULL" in doc
        if kind.base == "char" and kind.stars == 1:
            if one.name in PATHS:
                return [Argument(name, "Path", f"path_bytes({name})")]
            if optional:
                return [Argument(name, "Optional[Text]", f"to_bytes_or_none({name})", "None")]
            return [Argument(name, "Text", f"to_bytes({name})")]
        if kind.stars and kind.base == "pmuq_attr":
            return [Argument(name, "AttrLike", f"ctypes.byref({name}_)", before=f"{name}_ = attr_struct({name})")]
        if kind.stars and kind.base in self.api.caller_structs:
            return self.options(kind.base)
        if kind.stars and kind.base in self.api.classes:
            return [self.object(name, kind.base, optional or "check" == one.name)]
        if kind.stars:
            raise SystemExit(f"bindings.py: {method.function.name}: nothing is known of a parameter {one.name} of type {kind}; "
                             "call the function in a module by hand")
        enum = self.enum(kind.base)
        if enum:
            return [Argument(name, enum, f'enum_of("{name}", {name}, {enum})', f"{enum}(0)" if method.inputs[-1] == one and method.fails else "")]
        if kind.base == "bool":
            return [Argument(name, "bool", name, "False")]
        if one.name == "time_s":
            return [Argument(name, "Optional[int]", f"time_or_now({name})", "None")]
        if one.name in INDEXES:
            return [Argument(name, "int", f'index_of("{name}", {name})')]
        return [Argument(name, "int", f'whole("{name}", {name}, {CTYPES[kind.base]})', "0" if re.search(r"\b0( for|:)", doc) else "")]

    def object(self, name: str, struct: str, optional: bool) -> Argument:
        kind = class_name(struct)
        if self.api.classes[struct].record and not self.api.classes[struct].is_owned:
            return Argument(name, f'"pmuq.{kind}"', f"{name}_", before=f'{name}_ = pointer_of("{name}", {name}, pmuq.{kind})')
        how = "handle_or_none" if optional else "handle_of"
        return Argument(name, f'Optional["pmuq.{kind}"]' if optional else f'"pmuq.{kind}"', f"{name}_", "None" if optional else "",
                        f'{name}_ = {how}("{name}", {name}, pmuq.{kind})', f"{name}_" if struct not in SHARED else f"{name}_ ")

    def options(self, struct: str) -> List[Argument]:
        """A keyword for each member."""
        made, values = [], [f"ctypes.sizeof(raw.{camel(struct)})"]
        members = self.api.classes[struct].members
        for member in members:
            kind, name = member.variable.type, re.sub(r"^(is|with)_", "", member.name)
            if kind.base == "void" or f"{member.name}" == "memory_bytes":
                continue
            argument = self.option(member, name)
            if argument:
                made.append(argument)
                values.append(argument.value)
            elif member.name.startswith("n_"):
                values.append(f"len({member.name[2:]}_)")
        before = f"options_ = raw.{camel(struct)}({', '.join(values)})"
        for argument in made:
            argument.value = ""
        return made + [Argument("*", "", "ctypes.byref(options_)", before=before)]

    def option(self, member: Member, name: str) -> Optional[Argument]:
        kind = member.variable.type
        if member.name.startswith("n_"):
            return None
        if member.name == "from":  # enum pmuq_origin
            return Argument("origins", "Origin", 'whole("origins", origins, ctypes.c_uint)', "Origin(0)")
        if kind.base == "char" and kind.stars == 2:
            return Argument(name, "Sequence[Text]", f"ctypes.cast({name}_, ctypes.POINTER(ctypes.c_char_p))", "()", f'{name}_ = text_array("{name}", {name})')
        if name == "cpus":
            return Argument(name, "Optional[Cpus]", f"to_bytes_or_none(cpus_text({name}))", "None")
        if name in PATHS:
            return Argument(name, "Optional[Path]", f"path_bytes({name}) if {name} is not None else None", "None")
        if kind.base == "char":
            return Argument(name, "Optional[Text]", f"to_bytes_or_none({name})", "None")
        if kind.stars:
            made = self.object(name, kind.base, True)
            made.value = f"address_of({name}_)"
            return made
        enum = self.enum(kind.base)
        if enum:
            return Argument(name, enum, f'enum_of("{name}", {name}, {enum})', f"{enum}(0)")
        if kind.base == "bool":
            return Argument(name, "bool", f"bool({name})", "False")
        if name == "time_s":
            return Argument(name, "Optional[int]", f"time_or_now({name})", "None")
        return Argument(name, "int", f'whole("{name}", {name}, {CTYPES[kind.base]})', "0")

    def arguments(self, method: Method) -> Tuple[List[Argument], str]:
        """(the arguments in the order of C, the declaration of the parameters)"""
        made: List[Argument] = []
        inputs = list(method.inputs)
        while inputs:
            one = inputs.pop(0)
            if one.type.base == "char" and one.type.stars == 2 and inputs:
                made += [Argument(one.name, "Sequence[Text]", f"{one.name}_", before=f'{one.name}_ = text_array("{one.name}", {one.name})'),
                         Argument("", "", f"len({one.name}_)")]
                inputs.pop(0)
            elif one.type.base == "void" and inputs:
                made += [Argument(python_name(one.name), "bytes", python_name(one.name)), Argument("", "", f"len({python_name(one.name)})")]
                inputs.pop(0)
            else:
                made += self.argument(method, one)
        named = [one for one in made if one.name not in ("", "*")]
        keywords = [one for one in named if not one.value]
        plain = sorted((one for one in named if one.value), key=lambda one: bool(one.default))
        words = [one.declaration for one in plain] + ["*"] * bool(keywords) + [one.declaration for one in keywords]
        return made, ", ".join(words)
