# SPDX-License-Identifier: MIT
"""Names of libpfm4, for any CPU that it knows, asked of a helper process."""
import ctypes
from dataclasses import dataclass, field
from typing import Any, List, Mapping, Optional, Sequence, Tuple

from . import _structs
from ._arguments import listed
from ._library import Path, lib, path_bytes, text, text_array, to_bytes, to_bytes_or_none
from ._object import Handle, Owner, create
from .enums import PfmAttributeKind, PfmModifier, PfmPlace, PfmPmuKind
from .errors import Diagnosis, call, diagnosis_of


@dataclass(frozen=True)
class PfmCode:
    """What libpfm4 makes of a name on one kind of PMU."""

    place: PfmPlace
    sysfs: str  #: the PMU's name in sysfs
    type: int  #: of a generic event 0, 1 or 3; the machine has the type of every other PMU
    terms: str  #: "config=0x20d1,config1=0x3"
    config: Tuple[int, int, int]  #: config, config1, config2
    pmu: str  #: libpfm4's name of the PMU: "skx"
    event: str
    canonical: str  #: the whole name with all umasks and modifiers


@dataclass(frozen=True)
class PfmAnswer:
    """What became of one name: codes, or an error."""

    codes: Tuple[PfmCode, ...]
    modifiers: Mapping[PfmModifier, int] = field(hash=False)
    error: Optional[Diagnosis]


@dataclass(frozen=True)
class PfmPmu:
    """A PMU that libpfm4 has tables of."""

    name: str
    description: str
    sysfs: str
    family: str  #: "skx_unc_imc" of the box skx_unc_imc3; "" of a PMU that is no box
    instance: int
    kind: PfmPmuKind
    is_present: bool
    event_count: int


@dataclass(frozen=True)
class PfmAttribute:
    """A umask or modifier of an event."""

    name: str
    description: str
    same_as: str
    kind: PfmAttributeKind
    is_default: bool


@dataclass(frozen=True)
class PfmEvent:
    """An event of a PMU of libpfm4."""

    name: str
    description: str
    same_as: str  #: what it is another name of, "" for most
    attributes: Tuple[PfmAttribute, ...]  #: none unless they were asked for


class Pfm(Owner):
    """Who is asked: a helper process that is started with the first question, and ended by close().

    >>> with pmuq.Pfm() as pfm:
    ...     pfm.encode(["skx::MEM_LOAD_RETIRED:L3_MISS:u"])[0].codes[0].terms
    """

    def __init__(self, *, helper: Optional[Path] = None, timeout_ms: int = 0) -> None:
        options = _structs.sized(_structs.PfmOptions, helper=None if helper is None else path_bytes(helper),
                                 timeout_ms=timeout_ms)
        super().__init__(create("pfm", lib.pmuq_pfm_free, lib.pmuq_pfm_open, ctypes.byref(options)))

    def library(self) -> Tuple[str, str]:
        """Which libpfm4 answers: its file's name, and its build id in hex."""
        handle = self._handle
        file, build_id = ctypes.c_char_p(), ctypes.c_char_p()
        with handle.lock:
            call(lib.pmuq_pfm_library, handle, ctypes.byref(file), ctypes.byref(build_id))
            return text(file.value), text(build_id.value)

    def encode(self, names: Sequence[str], *, cpuid: Optional[str] = None) -> List[PfmAnswer]:
        """One answer a name; what is wrong with one is its own answer's error. `cpuid` is for names without a PMU."""
        raw = [to_bytes(name) for name in listed("names", names)]
        answers = self._ask("pfm_encodings", lib.pmuq_pfm_answers_free, lib.pmuq_pfm_encode, to_bytes_or_none(cpuid),
                            text_array(raw), len(raw))
        return [_answer(lib.pmuq_pfm_answers_get(answers, i)) for i in range(lib.pmuq_pfm_answers_count(answers))]

    def pmus(self) -> List[PfmPmu]:
        """All PMUs that libpfm4 has tables of."""
        pmus = self._ask("pfm_pmus", lib.pmuq_pfm_pmus_free, lib.pmuq_pfm_list_pmus)
        return [_pmu(lib.pmuq_pfm_pmus_get(pmus, i)) for i in range(lib.pmuq_pfm_pmus_count(pmus))]

    def events(self, pmu: str, *, with_attributes: bool = False) -> List[PfmEvent]:
        """The events of a PMU, or of a family of boxes."""
        events = self._ask("pfm_events", lib.pmuq_pfm_events_free, lib.pmuq_pfm_list_events, to_bytes(pmu),
                           with_attributes)
        return [_event(lib.pmuq_pfm_events_get(events, i)) for i in range(lib.pmuq_pfm_events_count(events))]

    def _ask(self, kind: str, free: Any, function: Any, *arguments: Any) -> Handle:
        handle = self._handle
        with handle.lock:
            return create(kind, free, function, handle, *arguments)


