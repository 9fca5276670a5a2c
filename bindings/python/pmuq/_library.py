# SPDX-License-Identifier: MIT
"""libpmuq.so.0, loaded: its functions with the signatures of _table.py, each bound when it is first used.

Which file: the one that the environment variable PMUQ_LIBRARY names, else the one that was installed under the same
prefix, else what the system's loader finds.

About the GIL: functions that can fail, functions that free, and the few others that may take long let other threads run
meanwhile; plain accessors, which take less time than letting go would, do not."""
import ctypes
import os
import re
import sys
from typing import Any, Dict, List, Optional, Type, Union

from ._members import MEMBERS
from ._records import POINTERS, RECORDS
from ._structs import STRUCTS
from ._table import FUNCTIONS

#: What the signatures are of: a library of the same major version, and of this minor version or a later one.
VERSION = (0, 1)
NAME = "libpmuq.so.0"

_WORDS: Dict[str, Any] = {
    "void": None, "int": ctypes.c_int, "uint": ctypes.c_uint, "bool": ctypes.c_bool, "size": ctypes.c_size_t,
    "u16": ctypes.c_uint16, "u32": ctypes.c_uint32, "u64": ctypes.c_uint64, "i64": ctypes.c_int64, "text": ctypes.c_char_p,
    "char*": ctypes.c_void_p, "void*": ctypes.c_void_p}
# Without an error to return, they read files or start programs all the same.
_SLOW = {"pmuq_source_find_fact", "pmuq_build_info", "pmuq_capture_library_info"}
_pointers: Dict[str, Type[ctypes.c_void_p]] = {}

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


def pointer_type(word: str) -> Type[ctypes.c_void_p]:
    """A type for pointers to objects of that name, so that one is not taken for another."""
    known = _pointers.get(word)
    # One type for a word, whoever comes first.
    return known or _pointers.setdefault(word, type(word, (ctypes.c_void_p,), {}))


def _type_of(word: str) -> Any:
    if word in _WORDS:
        return _WORDS[word]
    if not word.endswith("*"):
        return ctypes.c_uint  # an enum
    name = word[:-1]
    if name.endswith("*") or name in _WORDS:
        return ctypes.POINTER(_type_of(name))
    struct = STRUCTS.get("pmuq_" + name)
    return ctypes.POINTER(struct) if struct else pointer_type(name)


class _Expression:
    """The way from arguments to a member of a record: "pmuq_catalog_problem({0}, {1})->path.p"."""

    def __init__(self, library: "Library", first: str, text: str) -> None:
        self._library, self._first = library, first
        self._words = re.findall(r"\{\d\}|\{\*\}|->|\w+|\"[^\"]*\"|[()\[\].,]", text)

    def __call__(self, *arguments: Any) -> Any:
        self._at, self._arguments = 0, arguments
        return self._value()[0]

    def _next(self) -> str:
        self._at += 1
        return str(self._words[self._at - 1])

    def _peek(self) -> str:
        return str(self._words[self._at]) if self._at < len(self._words) else ""

    def _call(self, name: str) -> Any:
        self._next()
        values: List[Any] = []
        while self._peek() != ")":
            if self._peek() == "{*}":
                self._next()
                values += self._arguments
            else:
                values.append(self._value()[0])
            if self._peek() == ",":
                self._next()
        self._next()
        return getattr(self._library, name)(*values), FUNCTIONS[name].split()[0].rstrip("*")

    def _value(self) -> Any:
        word = self._next()
        if word.startswith("{"):
            value, kind = self._arguments[int(word[1])], self._first
        elif word.startswith('"'):
            value, kind = word[1:-1].encode(), ""
        else:
            value, kind = self._call(word)
        while self._peek() in ("->", ".", "["):
            value, kind = self._step(value, kind)
        return value, kind

    def _step(self, value: Any, kind: str) -> Any:
        sign = self._next()
        if sign == "[":
            index = self._value()[0]
            self._next()
            return value[index], kind
        name = self._next()
        if sign == "->":
            pointer = getattr(value, "_as_parameter_", value)
            if not isinstance(pointer, ctypes.c_void_p):
                pointer = ctypes.cast(pointer, ctypes.c_void_p)
            if not pointer.value:
                return None, ""
            value = RECORDS["pmuq_" + kind].from_address(pointer.value)
        elif value is None:
            return None, ""
        got = getattr(value, name)
        target = POINTERS.get(("pmuq_" + kind, name)) if sign == "->" else None
        if target == "attr":
            return ctypes.cast(got, ctypes.POINTER(STRUCTS["pmuq_attr"])), target
        return (pointer_type(target)(got), target) if target else (got, "")


