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
from typing import Any, Callable, ContextManager, List, Optional, Sequence, Tuple, Type, TypeVar, Union, overload

from ._declarations import POINTERS
from ._library import lib
from .errors import Closed, call

T = TypeVar("T")
O = TypeVar("O", bound="Owner")
R = TypeVar("R", bound="Record")


class Handle:
    """A C object, freed with the last that holds this; `needs` are freed later."""

    __slots__ = ("_as_parameter_", "lock", "_free", "needs")

    def __init__(self, pointer: Any, free: Optional[Callable[[Any], None]], *needs: Any) -> None:
        # A handle is handed to functions itself, so that it lives until they return, whoever closes what meanwhile.
        self._as_parameter_ = pointer
        self._free = free
        self.lock = threading.RLock()  # a signal's handler may come between, in the same thread
        self.needs = needs

    def __del__(self) -> None:
        free = getattr(self, "_free", None)  # one that was interrupted while it was made has none
        if free:
            free(self._as_parameter_)

    def hand_over(self, other: "Handle") -> None:
        """From now on the other one's object has this one's: it frees it."""
        self._free, self.needs = None, (*self.needs, other)

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


def create(struct: str, function: Any, *arguments: Any, needs: Sequence[Any] = ()) -> Handle:
    """Call a function whose last parameters are where to put an object, and an error."""
    pointer = POINTERS[struct]()
    call(function, *arguments, ctypes.byref(pointer))
    return Handle(pointer, getattr(lib, f"{struct}_free"), *needs)


class Owner:
    """Something that can be closed, by close() or at the end of a `with`; else it is when nobody uses it any more."""

    def __init__(self, handle: Handle) -> None:
        self.__handle: Optional[Handle] = handle

    @classmethod
    def _of(cls: Type[O], handle: Handle) -> O:
        made = cls.__new__(cls)
        Owner.__init__(made, handle)
        return made

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


def handle_of(name: str, thing: object, type_: Type[Owner]) -> Handle:
    """The handle of an argument, which is to be of that class."""
    if not isinstance(thing, type_):
        raise TypeError(f"{name}: expected {type_.__name__}, not {type(thing).__name__}")
    return thing._handle


def handle_or_none(name: str, thing: object, type_: Type[Owner]) -> Optional[Handle]:
    return None if thing is None else handle_of(name, thing, type_)


def address_of(handle: Optional[Handle]) -> Optional[int]:
    return handle.address if handle else None


class Fields:
    """What has the members of a struct: equal if they are."""

    __slots__ = ("_c",)
    _struct: Any
    _plain: Tuple[str, ...]  # the members that are no other object

    def _values(self) -> Tuple[object, ...]:
        values = (getattr(self, name) for name in self._plain)
        return tuple(tuple(one.items()) if isinstance(one, dict) else one for one in values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fields) and other._struct is self._struct and other._values() == self._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._plain)})"


class Record(Fields):
    """A record of the library; it keeps the object alive that it belongs to."""

    __slots__ = ("_handle", "_pointer", "_index")

    def __init__(self, handle: Handle, pointer: Any, index: int = 0) -> None:
        self._handle, self._pointer, self._index = handle, pointer, index
        self._c = self._struct.from_address(pointer.value)

    @classmethod
    def _of(cls: Type[R], handle: Handle) -> R:
        """One that is an object by itself."""
        return cls(handle, handle._as_parameter_)


class Filled(Fields):
    """A struct that the library filled in."""

    __slots__ = ()

    def __init__(self, struct: Any) -> None:
        self._c = struct


def part(type_: Type[R], handle: Handle, pointer: Any, index: int = 0) -> R:
    """A record of an object; in structs a pointer is a number."""
    return type_(handle, ctypes.c_void_p(pointer) if isinstance(pointer, int) else pointer, index)


def part_or_none(type_: Type[R], handle: Handle, pointer: Any) -> Optional[R]:
    return part(type_, handle, pointer) if pointer else None


def borrowed(type_: Type[O], handle: Handle, pointer: Any) -> O:
    """An object that belongs to another one."""
    return type_._of(Handle(ctypes.c_void_p(pointer) if isinstance(pointer, int) else pointer, None, handle))


def borrowed_or_none(type_: Type[O], handle: Handle, pointer: Any) -> Optional[O]:
    return borrowed(type_, handle, pointer) if pointer else None


def pointer_of(name: str, thing: object, type_: Type[Record]) -> Any:
    """The pointer of an argument, which is to be such a record."""
    if not isinstance(thing, type_):
        raise TypeError(f"{name}: expected {type_.__name__}, not {type(thing).__name__}")
    return thing._pointer


class Items(Sequence[T]):
    """A sequence of which each item is read when it is used."""

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


class ListOwner(Owner, Sequence[T]):
    """An object that is a list."""

    def _length(self) -> int:
        raise NotImplementedError

    def _element(self, index: int) -> T:
        raise NotImplementedError

    def __len__(self) -> int:
        return self._length()

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> List[T]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[T, List[T]]:
        if isinstance(index, slice):
            return [self._element(i) for i in range(*index.indices(len(self)))]
        return self._element(range(len(self))[index])

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and tuple(self) == tuple(other)  # type: ignore[arg-type]

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return super().__repr__() if self.closed else f"{type(self).__name__}({list(self)!r})"