def is_of_cpu(pmu: str, cpuid: str) -> bool:
    """Whether a CPU has a PMU (or a family of boxes) of libpfm4; also true where that is not known."""
    return bool(lib.pmuq_pfm_is_of_cpu(to_bytes(pmu), to_bytes(cpuid)))


def _code(code: Any) -> PfmCode:
    return PfmCode(PfmPlace(lib.pmuq_pfm_code_place(code)), text(lib.pmuq_pfm_code_sysfs(code)),
                   lib.pmuq_pfm_code_type(code), text(lib.pmuq_pfm_code_terms(code)),
                   (lib.pmuq_pfm_code_config(code, 0), lib.pmuq_pfm_code_config(code, 1),
                    lib.pmuq_pfm_code_config(code, 2)),
                   text(lib.pmuq_pfm_code_pmu(code)), text(lib.pmuq_pfm_code_event(code)),
                   text(lib.pmuq_pfm_code_canonical(code)))


def _answer(answer: Any) -> PfmAnswer:
    error, value, modifiers = lib.pmuq_pfm_answer_error(answer), ctypes.c_uint64(), {}
    for modifier in PfmModifier:
        if lib.pmuq_pfm_answer_modifier(answer, modifier, ctypes.byref(value)):
            modifiers[modifier] = value.value
    codes = tuple(_code(lib.pmuq_pfm_answer_code(answer, i)) for i in range(lib.pmuq_pfm_answer_code_count(answer)))
    return PfmAnswer(codes, modifiers, diagnosis_of(error) if error else None)


def _pmu(pmu: Any) -> PfmPmu:
    return PfmPmu(text(lib.pmuq_pfm_pmu_name(pmu)), text(lib.pmuq_pfm_pmu_description(pmu)),
                  text(lib.pmuq_pfm_pmu_sysfs(pmu)), text(lib.pmuq_pfm_pmu_family(pmu)), lib.pmuq_pfm_pmu_instance(pmu),
                  PfmPmuKind(lib.pmuq_pfm_pmu_kind(pmu)), bool(lib.pmuq_pfm_pmu_is_present(pmu)),
                  lib.pmuq_pfm_pmu_event_count(pmu))


def _event(event: Any) -> PfmEvent:
    attributes = tuple(PfmAttribute(text(lib.pmuq_pfm_attribute_name(event, i)),
                                    text(lib.pmuq_pfm_attribute_description(event, i)),
                                    text(lib.pmuq_pfm_attribute_same_as(event, i)),
                                    PfmAttributeKind(lib.pmuq_pfm_attribute_kind(event, i)),
                                    bool(lib.pmuq_pfm_attribute_is_default(event, i)))
                       for i in range(lib.pmuq_pfm_event_attribute_count(event)))
    return PfmEvent(text(lib.pmuq_pfm_event_name(event)), text(lib.pmuq_pfm_event_description(event)),
                    text(lib.pmuq_pfm_event_same_as(event)), attributes)
