# SPDX-License-Identifier: MIT
"""The exceptions of this package, and the call that raises them."""
import ctypes
from typing import Any, Optional

import pmuq

from ._declarations import POINTERS
from ._library import lib


class Error(Exception):
    """A call failed. `diagnosis` is the error of the library; str() prints it with a caret under the location.

    >>> pmuq.Source.live().encode("msr/tcs/")
    pmuq.errors.Error: error[PMUQ-032] unknown-event: …
    """

    def __init__(self, diagnosis: "pmuq.Diagnosis") -> None:
        super().__init__(diagnosis)
        self.diagnosis = diagnosis
        self.code: int = diagnosis.code  #: stable forever: 34
        self.name: str = diagnosis.code_name  #: "unknown-term"
        self.message: str = diagnosis.message  #: one sentence without a full stop
        self.hint: Optional[str] = diagnosis.hint  #: what to do about it
        self.input: Optional[str] = diagnosis.input  #: the text that the offset points into
        self.offset: int = diagnosis.offset  #: the location in the input, in bytes of UTF-8
        self.length: int = diagnosis.length  #: the length in bytes; 0: just before the byte at the offset
        self.origin: Optional[str] = diagnosis.origin  #: the file, directory or database concerned
        self.errnum: int = diagnosis.errnum  #: the errno of the failed call, or 0

    def __str__(self) -> str:
        return str(self.diagnosis)


class Closed(ValueError):
    """An object was used after it was closed."""


def call(function: Any, *arguments: Any) -> None:
    """Call a function whose last parameter returns an error, and raise that error as Error. Raises MemoryError if there is no
    memory for it."""
    error = POINTERS["pmuq_error"]()
    try:
        status = function(*arguments, ctypes.byref(error))
    except ctypes.ArgumentError as problem:  # callers should not need to know ctypes
        raise TypeError(str(problem)) from None
    if status >= 0:
        return
    if not error:
        raise MemoryError
    from ._object import Handle  # here, because _object imports this module

    raise Error(pmuq.Diagnosis._of(Handle(error, lib.pmuq_error_free)))
