# SPDX-License-Identifier: MIT
"""The numbers of the library that have names: each class is an enum of the headers, value for value."""
import enum
from typing import Dict, Tuple, Type


class Dialect(enum.IntEnum):
    """Whose meaning an event string has."""

    PMUQ = 0  #: as perf, except where perf does what nobody means
    PERF = 1  #: the very attr of perf's own parser, apart from size


class Origin(enum.IntFlag):
    """Where the meaning of a name came from; combine them to say where names may come from."""

    FORMAT = 1  #: terms of the PMU's own formats, no event name
    SYSFS = 2  #: a file in events/
    GENERIC = 4  #: the kernel's generic hardware, software and cache events
    RAW = 8  #: rNNN or TYPE:CONFIG
    BREAKPOINT = 16  #: mem:ADDR
    TRACEPOINT = 32  #: subsystem:event
    PROBE = 64  #: kprobe, uprobe
    JSON = 256  #: an imported table of the CPU's events
    PFM = 128  #: a name of libpfm4


class Preset(enum.IntEnum):
    """What a tool adds to the attrs of an event string."""

    NONE = 0
    STAT = 1  #: as `perf stat` opens them around a command
    RECORD = 2  #: as `perf record` does


class Cause(enum.IntEnum):
    """Who had a value put into an attr."""

    TEXT = 0  #: the event string, at the offset
    EVENT = 1  #: the terms of a sysfs event, at the offset
    PMU = 2  #: a file of the PMU
    DEFAULT = 3  #: nobody: an event of its kind has it from the start
    PRESET = 4  #: the tool that the preset stands for


class FieldKind(enum.IntEnum):
    """How a field of the attr is shown."""

    NUMBER = 0
    WORD = 1  #: 64 bits, in hex


class FileContent(enum.IntEnum):
    """What the content of a known file of a PMU is."""

    TEXT = 0
    NUMBER = 1  #: decimal, or hexadecimal after "0x"
    CPUS = 2  #: a list of CPUs, "0-3,8"


class OpenStatus(enum.IntEnum):
    """What the kernel said when an event was opened."""

    OPENED = 0
    REFUSED = 1
    SKIPPED = 2  #: not tried; the reason says why


class Counting(enum.IntEnum):
    """What became of an event that was to count."""

    COUNTED = 0
    MULTIPLEXED = 1  #: for a part of the time only; the scaled value makes up for it
    ALWAYS_ZERO = 2  #: it was on a counter, and nothing came of it
    NEVER_SCHEDULED = 3  #: no counter was free for it all the while
    TARGET_IDLE = 4  #: what is counted did not run at all
    NOT_COUNTED = 5  #: not opened, or not readable: the errno says why


class StoreMode(enum.IntEnum):
    """How a database is opened."""

    READ = 0  #: must exist; nothing is written
    WRITE = 1  #: must exist
    CREATE = 2  #: made, with its directory, where it does not exist


class Match(enum.IntEnum):
    """How the words of a search were found."""

    NAME = 0  #: all of them in the name
    ALL = 1  #: all of them, in the name or what is said of it
    ANY = 2  #: some of them


class PfmModifier(enum.IntEnum):
    """libpfm4's modifiers that are no bits of a config word."""

    U = 0
    K = 1
    H = 2
    MG = 3
    MH = 4
    EXCL = 5
    PINNED = 6
    HW_SMPL = 7
    PRECISE = 8
    FREQ = 9
    PERIOD = 10
    CPU = 11


class PfmPlace(enum.IntEnum):
    """Which of a machine's PMUs a code of libpfm4 means."""

    CORE = 0
    INSTANCE = 1
    INSTANCES = 2
    GENERIC = 3


class PfmPmuKind(enum.IntEnum):
    """What a PMU of libpfm4 counts."""

    CORE = 0
    UNCORE = 1
    GENERIC = 2


class PfmAttributeKind(enum.IntEnum):
    """How an attribute of an event of libpfm4 is written."""

    UMASK = 0  #: a word alone
    FLAG = 1  #: y, n, 1, 0, or a word alone
    NUMBER = 2  #: word=number


class Weight(enum.IntEnum):
    """What a change does to those who use the machine; the heaviest first."""

    BREAKING = 0  #: what worked does not work any more
    MEANING = 1  #: the same words ask for something else
    ADDITION = 2  #: there is more than there was
    COSMETIC = 3  #: said in another way; who asks gets the same
    PASSING = 4  #: belongs to a boot or a host, and not to a kind of machine


class ChangeKind(enum.IntEnum):
    """What changed between two machines."""

    PMU_GONE = 0
    PMU_NEW = 1
    PMU_RENAMED = 2
    INSTANCES_GONE = 3
    INSTANCES_NEW = 4
    PMU_TYPE = 5
    PMU_CPUS = 6
    PMU_ALIAS = 7
    FORMAT_GONE = 8
    FORMAT_NEW = 9
    FORMAT_MOVED = 10
    FORMAT_NARROWED = 11
    FORMAT_WIDENED = 12
    FORMAT_TEXT = 13
    EVENT_GONE = 14
    EVENT_NEW = 15
    EVENT_RENAMED = 16
    EVENT_BROKEN = 17
    EVENT_FIXED = 18
    EVENT_BITS = 19
    EVENT_SETTINGS = 20
    EVENT_TEXT = 21
    EVENT_UNIT = 22
    EVENT_SCALE = 23
    EVENT_FLAGS = 24
    CAP_GONE = 25
    CAP_NEW = 26
    CAP = 27
    ATTRIBUTE_GONE = 28
    ATTRIBUTE_NEW = 29
    ATTRIBUTE = 30
    FACT_GONE = 31
    FACT_NEW = 32
    FACT = 33
    TRACEPOINT_GONE = 34
    TRACEPOINT_NEW = 35
    TRACEPOINTS_UNKNOWN = 36
    OPENS_NO_MORE = 37
    OPENS_NOW = 38
    REFUSED_OTHERWISE = 39


class DocumentForm(enum.IntEnum):
    """How a document is written."""

    YAML = 0
    JSON = 1


#: The enum of the headers, and what its names begin with there.
ENUMS: Dict[str, Tuple[Type[enum.IntEnum], str]] = {
    "pmuq_dialect": (Dialect, "PMUQ_DIALECT_"),
    "pmuq_origin": (Origin, "PMUQ_FROM_"),  # type: ignore[dict-item]
    "pmuq_preset": (Preset, "PMUQ_PRESET_"),
    "pmuq_cause": (Cause, "PMUQ_CAUSE_"),
    "pmuq_field_format": (FieldKind, "PMUQ_FIELD_"),
    "pmuq_file_content": (FileContent, "PMUQ_FILE_"),
    "pmuq_open_status": (OpenStatus, "PMUQ_"),
    "pmuq_counting": (Counting, "PMUQ_"),
    "pmuq_store_mode": (StoreMode, "PMUQ_STORE_"),
    "pmuq_match": (Match, "PMUQ_MATCH_"),
    "pmuq_weight": (Weight, "PMUQ_WEIGHT_"),
    "pmuq_change_type": (ChangeKind, "PMUQ_CHANGE_"),
    "pmuq_document_form": (DocumentForm, "PMUQ_DOCUMENT_"),
    "pmuq_pfm_modifier": (PfmModifier, "PMUQ_PFM_"),
    "pmuq_pfm_scope": (PfmPlace, "PMUQ_PFM_"),
    "pmuq_pfm_pmu_type": (PfmPmuKind, "PMUQ_PFM_PMU_"),
    "pmuq_pfm_attribute_type": (PfmAttributeKind, "PMUQ_PFM_"),
}
