# SPDX-License-Identifier: MIT
"""What sources and catalogs have in common: they encode and decode."""
import ctypes
from typing import Any, ContextManager, Optional, Union

from . import _structs
from ._arguments import whole
from ._library import lib, to_bytes, to_bytes_or_none
from ._object import Handle, Owner, create, handle_of, handle_or_none, turn_of
from .attr import AttrLike, attr_struct
from .decoding import Decoding, decoding_of
from .encoding import Encodings
from .enums import Dialect, Origin, Preset
from .libpfm4 import Pfm
from .vendor import Vendor

_ENCODE_BYTES, _DECODE_BYTES = ctypes.sizeof(_structs.EncodeOptions), ctypes.sizeof(_structs.DecodeOptions)


class Machine(Owner):
    """A machine to ask: a Source, which reads as questions come, or a Catalog, which has read all."""

    # The functions of the library for an object of that kind.
    _encode: str
    _decode: str
    _is_live: str

    @property
    def is_live(self) -> bool:
        """Whether it is this machine, so that its events can be opened here."""
        return bool(getattr(lib, self._is_live)(self._handle))

    def _turn(self, handle: Handle) -> ContextManager[object]:
        """When it is this thread's turn to use the object."""
        return handle.lock

    def encode(self, event: Union[str, bytes], *, dialect: Dialect = Dialect.PMUQ, origins: Origin = Origin(0),
               strict: bool = False, assignments: bool = False, preset: Preset = Preset.NONE, pfm: Optional[Pfm] = None,
               vendor: Optional[Vendor] = None) -> Encodings:
        """Turn an event string (one event, a list, a group) into attrs. Nothing is opened.

        `origins`: where names may come from (none: from everywhere); `strict`: a warning is an error; `assignments`: keep
        which term put which value where; `pfm`: who is asked for names of libpfm4; `vendor`: the CPU's imported events.
        """
        handle = self._handle
        pfm_handle, vendor_handle = handle_or_none("pfm", pfm, Pfm), handle_or_none("vendor", vendor, Vendor)
        options = _structs.EncodeOptions(_ENCODE_BYTES, whole("dialect", dialect, ctypes.c_uint),
                                         whole("origins", origins, ctypes.c_uint), strict, assignments,
                                         whole("preset", preset, ctypes.c_uint), _address(pfm_handle), _address(vendor_handle))
        with self._turn(handle), turn_of(pfm_handle):
            return Encodings(create("encodings", lib.pmuq_encodings_free, getattr(lib, self._encode), handle,
                                    to_bytes(event), ctypes.byref(options), needs=(handle, vendor_handle)),
                             getattr(lib, self._is_live)(handle))

    def decode(self, attr: AttrLike, *, dialect: Dialect = Dialect.PMUQ, origins: Origin = Origin(0),
               probe_text: Optional[str] = None, pfm: Optional[Pfm] = None, vendor: Optional[Vendor] = None) -> Decoding:
        """Turn an attr into the event string that a person would have written for it on this machine.

        `probe_text`: what config1 of a kprobe or uprobe would point to; the others as of encode().
        """
        handle, given = self._handle, attr_struct(attr)
        pfm_handle, vendor_handle = handle_or_none("pfm", pfm, Pfm), handle_or_none("vendor", vendor, Vendor)
        options = _structs.DecodeOptions(_DECODE_BYTES, whole("dialect", dialect, ctypes.c_uint),
                                         whole("origins", origins, ctypes.c_uint), to_bytes_or_none(probe_text),
                                         _address(vendor_handle), _address(pfm_handle))
        with self._turn(handle), turn_of(pfm_handle):
            decoding = create("decoding", lib.pmuq_decoding_free, getattr(lib, self._decode), handle, ctypes.byref(given),
                              ctypes.byref(options))
        return decoding_of(decoding)


def _address(handle: Optional[Handle]) -> Optional[int]:
    return handle.address if handle else None


def decode(attr: AttrLike, machine: Machine, **options: Any) -> Decoding:
    """The event string that an attr means on a machine: machine.decode(attr, …)."""
    handle_of("machine", machine, Machine)
    return machine.decode(attr, **options)
