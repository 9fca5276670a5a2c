# SPDX-License-Identifier: MIT
"""The records of the headers, as ctypes lays them out."""
import ctypes
from typing import Any, Dict, Tuple, Type


class Str(ctypes.Structure):
    _fields_ = [("p", ctypes.c_char_p), ("n", ctypes.c_size_t)]


class Pair(ctypes.Structure):
    _fields_ = [("name", Str), ("text", Str)]


class Bits(ctypes.Structure):
    _fields_ = [("mask", ctypes.c_uint64), ("word", ctypes.c_int8), ("width", ctypes.c_uint8), ("shift",
                ctypes.c_uint8), ("is_solid", ctypes.c_bool)]


class Assignment(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("term", Str), ("field", Str), ("mask", ctypes.c_uint64), ("value",
                ctypes.c_uint64), ("number", ctypes.c_uint64), ("format", Str), ("event", Str), ("origin",
                Str), ("input", Str), ("offset", ctypes.c_size_t), ("length", ctypes.c_size_t), ("cause",
                ctypes.c_uint), ("is_overridden", ctypes.c_bool)]


class Captured(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("catalog", ctypes.c_void_p), ("n_tracepoints", ctypes.c_size_t),
                ("n_files", ctypes.c_size_t), ("n_unread", ctypes.c_size_t), ("redactions",
                ctypes.POINTER(Pair)), ("n_redactions", ctypes.c_size_t)]


class CapturedFile(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("path", Str), ("n_bytes", ctypes.c_size_t)]


class Change(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("pmus", ctypes.POINTER(Str)), ("n_pmus", ctypes.c_size_t),
                ("new_pmus", ctypes.POINTER(Str)), ("n_new_pmus", ctypes.c_size_t), ("name", Str), ("before",
                Str), ("after", Str), ("text", Str), ("words_before", ctypes.POINTER(ctypes.c_uint64)),
                ("words_after", ctypes.POINTER(ctypes.c_uint64)), ("n_words", ctypes.c_size_t), ("type",
                ctypes.c_uint), ("weight", ctypes.c_uint)]


class CheckResult(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("event_string", Str), ("pmu", Str), ("event", Str), ("open",
                ctypes.c_void_p), ("is_generic", ctypes.c_bool)]


class Count(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("value", ctypes.c_uint64), ("time_enabled_ns", ctypes.c_uint64),
                ("time_running_ns", ctypes.c_uint64), ("scaled", ctypes.c_uint64), ("n_subgroups",
                ctypes.c_size_t), ("subgroup", ctypes.c_size_t), ("breaker", ctypes.c_size_t), ("page",
                ctypes.c_void_p), ("status", ctypes.c_uint), ("errnum", ctypes.c_int), ("is_read",
                ctypes.c_bool), ("is_grouped", ctypes.c_bool)]


class Decoding(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("text", Str), ("pmu", Str), ("n_left", ctypes.c_size_t),
                ("alternatives", ctypes.POINTER(Str)), ("n_alternatives", ctypes.c_size_t), ("origin",
                ctypes.c_uint), ("is_exact", ctypes.c_bool)]


class Definition(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("n_formats", ctypes.c_size_t), ("n_events", ctypes.c_size_t),
                ("n_caps", ctypes.c_size_t), ("caps", ctypes.POINTER(Pair)), ("hash", ctypes.c_uint64)]


class DocumentHost(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("first_seen_s", ctypes.c_int64), ("document",
                ctypes.c_size_t)]


class Encoding(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("attr", ctypes.c_void_p), ("name", Str), ("pmu", Str), ("cpus",
                Str), ("unit", Str), ("scale", Str), ("probe_text", Str), ("probe_field", Str), ("group_name",
                Str), ("leader", ctypes.c_size_t), ("n_members", ctypes.c_size_t), ("n_tool_terms",
                ctypes.c_size_t), ("n_warnings", ctypes.c_size_t), ("n_assignments", ctypes.c_size_t),
                ("origin", ctypes.c_uint), ("needs_cpu", ctypes.c_bool), ("is_per_pkg", ctypes.c_bool),
                ("is_snapshot", ctypes.c_bool)]


class Error(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("message", Str), ("hint", Str), ("input", Str), ("offset",
                ctypes.c_size_t), ("length", ctypes.c_size_t), ("origin", Str), ("code", ctypes.c_uint),
                ("errnum", ctypes.c_int), ("is_warning", ctypes.c_bool)]


