# SPDX-License-Identifier: MIT
"""PMU discovery and event encoding for Linux: libpmuq in Python.

    import pmuq

    with pmuq.Source.live() as machine:
        for event in machine.encode("msr/tsc/"):
            print(event.pmu, event.cpus, event.fields, event.attr.hex())

A *source* is a machine to query: this one, a captured tree or tar, or a snapshot from a database. A *catalog* contains
everything that a source offers, in memory. *Encodings* are what an event string means there. *Open results* report what
the running kernel did with them, and *counts* what they counted. *Opened* events stay open and can be read.

A class has the name of the C struct, and a method or property that of the C function or member. So the manual, libpmuq(3),
describes this package too. Options are keyword arguments. A call that fails raises Error, which has a code, a message, a
hint and the location in the text; str() prints it with a caret.

Close an object with close() or at the end of a `with` block. Objects that came from it (PMUs of a catalog, encodings of a
source) stay valid. Using the closed object raises Closed. Any number of threads may use one catalog or one vendor's table;
threads that share any other object wait for each other. Other threads run during every call that can fail.

Text that is not UTF-8 (the kernel may write any bytes) contains surrogates, as file names do: see os.fsencode()."""
from . import _classes, enums
from ._classes import *
from ._library import Path
from .attr import AttrLike, attr_fields, change_attr, copy_attr, pack_attr, parse_attr
from .cpus import Cpus, parse_cpus
from .enums import *
from .errors import Closed, Error
from .formula import Formula, FormulaValue
from .metric import MetricCount, MetricPlan, MetricValue
from .machines import Change, Check, Decoding, Diagnosis, Diff, Encodings, OpenResult, Pmu, Source
from .opening import Opened
from .sampling import Sample, SampleRecord, Samples
from .service import Service, ServiceError
from .storing import Entry, Reader, Store
from .words import Code, codes, generic_names, modifiers, name_in_event, pmu_files, terms

__all__ = [
    "AttrLike", "Change", "Check", "Closed", "Code", "Cpus", "Decoding", "Diagnosis", "Diff", "Encodings", "Entry", "Error",
    "Formula", "FormulaValue", "MetricCount", "MetricPlan", "MetricValue", "OpenResult", "Opened", "Path", "Pmu", "Reader", "Sample", "SampleRecord", "Samples", "Service", "ServiceError",
    "Source", "Store", "attr_fields", "change_attr", "codes", "copy_attr", "generic_names", "modifiers", "name_in_event",
    "pack_attr", "parse_attr", "parse_cpus", "pmu_files", "terms",
]
__all__ += _classes.__all__
__all__ += enums.__all__
