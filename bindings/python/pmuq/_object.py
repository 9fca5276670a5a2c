# SPDX-License-Identifier: MIT
"""How long objects of the library live, and which thread may use them.

A Handle owns a C object; whatever Python made of it (a PMU of a catalog, an event string's encodings) holds the handle,
and a handle holds those that it depends on, so a C object is freed after the last that points into it. close() takes
the handle away from one Python object; parts that were got before stay good.

Most objects of the library are for one thread at a time: calls through a handle's lock wait for each other. Catalogs
and vendors' tables are for any number, and are called without."""
import contextlib
import ctypes
import threading
from typing import Any, Callable, ContextManager, List, Optional, Sequence, Type, TypeVar, Union, overload

from ._library import pointer_type
from .errors import Closed, call

T = TypeVar("T")
O = TypeVar("O", bound="Owner")


class Handle:
    """A C object, freed with the last that holds this; `needs` are freed later."""

    __slots__ = ("_as_parameter_", "lock", "_free", "_needs")

    def __init__(self, pointer: Any, free: Optional[Callable[[Any], None]], *needs: Any) -> None:
        # A handle is handed to functions itself, so that it lives until they return, whoever closes what meanwhile.
        self._as_parameter_ = pointer
        self._free = free
        self.lock = threading.RLock()  # a signal's handler may come between, in the same thread
        self._needs = needs

    def __del__(self) -> None:
        free = getattr(self, "_free", None)  # one that was interrupted while it was made has none
        if free:
            free(self._as_parameter_)

    @property
    def address(self) -> Optional[int]:
        """For fields of structs; whoever uses it holds the handle."""
        address: Optional[int] = self._as_parameter_.value
        return address


def turn_of(handle: Optional[Handle]) -> ContextManager[object]:
    """When it is this thread's turn to use an object, where there is one."""
    if handle:
        return handle.lock
    return contextlib.nullcontext()


def create(kind: str, free: Callable[[Any], None], function: Any, *arguments: Any, needs: Sequence[Any] = ()) -> Handle:
    """Call a function whose last parameters are where to put an object, and an error."""
    pointer = pointer_type(kind)()
    call(function, *arguments, ctypes.byref(pointer))
    return Handle(pointer, free, *needs)


class Owner:
    """Something that can be closed, by close() or at the end of a `with`; else it is when nobody uses it any more."""

    def __init__(self, handle: Handle) -> None:
        self.__handle: Optional[Handle] = handle

    @property
    def _handle(self) -> Handle:
        handle = self.__handle
        if handle is None:
            raise Closed(f"{type(self).__name__} is closed")
        return handle

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self.__handle is None

    def close(self) -> None:
        """Let go of it; any further use is an exception (Closed), closing again is not."""
        self.__handle = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{', closed' if self.closed else ''}>"

    def __enter__(self: O) -> O:
        self._handle
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def handle_of(name: str, thing: object, kind: Type[Owner]) -> Handle:
    """The handle of an argument, which is to be of that kind."""
    if not isinstance(thing, kind):
        raise TypeError(f"{name}: expected {kind.__name__}, not {type(thing).__name__}")
    return thing._handle


def handle_or_none(name: str, thing: object, kind: Type[Owner]) -> Optional[Handle]:
    return None if thing is None else handle_of(name, thing, kind)


class Part:
    """A thing inside an object of the library, which it keeps alive."""

    __slots__ = ("_handle", "_pointer")

    def __init__(self, handle: Handle, pointer: Any) -> None:
        self._handle = handle
        self._pointer = pointer

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._pointer.value == self._pointer.value  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self._pointer.value)


class Items(Sequence[T]):
    """A sequence of which each item is read when it is asked for."""

    __slots__ = ("_count", "_get")

    def __init__(self, count: int, get: Callable[[int], T]) -> None:
        self._count = count
        self._get = get

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> List[T]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[T, List[T]]:
        if isinstance(index, slice):
            return [self._get(i) for i in range(*index.indices(self._count))]
        return self._get(range(self._count)[index])

    def __repr__(self) -> str:
        return repr(list(self))
