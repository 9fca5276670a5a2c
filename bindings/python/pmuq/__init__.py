# SPDX-License-Identifier: MIT
"""What can a Linux machine count, and how do I ask the kernel for it? The library of pmuq, in Python.

    import pmuq

    with pmuq.Source.live() as machine:
        for event in machine.encode("msr/tsc/"):
            print(event.pmu, event.cpus, event.fields, event.attr.hex())

A *source* is a machine to ask: this one, a captured tree, a snapshot of a database. A *catalog* is all that it offers, in
memory. *Encodings* are what an event string means there; *verdicts* are what the running kernel says when they are opened,
*counts* what comes of it; an *opened* event stays open and can be read.

What fails raises Error: with a code, a message, a hint, and the place in the text; str() draws it with a caret.

Everything can be closed, at the end of a `with` at the latest; what was got from it before (PMUs of a catalog, encodings
of a source) stays good. Use after close is Closed, an exception. Threads: catalogs and vendors' tables are used by any
number at once, and the GIL is let go of while the library works; threads that share any other object wait for each other.

Text that is not UTF-8 (the kernel may write any bytes) has surrogates in it, as names of files do: see os.fsencode()."""
from ._library import VERSION as _VERSION
from ._library import Path
from ._library import lib as _lib
from ._library import owned_text as _owned_text
from .attr import AttrLike, attr_fields, pack_attr, parse_attr
from .capture import Capture, CapturedFile, Redaction, Unread
from .catalog import Catalog, Problem
from .check import Answer, Check
from .cpus import Cpus, parse_cpus
from .decoding import Decoding, Left
from .diffing import Change, Diff, diff
from .document import Entry, Reader, Writer
from .encoding import Assignment, Deferred, Encoding, Encodings, Group, generic_names
from .enums import (Cause, ChangeKind, Counting, Dialect, DocumentForm, FieldKind, FileContent, Match, OpenStatus, Origin,
                    PfmAttributeKind, PfmModifier, PfmPlace, PfmPmuKind, Preset, StoreMode, Weight)
from .errors import Closed, Code, Diagnosis, Error, codes
from .libpfm4 import Pfm, PfmAnswer, PfmAttribute, PfmCode, PfmEvent, PfmPmu, is_of_cpu
from .machine import Machine, decode
from .names import modifiers, terms
from .opening import Budget, Count, Opened, Page, Place, Reading, Verdict
from .pmu import Event, Format, Pmu, PmuFile, pmu_files
from .recording import Feature, RecordedEvent, Recording
from .source import Source
from .store import Forgotten, Host, Hosts, Kind, Saved, Snapshot, Store, parse_time
from .vendor import Found, Import, ImportProblem, Vendor, VendorEvent

__all__ = [
    "Answer", "Assignment", "AttrLike", "Budget", "Capture", "CapturedFile", "Catalog", "Cause", "Change",
    "ChangeKind", "Check", "Closed", "Code", "Count", "Counting", "Cpus", "Decoding", "Deferred", "Diagnosis",
    "Dialect", "Diff", "DocumentForm", "Encoding", "Encodings", "Entry", "Error", "Event", "Feature", "FieldKind",
    "FileContent",     "Forgotten", "Format", "Found", "Group", "Host", "Hosts", "Import", "ImportProblem", "Kind", "Left", "Machine",
    "Match", "OpenStatus", "Opened", "Origin", "Page", "Path", "Pfm", "PfmAnswer", "PfmAttribute", "PfmAttributeKind",
    "PfmCode", "PfmEvent", "PfmModifier", "PfmPlace", "PfmPmu", "PfmPmuKind", "Place", "Pmu", "PmuFile", "Preset", "Problem",
    "Reader", "Reading", "RecordedEvent", "Recording", "Redaction", "Saved", "Snapshot", "Source", "Store",
    "StoreMode", "Unread", "Vendor", "VendorEvent", "Verdict", "Weight", "Writer", "attr_fields", "build_info",
    "codes", "decode", "diff", "generic_names", "is_of_cpu", "modifiers", "pack_attr", "parse_attr", "parse_cpus",
    "parse_time", "pmu_files", "terms", "version",
]


def version() -> str:
    """The version of the library that runs."""
    raw: bytes = _lib.pmuq_version()
    return raw.decode()


def build_info() -> str:
    """How the library was built and what it found, a line each: "name: value"."""
    return _owned_text(_lib.pmuq_build_info())
