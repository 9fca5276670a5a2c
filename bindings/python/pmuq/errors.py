# SPDX-License-Identifier: MIT
"""What went wrong, as exceptions and as data: which code, where in the text, and what to do about it."""
import ctypes
from dataclasses import dataclass
from typing import Any, Iterator, Optional

from ._library import lib, owned_text, pointer_type, text, text_or_none


@dataclass(frozen=True)
class Diagnosis:
    """An error or a warning, whole. `str()` draws it with the caret under the spot."""

    code: int  #: 34, stable for ever
    name: str  #: "unknown-term"
    message: str  #: one sentence without a full stop
    hint: Optional[str]  #: what to do about it
    input: Optional[str]  #: the text that the offset points into: the event string, or an alias's
    offset: int  #: where there, in bytes of UTF-8
    length: int  #: how many bytes; 0: just before that one
    origin: Optional[str]  #: the file, directory or database that it is about
    errno: int  #: the one behind it, or 0
    drawing: str  #: all of it, lines separated by newlines

    def __str__(self) -> str:
        return self.drawing


class Error(Exception):
    """A call that failed: the attributes are those of Diagnosis.

    >>> pmuq.Source.live().encode("msr/tcs/")
    pmuq.errors.Error: error[PMUQ-032] unknown-event: …
    """

    def __init__(self, diagnosis: Diagnosis) -> None:
        super().__init__(diagnosis)
        self.diagnosis = diagnosis  #: the same as data

    def __str__(self) -> str:
        return self.diagnosis.drawing

    @property
    def code(self) -> int:
        """The code, stable for ever: 34."""
        return self.diagnosis.code

    @property
    def name(self) -> str:
        """The code's name: "unknown-term"."""
        return self.diagnosis.name

    @property
    def message(self) -> str:
        """One sentence without a full stop."""
        return self.diagnosis.message

    @property
    def hint(self) -> Optional[str]:
        """What to do about it."""
        return self.diagnosis.hint

    @property
    def input(self) -> Optional[str]:
        """The text that the offset points into."""
        return self.diagnosis.input

    @property
    def offset(self) -> int:
        """Where in the input, in bytes of UTF-8."""
        return self.diagnosis.offset

    @property
    def length(self) -> int:
        """How many bytes of it; 0: just before that one."""
        return self.diagnosis.length

    @property
    def origin(self) -> Optional[str]:
        """The file, directory or database that it is about."""
        return self.diagnosis.origin

    @property
    def errno(self) -> int:
        """The errno behind it, or 0."""
        return self.diagnosis.errno


class Closed(ValueError):
    """An object was used after it was closed."""


@dataclass(frozen=True)
class Code:
    """What there is to know about a code: what it means, an example, what to do."""

    number: int
    name: str
    meaning: str
    example: str
    remedy: str


def codes() -> Iterator[Code]:
    """All codes there are, in ascending order."""
    index = 0
    while number := lib.pmuq_code_at(index):
        yield Code(number, text(lib.pmuq_code_name(number)), text(lib.pmuq_code_meaning(number)),
                   text(lib.pmuq_code_example(number)), text(lib.pmuq_code_remedy(number)))
        index += 1


def diagnosis_of(error: Any) -> Diagnosis:
    """What a pointer to a struct pmuq_error says; it stays whose it is."""
    return Diagnosis(lib.pmuq_error_code(error), text(lib.pmuq_error_name(error)), text(lib.pmuq_error_message(error)),
                     text_or_none(lib.pmuq_error_hint(error)), text_or_none(lib.pmuq_error_input(error)),
                     lib.pmuq_error_offset(error), lib.pmuq_error_length(error),
                     text_or_none(lib.pmuq_error_origin(error)), lib.pmuq_error_errno(error),
                     owned_text(lib.pmuq_error_format(error)))


def call(function: Any, *arguments: Any) -> None:
    """Call a function whose last parameter is where to put an error, and raise that."""
    error = pointer_type("error")()
    try:
        status = function(*arguments, ctypes.byref(error))
    except ctypes.ArgumentError as problem:  # for which others would have to know ctypes
        raise TypeError(str(problem)) from None
    if status >= 0:
        return
    if not error:
        raise MemoryError
    try:
        raise Error(diagnosis_of(error))
    finally:
        lib.pmuq_error_free(error)
