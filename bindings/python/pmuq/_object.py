# SPDX-License-Identifier: MIT
"""The lifetime of C objects, and the locks that protect them from several threads.

A Handle owns a C object. Every Python object that points into it (a PMU of a catalog, an encoding) keeps a reference to the
handle, and a handle keeps references to the handles that it depends on. So a C object is freed after the last object that
points into it. close() removes the handle from one Python object only; records that came from it stay valid.

Only one thread at a time may use most C objects: calls take the lock of the handle. Any number of threads may use a
catalog or a vendor's table: these calls take no lock."""
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
    """Owns a C object and frees it with the last reference to this handle. The objects in `needs` are freed after it."""

    __slots__ = ("_as_parameter_", "lock", "_free", "needs")

    def __init__(self, pointer: Any, free: Optional[Callable[[Any], None]], *needs: Any) -> None:
        # Functions get the handle itself as argument, so it lives until they return even if another thread calls close().
        self._as_parameter_ = pointer
        self._free = free
        self.lock = threading.RLock()  # reentrant: a signal handler can run in the same thread
        self.needs = needs

    def __del__(self) -> None:
        free = getattr(self, "_free", None)  # __init__ was interrupted: there is nothing to free
        if free:
            free(self._as_parameter_)

    def hand_over(self, other: "Handle") -> None:
        """The C object of `other` took over this one and frees it."""
        self._free, self.needs = None, (*self.needs, other)

    @property
    def address(self) -> Optional[int]:
        """The address as a number, for fields of structs. The user must keep a reference to the handle."""
        address: Optional[int] = self._as_parameter_.value
        return address


def lock_of(handle: Optional[Handle]) -> ContextManager[object]:
    """Return the lock of a handle as a context manager; it does nothing if there is no handle."""
    if handle:
        return handle.lock
    return contextlib.nullcontext()


def create(struct: str, function: Any, *arguments: Any, needs: Sequence[Any] = ()) -> Handle:
    """Call a function that returns a new object through its last parameter but one, and return a handle that owns it. Raises
    Error."""
    pointer = POINTERS[struct]()
    call(function, *arguments, ctypes.byref(pointer))
    return Handle(pointer, getattr(lib, f"{struct}_free"), *needs)


class Owner:
    """An object that close() or the end of a `with` block closes; otherwise Python closes it with the last reference."""

    def __init__(self, handle: Handle) -> None:
        self.__handle: Optional[Handle] = handle

    @classmethod
    def _of(cls: Type[O], handle: Handle) -> O:
        owner = cls.__new__(cls)
        Owner.__init__(owner, handle)
        return owner

    @property
    def _handle(self) -> Handle:
        handle = self.__handle
        if handle is None:
            raise Closed(f"{type(self).__name__} is closed")
        return handle

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self.__handle is None

    def close(self) -> None:
        """Close the object. Any further use raises Closed; closing it again does nothing."""
        self.__handle = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{', closed' if self.closed else ''}>"

    def __enter__(self: O) -> O:
        self._handle
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def handle_of(name: str, thing: object, type_: Type[Owner]) -> Handle:
    """Return the handle of an argument; TypeError if it is not an object of that class."""
    if not isinstance(thing, type_):
        raise TypeError(f"{name}: expected {type_.__name__}, not {type(thing).__name__}")
    return thing._handle


def handle_or_none(name: str, thing: object, type_: Type[Owner]) -> Optional[Handle]:
    return None if thing is None else handle_of(name, thing, type_)


def address_of(handle: Optional[Handle]) -> Optional[int]:
    return handle.address if handle else None


class Fields:
    """The members of a struct as properties. Two objects are equal if the members are."""

    __slots__ = ("_c",)
    _struct: Any
    _plain: Tuple[str, ...]  # the members that are values, not other objects

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
    """A record of the library. It keeps the object that it belongs to alive."""

    __slots__ = ("_handle", "_pointer", "_index")

    def __init__(self, handle: Handle, pointer: Any, index: int = 0) -> None:
        self._handle, self._pointer, self._index = handle, pointer, index
        self._c = self._struct.from_address(pointer.value)

    @classmethod
    def _of(cls: Type[R], handle: Handle) -> R:
        """Return the record of a handle that owns it."""
        return cls(handle, handle._as_parameter_)


class Filled(Fields):
    """A struct in memory of Python that the library filled in."""

    __slots__ = ()

    def __init__(self, struct: Any) -> None:
        self._c = struct


def part(type_: Type[R], handle: Handle, pointer: Any, index: int = 0) -> R:
    """Return a record that belongs to the object of the handle."""
    return type_(handle, pointer, index)


def part_or_none(type_: Type[R], handle: Handle, pointer: Any) -> Optional[R]:
    return part(type_, handle, pointer) if pointer else None


def borrowed(type_: Type[O], handle: Handle, pointer: Any) -> O:
    """Return an object that belongs to the object of the handle, which frees it."""
    return type_._of(Handle(pointer, None, handle))


def borrowed_or_none(type_: Type[O], handle: Handle, pointer: Any) -> Optional[O]:
    return borrowed(type_, handle, pointer) if pointer else None


def pointer_of(name: str, thing: object, type_: Type[Record]) -> Any:
    """Return the pointer of an argument; TypeError if it is not a record of that class."""
    if not isinstance(thing, type_):
        raise TypeError(f"{name}: expected {type_.__name__}, not {type(thing).__name__}")
    return thing._pointer


class Items(Sequence[T]):
    """A sequence that reads each item when it is used."""

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
    """An object that is also a sequence."""

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
