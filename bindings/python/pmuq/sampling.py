# SPDX-License-Identifier: MIT
"""Handwritten parts of the classes for samples: the library overwrites a record with the next one, so each is copied."""
import ctypes
from typing import Iterator, Optional

from . import _classes
from . import _declarations as raw
from ._declarations import POINTERS
from ._library import lib
from ._object import Handle


class SampleRecord(_classes.SampleRecord):
    """A record of the kernel. It is a copy, and stays valid."""

    _memory: object

    @classmethod
    def _copied(cls, handle: Handle, address: int) -> "SampleRecord":
        struct = raw.SampleRecord.from_buffer_copy(ctypes.string_at(address, ctypes.sizeof(raw.SampleRecord)))
        words = (ctypes.c_uint64 * (struct.data_bytes // 8)).from_buffer_copy(ctypes.string_at(struct.data, struct.data_bytes))
        struct.data = ctypes.addressof(words)
        record = cls(handle, POINTERS["pmuq_sample_record"](ctypes.addressof(struct)))
        record._memory = (struct, words)
        return record


class Sample(_classes.Sample):
    """The fields of a sample. Only those in `types` are set; the others are 0 or empty."""

    _memory: object


class Samples(_classes.Samples):
    """The records that the kernel writes while opened events count, in the order of time.

    >>> with machine.encode("cpu-clock/freq=1000/u", preset=pmuq.Preset.SAMPLE).open(wants_samples=True) as opened:
    ...     samples = opened.sample()
    ...     with opened.enabled():
    ...         work()
    ...     for sample in samples:
    ...         print(sample.tid, hex(sample.ip))
    """

    def next(self) -> Optional[SampleRecord]:
        """Take the next record; None: no record is ready."""
        handle = self._handle
        with handle.lock:
            got = lib.pmuq_samples_next(handle)
            return SampleRecord._copied(handle, got) if got else None

    def records(self) -> Iterator[SampleRecord]:
        """Take all records that there are now."""
        record = self.next()
        while record:
            yield record
            record = self.next()

    def parse(self, record: SampleRecord) -> Optional[Sample]:
        """Read the fields of a sample; None if the record is not a sample, or its event is not known."""
        handle, sample = self._handle, raw.Sample(ctypes.sizeof(raw.Sample))
        if not isinstance(record, SampleRecord):
            raise TypeError(f"record: expected SampleRecord, not {type(record).__name__}")
        if not lib.pmuq_samples_parse(handle, record._pointer, ctypes.byref(sample)):
            return None
        found = Sample(sample)
        found._memory = record._memory
        return found

    def __iter__(self) -> Iterator[Sample]:
        """Take all samples that there are now, without the other records."""
        for record in self.records():
            sample = self.parse(record)
            if sample:
                yield sample
