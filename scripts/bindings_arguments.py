# SPDX-License-Identifier: MIT
"""Translates the parameters of a C function to Python, for bindings_classes.py."""
import keyword
import re
from typing import List, Optional, Tuple

from bindings import Api, Member, Method, camel
from headers import Variable

#: Better names for Python.
CLASSES = {"pmuq_error": "Diagnosis"}
PATHS = ("path", "dir", "helper")
INDEXES = ("index", "target", "host", "import", "glob")
#: Objects that any number of threads may use. Calls on all other objects take a lock.
SHARED = ("pmuq_catalog", "pmuq_formula", "pmuq_metric_plan", "pmuq_metrics", "pmuq_vendor")
CTYPES = {"void": "None", "bool": "ctypes.c_bool", "int": "ctypes.c_int", "unsigned": "ctypes.c_uint",
          "size_t": "ctypes.c_size_t", "int8_t": "ctypes.c_int8", "int32_t": "ctypes.c_int32", "int64_t": "ctypes.c_int64", "uint8_t": "ctypes.c_uint8",
          "double": "ctypes.c_double", "uint16_t": "ctypes.c_uint16", "uint32_t": "ctypes.c_uint32", "uint64_t": "ctypes.c_uint64", "char": "ctypes.c_char"}
def class_name(struct: str) -> str:
    return CLASSES.get(struct) or camel(struct)


def python_name(name: str) -> str:
    return name + "_" * keyword.iskeyword(name)


class Argument:
    """A parameter of a Python method: its declaration, the statements before the call, and the argument for C. An object also
    has a handle, and may have a lock."""

    def __init__(self, name: str, annotation: str, value: str, default: str = "", before: str = "", handle: str = "",
                 waits: bool = False) -> None:
        self.name, self.annotation, self.value, self.default = name, annotation, value, default
        self.before, self.handle, self.waits = before, handle, waits

    @property
    def declaration(self) -> str:
        return f"{self.name}: {self.annotation}" + f" = {self.default}" * bool(self.default)