class Event(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("terms", Str), ("unit", Str), ("scale", Str),
                ("is_per_pkg", ctypes.c_bool), ("is_snapshot", ctypes.c_bool), ("has_unit_file",
                ctypes.c_bool), ("has_scale_file", ctypes.c_bool)]


class Feature(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("bytes", ctypes.c_uint64), ("values",
                ctypes.POINTER(Pair)), ("n_values", ctypes.c_size_t), ("number", ctypes.c_uint), ("is_read",
                ctypes.c_bool)]


class Field(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("format", ctypes.c_uint), ("end_bytes",
                ctypes.c_uint)]


class Format(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("text", Str), ("bits", Bits)]


class FoundEvent(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("folders", Str), ("pmu", Str), ("name", Str), ("terms", Str),
                ("topic", Str), ("description", Str), ("long_description", Str), ("match", ctypes.c_uint),
                ("is_libpfm4", ctypes.c_bool), ("is_deprecated", ctypes.c_bool)]


class Host(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("machine_id", Str), ("n_snapshots",
                ctypes.c_size_t), ("n_stored", ctypes.c_size_t), ("host_class", ctypes.c_size_t), ("check",
                ctypes.c_size_t)]


class HostClass(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("hosts", ctypes.POINTER(ctypes.c_size_t)),
                ("n_hosts", ctypes.c_size_t), ("check_hosts", ctypes.POINTER(ctypes.c_size_t)), ("n_checks",
                ctypes.c_size_t)]


class LeftField(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("value", ctypes.c_uint64), ("format",
                ctypes.c_uint), ("is_event", ctypes.c_bool)]


class Machine(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("facts", ctypes.POINTER(Pair)), ("n_facts", ctypes.c_size_t),
                ("n_pmus", ctypes.c_size_t), ("n_problems", ctypes.c_size_t), ("check", ctypes.c_void_p),
                ("is_live", ctypes.c_bool)]


class OpenResult(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("status", ctypes.c_uint), ("pid", ctypes.c_int), ("cpus", Str),
                ("name", Str), ("reason", Str), ("hint", Str), ("change", Str), ("steps",
                ctypes.POINTER(Str)), ("n_steps", ctypes.c_size_t), ("changed_attr", ctypes.c_void_p),
                ("errnum", ctypes.c_int)]


class Page(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("reason", Str), ("value", ctypes.c_uint64), ("time_enabled_ns",
                ctypes.c_uint64), ("time_running_ns", ctypes.c_uint64), ("index", ctypes.c_uint32), ("errnum",
                ctypes.c_int), ("width_bits", ctypes.c_uint16), ("has_rdpmc", ctypes.c_bool), ("has_time",
                ctypes.c_bool), ("has_time_zero", ctypes.c_bool), ("is_read", ctypes.c_bool)]


class PfmAttribute(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("description", Str), ("same_as", Str), ("type",
                ctypes.c_uint), ("is_default", ctypes.c_bool)]


class PfmCode(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("sysfs", Str), ("terms", Str), ("pmu", Str), ("event", Str),
                ("canonical", Str), ("config", ctypes.c_uint64 * 5), ("scope", ctypes.c_uint), ("type",
                ctypes.c_uint32)]


class PfmEncoding(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("error", ctypes.c_void_p), ("n_codes", ctypes.c_size_t)]


class PfmEvent(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("description", Str), ("same_as", Str),
                ("n_attributes", ctypes.c_size_t)]


class PfmPmu(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("description", Str), ("sysfs", Str), ("family",
                Str), ("n_events", ctypes.c_size_t), ("instance", ctypes.c_uint32), ("type", ctypes.c_uint),
                ("is_present", ctypes.c_bool)]


class Pmu(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("alias", Str), ("cpumask", Str), ("cpus_file",
                Str), ("cpus", Str), ("definition", ctypes.c_void_p), ("attributes", ctypes.POINTER(Pair)),
                ("n_attributes", ctypes.c_size_t), ("type", ctypes.c_uint32), ("index", ctypes.c_uint32),
                ("n_siblings", ctypes.c_uint32), ("has_type", ctypes.c_bool), ("is_core", ctypes.c_bool),
                ("is_uncore", ctypes.c_bool)]


class PmuFile(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("path", Str), ("title", Str), ("help", Str), ("unit", Str),
                ("content", ctypes.c_uint)]


class Problem(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("path", Str), ("message", Str), ("line", ctypes.c_size_t),
                ("code", ctypes.c_uint), ("errnum", ctypes.c_int)]


