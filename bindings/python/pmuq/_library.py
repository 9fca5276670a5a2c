# SPDX-License-Identifier: MIT
"""Loads libpmuq.so.0 and binds each function, with its signature from _declarations.py, when it is first used.

The file is the one that the environment variable PMUQ_LIBRARY names, else the one that was installed under the same prefix,
else the one that the system's loader finds.

Functions that can fail, functions that free an object, and a few others that can take long release the GIL, so other
threads run meanwhile. Plain accessors keep it: they take less time than releasing it."""
import ctypes
import os
import sys
from typing import Any, Optional, Tuple, Union

from ._declarations import FUNCTIONS, POINTERS

#: The version of the signatures. The library must have the same major version, and this minor version or a later one.
VERSION = (0, 1)
NAME = "libpmuq.so.0"

# These functions return no error, but read files or start programs.
_SLOW = {"pmuq_build_info", "pmuq_capture_library_info"}

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Text = Union[str, bytes]


class Library:
    """The functions of the library as attributes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._slow = ctypes.CDLL(path)
        self._quick = ctypes.PyDLL(path)

    def __getattr__(self, name: str) -> Any:
        if name not in FUNCTIONS:
            raise AttributeError(name)
        result, parameters = FUNCTIONS[name]
        is_slow = parameters[-1:] == [ctypes.POINTER(POINTERS["pmuq_error"])] or name.endswith("_free") or name in _SLOW
        try:
            function = (self._slow if is_slow else self._quick)[name]
        except AttributeError:
            raise ImportError(f"{self.path} has no function {name}: it is older than this module") from None
        function.restype, function.argtypes = result, parameters
        setattr(self, name, function)
        return function


def _path() -> str:
    if named := os.environ.get("PMUQ_LIBRARY"):
        return named
    here = os.path.dirname(os.path.abspath(__file__))
    for inside in ("/lib/python", "/lib64/python"):
        prefix, found, _ = here.rpartition(inside)
        for directory in (f"lib/{getattr(sys.implementation, '_multiarch', '')}", "lib64", "lib"):
            path = os.path.join(prefix, directory, NAME)
            if found and os.path.exists(path):
                return path
    return NAME


def _load() -> Library:
    path = _path()
    try:
        library = Library(path)
        library._slow["pmuq_version"]
    except OSError as error:
        raise ImportError(f"cannot load libpmuq: {error}; install it (package libpmuq0), or set the environment variable"
                          " PMUQ_LIBRARY to its file") from error
    except AttributeError:
        raise ImportError(f"{path} is not libpmuq: it has no function pmuq_version") from None
    version = library.pmuq_version().decode()
    major, minor = (int(part) for part in version.split(".")[:2])
    if major != VERSION[0] or minor < VERSION[1]:
        raise ImportError(f"{path} has version {version}, but this module needs {VERSION[0]}.{VERSION[1]} or a later"
                          f" {VERSION[0]}.x")
    return library


lib = _load()
_free = ctypes.CDLL(None).free
_free.argtypes, _free.restype = [ctypes.c_void_p], None


def text_of(raw: Optional[bytes]) -> str:
    """Decode text of the library; bytes that are not UTF-8 become surrogates, as with os.fsdecode(). NULL becomes ""."""
    return raw.decode("utf-8", "surrogateescape") if raw else ""


def text_or_none_of(raw: Optional[bytes]) -> Optional[str]:
    return None if raw is None else raw.decode("utf-8", "surrogateescape")


def text(member: Any) -> str:
    """Decode a struct pmuq_str of a record; "" if it has no text."""
    return text_of(member.p)


def text_or_none(member: Any) -> Optional[str]:
    return text_or_none_of(member.p)


def bytes_at(address: Optional[int], count: int) -> bytes:
    """Copy the memory of a member. A NULL pointer becomes b""."""
    return ctypes.string_at(address, count) if address and count else b""


def pairs(array: Any, count: int) -> Tuple[Tuple[str, str], ...]:
    """Return an array of struct pmuq_pair as (name, text) tuples."""
    return tuple((text(array[i].name), text(array[i].text)) for i in range(count))


def owned_text(pointer: Optional[int]) -> str:
    """Decode text that the caller owns, and free it; NULL raises MemoryError."""
    if not pointer:
        raise MemoryError
    try:
        return text_of(ctypes.string_at(pointer))
    finally:
        _free(pointer)


def to_bytes(value: Text) -> bytes:
    """Encode text for the library: the reverse of text_of(). ValueError if it contains a NUL byte."""
    raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    if not isinstance(raw, bytes):
        raise TypeError(f"expected str or bytes, not {type(value).__name__}")
    if b"\0" in raw:
        raise ValueError("the text contains a NUL byte")
    return raw


def to_bytes_or_none(value: Optional[Text]) -> Optional[bytes]:
    return None if value is None else to_bytes(value)


def path_bytes(path: Path) -> bytes:
    return to_bytes(os.fsencode(path))
