# SPDX-License-Identifier: MIT
"""The structs of the headers that are no opaque objects, as ctypes lays them out; tests/api/test_python_table.py
compares them with what the C compiler makes of the headers."""
import ctypes
from ctypes import c_bool, c_char_p, c_int, c_int64, c_size_t, c_uint, c_uint16, c_uint32, c_uint64, c_void_p
from typing import Any, Dict, Type, TypeVar

from ._arguments import RANGES, whole


class Attr(ctypes.Structure):
    """struct pmuq_attr: but for the first two, its fields are got and set by the library."""

    _fields_ = [("type", c_uint32), ("size", c_uint32), ("rest", c_uint64 * 17)]


class Str(ctypes.Structure):
    """struct pmuq_str: text in a record."""

    _fields_ = [("p", c_char_p), ("n", c_size_t)]


class PmuFileRecord(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("path", Str), ("title", Str), ("help", Str), ("unit", Str), ("content", c_uint)]


class EncodeOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("dialect", c_uint), ("from", c_uint), ("is_strict", c_bool), ("with_assignments", c_bool),
                ("preset", c_uint), ("pfm", c_void_p), ("vendor", c_void_p), ("memory", c_void_p), ("memory_bytes", c_size_t)]


class DecodeOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("dialect", c_uint), ("from", c_uint), ("probe_text", c_char_p), ("vendor", c_void_p),
                ("pfm", c_void_p)]


class OpenOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("pid", c_int), ("cpus", c_char_p), ("cgroup", c_char_p), ("work_ms", c_uint),
                ("wants_page", c_bool)]


class Budget(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("needed", c_uint64), ("in_use", c_uint64), ("limit", c_uint64), ("hard_limit", c_uint64)]


class Reading(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("value", c_uint64), ("time_enabled_ns", c_uint64), ("time_running_ns", c_uint64),
                ("scaled", c_uint64)]


class Target(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("cpu", c_int), ("fd", c_int), ("id", c_uint64), ("read_format", c_uint64)]


class Saved(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("snapshot", c_int64), ("is_new", c_bool), ("has_old_check", c_bool),
                ("is_new_host", c_bool)]


class HostsFilter(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("globs", ctypes.POINTER(c_char_p)), ("n_globs", c_size_t), ("machine_id", c_char_p),
                ("is_newest_only", c_bool), ("hostname", c_char_p)]


class ForgetOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("before_s", c_int64), ("keep", c_size_t), ("is_trial", c_bool)]


class Forgotten(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("hosts", c_size_t), ("snapshots", c_size_t), ("layouts", c_size_t), ("host_classes", c_size_t),
                ("free_bytes", c_size_t)]


class PfmOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("helper", c_char_p), ("timeout_ms", c_uint)]


class CaptureOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("time_s", c_int64), ("hostname", c_char_p), ("keeps_hostname", c_bool)]


class DiffOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("check_before", c_void_p), ("check_after", c_void_p)]


#: By the names of the headers.
STRUCTS: Dict[str, Type[ctypes.Structure]] = {
    "pmuq_attr": Attr,
    "pmuq_str": Str,
    "pmuq_pmu_file": PmuFileRecord,
    "pmuq_encode_options": EncodeOptions,
    "pmuq_decode_options": DecodeOptions,
    "pmuq_open_options": OpenOptions,
    "pmuq_budget": Budget,
    "pmuq_value": Reading,
    "pmuq_target": Target,
    "pmuq_saved": Saved,
    "pmuq_hosts_filter": HostsFilter,
    "pmuq_forget_options": ForgetOptions,
    "pmuq_forgotten": Forgotten,
    "pmuq_pfm_options": PfmOptions,
    "pmuq_capture_options": CaptureOptions,
    "pmuq_diff_options": DiffOptions,
}

S = TypeVar("S", bound=ctypes.Structure)


def sized(kind: Type[S], **values: Any) -> S:
    """A struct with its size set, as the library wants it, and these fields, none of which is cut."""
    made, kinds = kind(ctypes.sizeof(kind)), dict(kind._fields_)  # type: ignore[arg-type]
    for name, value in values.items():
        setattr(made, name, whole(name, value, kinds[name]) if kinds[name] in RANGES else value)
    return made
