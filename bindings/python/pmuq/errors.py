# SPDX-License-Identifier: MIT
"""What went wrong, as an exception: which code, where in the text, and what to do about it."""
import ctypes
from typing import Any, Optional

import pmuq

from ._declarations import POINTERS
from ._library import lib


class Error(Exception):
    """A call that failed. `diagnosis` has all about it; str() draws it with a caret under the location.

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
        self.offset: int = diagnosis.offset  #: where in the input, in bytes of UTF-8
        self.length: int = diagnosis.length  #: how many bytes; 0: just before that one
        self.origin: Optional[str] = diagnosis.origin  #: the file, directory or database that it is about
        self.errnum: int = diagnosis.errnum  #: the errno behind it, or 0

    def __str__(self) -> str:
        return str(self.diagnosis)


class Closed(ValueError):
    """An object was used after it was closed."""


def call(function: Any, *arguments: Any) -> None:
    """Call a function whose last parameter is where to put an error, and raise that."""
    error = POINTERS["pmuq_error"]()
    try:
        status = function(*arguments, ctypes.byref(error))
    except ctypes.ArgumentError as problem:  # for which others would have to know ctypes
        raise TypeError(str(problem)) from None
    if status >= 0:
        return
    if not error:
        raise MemoryError
    from ._object import Handle  # which calls this

    raise Error(pmuq.Diagnosis._of(Handle(error, lib.pmuq_error_free)))
