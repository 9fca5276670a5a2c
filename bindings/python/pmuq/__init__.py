# SPDX-License-Identifier: MIT
"""What can a Linux machine count, and how do I open it? The library of pmuq, in Python.

    import pmuq

    with pmuq.Source.live() as machine:
        for event in machine.encode("msr/tsc/"):
            print(event.pmu, event.cpus, event.fields, event.attr.hex())

A *source* is a machine to query: this one, a captured tree, a snapshot of a database. A *catalog* is all that it offers, in
memory. *Encodings* are what an event string means there; *open results* are what the running kernel does with them, *counts*
what they count; *opened* events stay open and can be read.

A class has the name of the C struct, a method and a property those of the C function and member: the manual, libpmuq(3), is
that of this package, too. Options are keywords. A call that fails raises Error: with a code, a message, a hint, and the
location in the text; str() draws it with a caret.

Objects can be closed, at the end of a `with` at the latest; what came from one before (PMUs of a catalog, encodings
of a source) stays good. Use after close is Closed, an exception. Threads: catalogs and vendors' tables are used by any
number at once, and other threads run while the library works; threads that share any other object wait for each other.

Text that is not UTF-8 (the kernel may write any bytes) has surrogates in it, as names of files do: see os.fsencode()."""
from . import _classes, enums
from ._classes import *
from ._library import Path
from .attr import AttrLike, attr_fields, pack_attr, parse_attr
from .cpus import Cpus, parse_cpus
from .enums import *
from .errors import Closed, Error
from .machines import Change, Check, Decoding, Diagnosis, Diff, Encodings, OpenResult, Pmu, Source
from .opening import Opened
from .storing import Entry, Reader, Store
from .words import Code, codes, generic_names, modifiers, name_in_event, pmu_files, terms

__all__ = [
    "AttrLike", "Change", "Check", "Closed", "Code", "Cpus", "Decoding", "Diagnosis", "Diff", "Encodings", "Entry", "Error",
    "OpenResult", "Opened", "Path", "Pmu", "Reader", "Source", "Store", "attr_fields", "codes", "generic_names", "modifiers", "name_in_event",
    "pack_attr", "parse_attr", "parse_cpus", "pmu_files", "terms",
]
__all__ += _classes.__all__
__all__ += enums.__all__