class Library:
    """The functions of the library as attributes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._slow = ctypes.CDLL(path)
        self._quick = ctypes.PyDLL(path)

    def __getattr__(self, name: str) -> Any:
        if name == "read_member":
            # A member of a record: the record's word, the way to it, what the way begins with.
            return lambda first, way, *arguments: _Expression(self, first, way)(*arguments)
        if name in MEMBERS:
            return lambda *arguments: _Expression(self, *MEMBERS[name])(*arguments)
        if name not in FUNCTIONS:
            raise AttributeError(name)
        words = FUNCTIONS[name].split()
        is_slow = words[-1] == "error**" or name.endswith("_free") or name in _SLOW
        try:
            function = (self._slow if is_slow else self._quick)[name]
        except AttributeError:
            raise ImportError(f"{self.path} has no function {name}: it is older than this module") from None
        function.restype = _type_of(words[0])
        function.argtypes = [_type_of(word) for word in words[1:]]
        setattr(self, name, function)
        return function


def _path() -> str:
    if named := os.environ.get("PMUQ_LIBRARY"):
        return named
    here = os.path.dirname(os.path.abspath(__file__))
    for inside in ("/lib/python", "/lib64/python"):
        prefix, is_there, _ = here.rpartition(inside)
        for folder in (f"lib/{getattr(sys.implementation, '_multiarch', '')}", "lib64", "lib"):
            path = os.path.join(prefix, folder, NAME)
            if is_there and os.path.exists(path):
                return path
    return NAME


def _load() -> Library:
    path = _path()
    try:
        library = Library(path)
        library._slow["pmuq_version"]
    except OSError as error:
        raise ImportError(f"the library of pmuq cannot be loaded: {error}; install it (package libpmuq0), or name its file in"
                          " the environment variable PMUQ_LIBRARY") from error
    except AttributeError:
        raise ImportError(f"{path} is no library of pmuq: it has no function pmuq_version") from None
    version = library.pmuq_version().decode()
    major, minor = (int(part) for part in version.split(".")[:2])
    if major != VERSION[0] or minor < VERSION[1]:
        raise ImportError(f"{path} is of version {version}, and this module wants {VERSION[0]}.{VERSION[1]} or a later"
                          f" {VERSION[0]}.x")
    return library


lib = _load()
_free = ctypes.CDLL(None).free
_free.argtypes, _free.restype = [ctypes.c_void_p], None


def text(raw: Optional[bytes]) -> str:
    """Text of the library; bytes that are not UTF-8 are kept as surrogates, as os.fsdecode() does. NULL is empty."""
    return raw.decode("utf-8", "surrogateescape") if raw else ""


def text_or_none(raw: Optional[bytes]) -> Optional[str]:
    return None if raw is None else raw.decode("utf-8", "surrogateescape")


def owned_text(pointer: Optional[int]) -> str:
    """Text that the library gave away."""
    if not pointer:
        raise MemoryError
    try:
        return text(ctypes.string_at(pointer))
    finally:
        _free(pointer)


def to_bytes(value: Union[str, bytes]) -> bytes:
    """Text for the library, the other way round."""
    raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    if not isinstance(raw, bytes):
        raise TypeError(f"expected str or bytes, not {type(value).__name__}")
    if b"\0" in raw:
        raise ValueError("the text holds a NUL")
    return raw


def to_bytes_or_none(value: Optional[Union[str, bytes]]) -> Optional[bytes]:
    return None if value is None else to_bytes(value)


def path_bytes(path: Path) -> bytes:
    return to_bytes(os.fsencode(path))


def text_array(values: List[bytes]) -> Any:
    return (ctypes.c_char_p * len(values))(*values)