class Arguments:
    """Translates the parameters of one function."""

    def __init__(self, api: Api) -> None:
        self.api = api

    def enum(self, base: str) -> str:
        """The Python class of an enum, or "". Error codes have none: there are too many."""
        return camel(base) if base in self.api.headers.enums else ""

    def argument(self, method: Method, one: Variable) -> List[Argument]:
        type_, name, doc = one.type, python_name(one.name), method.doc_of(one.name)
        optional = "NULL" in doc
        if type_.base == "char" and type_.stars == 1:
            if one.name in PATHS:
                return [Argument(name, "Path", f"path_bytes({name})")]
            if optional:
                return [Argument(name, "Optional[Text]", f"to_bytes_or_none({name})", "None")]
            return [Argument(name, "Text", f"to_bytes({name})")]
        if type_.stars and type_.base == "pmuq_attr":
            return [Argument(name, "AttrLike", f"ctypes.byref({name}_)", before=f"{name}_ = attr_struct({name})")]
        if type_.stars and type_.base in self.api.caller_structs:
            return self.options(type_.base, name)
        if type_.stars and type_.base in self.api.classes:
            return [self.object(name, type_.base, optional or "check" == one.name)]
        if type_.stars:
            raise SystemExit(f"bindings.py: {method.function.name}: nothing is known of a parameter {one.name} of type {type_}; "
                             "call the function in a module by hand")
        enum = self.enum(type_.base)
        if enum:
            default = f"{enum}(0)" if method.inputs[-1] == one and method.fails else ""
            return [Argument(name, enum, f'enum_of("{name}", {name}, {enum})', default)]
        if type_.base == "bool":
            return [Argument(name, "bool", name, "False")]
        if one.name == "time_s":
            return [Argument(name, "Optional[int]", f"time_or_now({name})", "None")]
        if one.name in INDEXES:
            return [Argument(name, "int", f'index_of("{name}", {name})')]
        default = "0" if re.search(r"\b0( for|:)", doc) else ""
        return [Argument(name, "int", f'whole("{name}", {name}, {CTYPES[type_.base]})', default)]

    def object(self, name: str, struct: str, optional: bool) -> Argument:
        type_ = class_name(struct)
        if self.api.classes[struct].record and not self.api.classes[struct].is_owned:
            return Argument(name, f'"pmuq.{type_}"', f"{name}_", before=f'{name}_ = pointer_of("{name}", {name}, pmuq.{type_})')
        annotation, how, default = f'"pmuq.{type_}"', "handle_of", ""
        if optional:
            annotation, how, default = f"Optional[{annotation}]", "handle_or_none", "None"
        return Argument(name, annotation, f"{name}_", default, f'{name}_ = {how}("{name}", {name}, pmuq.{type_})', f"{name}_",
                        struct not in SHARED)

    def options(self, struct: str, variable: str) -> List[Argument]:
        """Options: a keyword argument for each member."""
        made, values = [], [f"ctypes.sizeof(raw.{camel(struct)})"]
        members = self.api.classes[struct].members
        for member in members:
            type_, name = member.variable.type, re.sub(r"^(is|with)_", "", member.name)
            if type_.base == "void" or member.name == "memory_bytes":
                values.append("None" if type_.stars else "0")
                continue
            argument = self.option(member, name)
            if argument:
                argument.default = self.api.defaults(struct).get(member.name, argument.default)
                made.append(argument)
                values.append(argument.value)
            elif member.name.startswith("n_"):
                values.append(f"len({member.name[2:]}_)")
        before = f"{variable}_ = raw.{camel(struct)}({', '.join(values)})"
        for argument in made:
            argument.value = ""
        return made + [Argument("*", "", f"ctypes.byref({variable}_)", before=before)]

    def option(self, member: Member, name: str) -> Optional[Argument]:
        type_ = member.variable.type
        if member.name.startswith("n_"):
            return None
        if member.name == "from":  # enum pmuq_origin
            return Argument("origins", "Origin", 'whole("origins", origins, ctypes.c_uint)', "Origin(0)")
        if type_.base == "pmuq_term":
            return Argument(name, "Optional[Mapping[Text, int]]", f"{name}_", "None", f'{name}_ = term_array("{name}", {name})')
        if type_.base == "char" and type_.stars == 2:
            return Argument(name, "Sequence[Text]", f"ctypes.cast({name}_, ctypes.POINTER(ctypes.c_char_p))", "()",
                            f'{name}_ = text_array("{name}", {name})')
        if name == "cpus":
            return Argument(name, "Optional[Cpus]", f"to_bytes_or_none(cpus_text({name}))", "None")
        if name in PATHS:
            return Argument(name, "Optional[Path]", f"path_bytes({name}) if {name} is not None else None", "None")
        if type_.base == "char":
            return Argument(name, "Optional[Text]", f"to_bytes_or_none({name})", "None")
        if type_.stars:
            made = self.object(name, type_.base, True)
            made.value = f"address_of({name}_)"
            return made
        enum = self.enum(type_.base)
        if enum:
            return Argument(name, enum, f'enum_of("{name}", {name}, {enum})', f"{enum}(0)")
        if type_.base == "bool":
            return Argument(name, "bool", f"bool({name})", "False")
        if name == "time_s":
            return Argument(name, "Optional[int]", f"time_or_now({name})", "None")
        return Argument(name, "int", f'whole("{name}", {name}, {CTYPES[type_.base]})', "0")

    def arguments(self, method: Method) -> Tuple[List[Argument], str]:
        """(the arguments in the order of C, the declaration of the parameters)"""
        made: List[Argument] = []
        inputs = list(method.inputs)
        while inputs:
            one = inputs.pop(0)
            if one.type.base == "char" and one.type.stars == 2 and inputs:
                before = f'{one.name}_ = text_array("{one.name}", {one.name})'
                made.append(Argument(one.name, "Sequence[Text]", f"{one.name}_", before=before))
                made.append(Argument("", "", f"len({one.name}_)"))
                inputs.pop(0)
            elif one.type.base in CTYPES and one.type.stars == 1 and one.type.base not in ("char", "void") and inputs:
                before = f'{one.name}_ = number_array("{one.name}", {one.name}, {CTYPES[one.type.base]})'
                made.append(Argument(one.name, "Iterable[int]", f"{one.name}_", before=before))
                made.append(Argument("", "", f"len({one.name}_)"))
                inputs.pop(0)
            elif one.type.base == "void" and inputs:
                name = python_name(one.name)
                made += [Argument(name, "bytes", name), Argument("", "", f"len({name})")]
                inputs.pop(0)
            else:
                made += self.argument(method, one)
        named = [one for one in made if one.name not in ("", "*")]
        keywords = [one for one in named if not one.value]
        plain = sorted((one for one in named if one.value), key=lambda one: bool(one.default))
        words = [one.declaration for one in plain] + ["*"] * bool(keywords) + [one.declaration for one in keywords]
        return made, ", ".join(words)