class Progress(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("n_results", ctypes.c_size_t), ("n_events", ctypes.c_size_t),
                ("time_s", ctypes.c_int64), ("kernel", Str)]


class Recorded(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("bytes_read", ctypes.c_uint64), ("n_events", ctypes.c_size_t),
                ("n_features", ctypes.c_size_t), ("n_problems", ctypes.c_size_t), ("is_stream",
                ctypes.c_bool), ("is_big_endian", ctypes.c_bool)]


class RecordedEvent(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("attr", ctypes.c_void_p), ("name", Str), ("unit", Str), ("scale",
                Str), ("group_name", Str), ("ids", ctypes.POINTER(ctypes.c_uint64)), ("n_ids",
                ctypes.c_size_t), ("leader", ctypes.c_size_t), ("n_members", ctypes.c_size_t), ("attr_size",
                ctypes.c_uint32), ("has_unknown_tail", ctypes.c_bool)]


class Snapshot(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("number", ctypes.c_int64), ("first_seen_s", ctypes.c_int64),
                ("last_seen_s", ctypes.c_int64), ("facts", ctypes.POINTER(Pair)), ("n_facts",
                ctypes.c_size_t), ("is_checked", ctypes.c_bool)]


class ToolTerm(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("text", Str), ("is_number", ctypes.c_bool)]


class VendorEvent(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("event", ctypes.c_void_p), ("pmu", Str), ("topic", Str),
                ("description", Str), ("long_description", Str), ("compat", Str), ("is_deprecated",
                ctypes.c_bool)]


class VendorImport(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", Str), ("directory", Str), ("layout", Str), ("time_s",
                ctypes.c_int64), ("n_folders", ctypes.c_size_t), ("n_cpus", ctypes.c_size_t), ("n_events",
                ctypes.c_size_t), ("n_metrics", ctypes.c_size_t), ("n_problems", ctypes.c_size_t)]


class VendorTable(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("cpuid", Str), ("import", Str), ("folder", Str), ("version", Str),
                ("n_events", ctypes.c_size_t)]


#: By the names of the headers.
RECORDS: Dict[str, Type[ctypes.Structure]] = {
    "pmuq_str": Str,
    "pmuq_pair": Pair,
    "pmuq_bits": Bits,
    "pmuq_assignment": Assignment,
    "pmuq_captured": Captured,
    "pmuq_captured_file": CapturedFile,
    "pmuq_change": Change,
    "pmuq_check_result": CheckResult,
    "pmuq_count": Count,
    "pmuq_decoding": Decoding,
    "pmuq_definition": Definition,
    "pmuq_document_host": DocumentHost,
    "pmuq_encoding": Encoding,
    "pmuq_error": Error,
    "pmuq_event": Event,
    "pmuq_feature": Feature,
    "pmuq_field": Field,
    "pmuq_format": Format,
    "pmuq_found_event": FoundEvent,
    "pmuq_host": Host,
    "pmuq_host_class": HostClass,
    "pmuq_left_field": LeftField,
    "pmuq_machine": Machine,
    "pmuq_open_result": OpenResult,
    "pmuq_page": Page,
    "pmuq_pfm_attribute": PfmAttribute,
    "pmuq_pfm_code": PfmCode,
    "pmuq_pfm_encoding": PfmEncoding,
    "pmuq_pfm_event": PfmEvent,
    "pmuq_pfm_pmu": PfmPmu,
    "pmuq_pmu": Pmu,
    "pmuq_pmu_file": PmuFile,
    "pmuq_problem": Problem,
    "pmuq_progress": Progress,
    "pmuq_recorded": Recorded,
    "pmuq_recorded_event": RecordedEvent,
    "pmuq_snapshot": Snapshot,
    "pmuq_tool_term": ToolTerm,
    "pmuq_vendor_event": VendorEvent,
    "pmuq_vendor_import": VendorImport,
    "pmuq_vendor_table": VendorTable,
}

#: Members that point to objects: (struct, member) is the word of the table.
POINTERS: Dict[Tuple[str, str], str] = {
    ("pmuq_captured", "catalog"): "catalog",
    ("pmuq_check_result", "open"): "open_result",
    ("pmuq_count", "page"): "page",
    ("pmuq_encoding", "attr"): "attr",
    ("pmuq_machine", "check"): "check",
    ("pmuq_open_result", "changed_attr"): "attr",
    ("pmuq_pfm_encoding", "error"): "error",
    ("pmuq_pmu", "definition"): "definition",
    ("pmuq_recorded_event", "attr"): "attr",
    ("pmuq_vendor_event", "event"): "event",
}
