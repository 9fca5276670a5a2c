# SPDX-License-Identifier: MIT
"""perf.data for tests: recordings converted to the other byte order, and files built from their contents.
Independent of pmuq's reader."""
import struct

ATTR_FIELDS = [4, 4, 8, 8, 8, 8, "flags", 4, 4, 8, 8, 8, 8, 4, 4, 8, 4, 2, 2, 4, "action", 8, 8, 8]
PRECISE_AT, PRECISE = 15, 3 << 15  # the only bit field that is a number
CPUS, EVENTS, TOPOLOGY, NUMA, MAPPINGS, GROUPS, CACHE, MEMORY = 7, 12, 13, 14, 16, 17, 20, 22
STRINGS, CMDLINE, CPU_CAPS, HYBRID, CAPS = (3, 4, 5, 6, 8, 9), 11, 28, 30, 31
U64S = {10: 1, 21: 2, 23: 1, 24: 1}
U32S = {27: 5, 33: 2, 34: 1}
ATTR, TRACING_DATA, UPDATE, FEATURE = 64, 66, 78, 80


def mirrored(value, bits):
    return int(f"{value:0{bits}b}"[::-1], 2)


class Swapper:
    """Converts little-endian numbers to big-endian in place, and returns them."""

    def __init__(self, data):
        self.data, self.at, self.n_cpus = bytearray(data), 0, 0

    def number(self, n):
        raw = self.data[self.at:self.at + n]
        self.data[self.at:self.at + n] = raw[::-1]
        self.at += n
        return int.from_bytes(raw, "little")

    def u32(self):
        return self.number(4)

    def u64(self):
        return self.number(8)

    def bits(self, n):
        """Bit fields start at the other end, and the bytes are reversed."""
        value = int.from_bytes(self.data[self.at:self.at + n], "little")
        precise = (value & PRECISE) >> PRECISE_AT if n == 8 else 0
        value = mirrored(value & ~(PRECISE if n == 8 else 0), 8 * n) | precise << 64 - PRECISE_AT - 2
        self.data[self.at:self.at + n] = value.to_bytes(n, "big")
        self.at += n

    def attr(self, n):
        end = self.at + n
        for field in ATTR_FIELDS:
            if self.at >= end:
                break
            if field in ("flags", "action"):
                self.bits(8 if field == "flags" else 4)
            else:
                self.number(field)
        self.at = end

    def string(self):
        n = self.u32()
        self.at += n

    def strings(self):
        for _ in range(self.u32()):
            self.string()

    def events(self):
        n, size = self.u32(), self.u32()
        for _ in range(n):
            self.attr(size)
            n_ids = self.u32()
            self.string()
            for _ in range(n_ids):
                self.u64()

    def topology(self, end):
        self.strings()
        self.strings()
        for _ in range(2 * self.n_cpus if self.at < end else 0):
            self.u32()
        if self.at < end:
            self.strings()
            for _ in range(self.n_cpus):
                self.u32()

    def nodes(self):
        for _ in range(self.u32()):
            self.u32(), self.u64(), self.u64(), self.string()

    def mappings(self):
        for _ in range(self.u32()):
            self.u32(), self.string()

    def groups(self):
        for _ in range(self.u32()):
            self.string(), self.u32(), self.u32()

    def caches(self):
        self.u32()
        for _ in range(self.u32()):
            self.u32(), self.u32(), self.u32(), self.u32(), self.string(), self.string(), self.string()

    def memory(self):
        self.u64(), self.u64()
        for _ in range(self.u64()):
            self.u64(), self.u64()
            for _ in range((self.u64() + 63) // 64):
                self.u64()

    def pairs(self):
        for _ in range(self.u32()):
            self.string(), self.string()

    def caps(self):
        for _ in range(self.u32()):
            self.pairs(), self.string()

    def feature(self, number, at, n):
        self.at = at
        if number in STRINGS:
            self.string()
        elif number in U64S:
            for _ in range(U64S[number]):
                self.u64()
        elif number in U32S:
            for _ in range(U32S[number]):
                self.u32()
        elif number == CPUS:
            self.n_cpus = self.u32()
            self.u32()
        elif number == TOPOLOGY:
            self.topology(at + n)
        elif number == 29:
            self.u32(), self.u32(), self.u64(), self.u64()
        else:
            reader = {CMDLINE: self.strings, EVENTS: self.events, NUMA: self.nodes, MAPPINGS: self.mappings,
                      GROUPS: self.groups, CACHE: self.caches, MEMORY: self.memory, CPU_CAPS: self.pairs,
                      HYBRID: self.pairs, CAPS: self.caps}.get(number)
            if reader:
                reader()

    def file(self):
        _size, attr_size, attrs, n_attrs, data, n_data = (self.u64() for _ in range(6))
        self.u64(), self.u64()
        bits = sum(self.u64() << 64 * i for i in range(4))
        for at in range(attrs, attrs + n_attrs, attr_size):
            self.at = at
            self.attr(attr_size - 16)
            ids, n_ids = self.u64(), self.u64()
            self.at = ids
            for _ in range(n_ids // 8):
                self.u64()
        self.at = data + n_data
        sections = [(number, self.u64(), self.u64()) for number in range(256) if bits >> number & 1]
        for section in sections:
            self.feature(*section)

    def stream(self):
        self.u64()
        while self.at < len(self.data):
            start = self.at
            type_, _misc, size = self.u32(), self.number(2), self.number(2)
            extra = 0
            if type_ == ATTR:
                attr_size, = struct.unpack_from("<I", self.data, self.at + 4)
                self.attr(attr_size)
                while self.at < start + size:
                    self.u64()
            elif type_ == FEATURE:
                number = self.u64()
                self.feature(number, self.at, start + size - self.at)
            elif type_ == UPDATE:
                what = self.u64()
                self.u64()
                if what == 1:
                    self.u64()
            elif type_ == TRACING_DATA:
                extra = self.u32()
            self.at = start + size + extra


def swapped(data):
    """The same recording, as a big-endian machine would have made it."""
    swapper = Swapper(data)
    swapper.data[:8] = swapper.data[:8][::-1]
    swapper.at = 8
    if data[8] == 16:
        swapper.stream()
    else:
        swapper.file()
    return bytes(swapper.data)


# ------------------------------------------------------------------------------------ built from parts

def text(value):
    raw = value.encode() if isinstance(value, str) else value
    n = (len(raw) + 1 + 63) // 64 * 64
    return struct.pack("<I", n) + raw.ljust(n, b"\0")


def texts(values):
    return struct.pack("<I", len(values)) + b"".join(map(text, values))


def pairs(values):
    return struct.pack("<I", len(values)) + b"".join(text(name) + text(value) for name, value in values)


def attr(type_, config, size=128, flags=0, config1=0, config2=0, tail=b"", stated_size=None):
    raw = struct.pack("<IIQQQQQIIQQ", type_, size if stated_size is None else stated_size, config, 0, 0, 0, flags, 0, 0, config1, config2)
    return (raw.ljust(size, b"\0")[:size - len(tail)] + tail)[:size]


def mappings(types):
    return struct.pack("<I", len(types)) + b"".join(struct.pack("<I", number) + text(name) for name, number in types)


def groups(values):
    return struct.pack("<I", len(values)) + b"".join(text(name) + struct.pack("<II", *who) for name, *who in values)


def descriptions(events):
    """Event descriptions, from (attr, name, ids)."""
    size = len(events[0][0])
    return struct.pack("<II", len(events), size) + b"".join(
        raw + struct.pack("<I", len(ids)) + text(name) + struct.pack(f"<{len(ids)}Q", *ids) for raw, name, ids in events)


def host(name="recorder", kernel="6.18.44", arch="x86_64", cpuid="GenuineIntel,6,85,4", cpus=(4, 4)):
    return {3: text(name), 4: text(kernel), 5: text("7.2"), 6: text(arch), 7: struct.pack("<II", *cpus), 9: text(cpuid)}


def file(events, features, samples=b"\0" * 64):
    """A file, from (attr, name, ids) and features as {number: content}."""
    ids = b"".join(struct.pack(f"<{len(e[2])}Q", *e[2]) for e in events)
    attr_size = len(events[0][0]) + 16 if events else 144
    if events and features:
        features = {**features, EVENTS: descriptions(events)}
    at_attrs = 104 + len(ids)
    at_data = at_attrs + attr_size * len(events)
    bits = sum(1 << number for number in features)
    out = bytearray(b"PERFILE2")
    out += struct.pack("<8Q", 104, attr_size, at_attrs, attr_size * len(events), at_data, len(samples), 0, 0)
    out += bits.to_bytes(32, "little") + ids
    at = 104
    for raw, _name, own in events:
        out += raw + struct.pack("<QQ", at, 8 * len(own))
        at += 8 * len(own)
    out += samples
    at = len(out) + 16 * len(features)
    for number in sorted(features):
        out += struct.pack("<QQ", at, len(features[number]))
        at += len(features[number])
    return bytes(out) + b"".join(features[number] for number in sorted(features))


def record_of(type_, content):
    return struct.pack("<IHH", type_, 0, 8 + len(content)) + content


def stream(events, features, updates=()):
    """A stream with updates as (what, id, content)."""
    features = dict(features)
    if events:
        features.setdefault(EVENTS, descriptions(events))
    out = b"PERFILE2" + struct.pack("<Q", 16)
    out += b"".join(record_of(ATTR, raw + struct.pack(f"<{len(ids)}Q", *ids)) for raw, _name, ids in events)
    out += b"".join(record_of(FEATURE, struct.pack("<Q", number) + content) for number, content in sorted(features.items()))
    return out + b"".join(record_of(UPDATE, struct.pack("<QQ", what, number) + content) for what, number, content in updates)


def hybrid():
    """A machine with two core types and an uncore PMU, and an event of each."""
    events = [(attr(0, 4 << 32), "cpu_core/cycles/", [1, 2]), (attr(10, 0x1CD, config1=0x1E), "cpu_atom/mem-loads/", [3]),
              (attr(22, 0x304), "uncore_imc_0/cas_count_read/", [4])]
    types = [("cpu_core", 4), ("cpu_atom", 10), ("uncore_imc_0", 22), ("software", 1), ("tool", 0xFFFFFFFE)]
    caps = struct.pack("<I", 2) + pairs([("branches", "32"), ("max_precise", "3")]) + text("cpu_core")
    caps += pairs([("branches", "32")]) + text("cpu_atom")
    features = {**host(cpuid="GenuineIntel,6,151,2", cpus=(16, 12)), MAPPINGS: mappings(types), CAPS: caps,
                TOPOLOGY: texts(["0-15"]) + texts(["0-1", "2-3", "4-5", "6-7", "8", "9", "14", "15"]),
                HYBRID: pairs([("cpu_core", "0-7"), ("cpu_atom", "8-15")]), CPU_CAPS: pairs([("pmu_name", "alderlake")])}
    return file(events, features)


# Recordings that perf cannot make here.
MADE = {
    "hybrid": hybrid(),
    "old-attr": file([(attr(1, 0, size=64), "cpu-clock", [7])], host()),
    "no-size": file([(attr(1, 0, size=64, stated_size=0), "cpu-clock", [7])], host()),
    "larger-attr": file([(attr(1, 0, size=200), "cpu-clock", [7])], host()),
    "unknown-tail": file([(attr(1, 0, size=200, tail=b"\x01" + b"\0" * 7), "cpu-clock", [7])], host()),
    "bits-behind": file([(attr(1, 0, size=128, stated_size=64, tail=b"\x01" + b"\0" * 7), "cpu-clock", [7])], host()),
    "precise": file([(attr(4, 0x3C, flags=2 << 15 | 1 << 5), "cycles:upp", [7])], host()),
    "updates": stream([(attr(22, 0x304), "", [5])], host(), [(0, 5, b"MiB\0\0\0\0\0"), (1, 5, struct.pack("<d", 6.103515625e-5)),
                                                               (2, 5, b"cas_count_read\0\0")]),
    "two-groups": file([(attr(1, number), f"event-{number}", [7 + number]) for number in range(4)],
                       {**host(), GROUPS: groups([("{anon_group}", 0, 2), ("second-pair", 2, 2)])}),
    "no-events": file([], host()),
    "no-features": file([(attr(1, 0), "cpu-clock", [7])], {}),
    "power": file([(attr(4, 0x1E), "cycles", [7])], host(arch="ppc64le", cpuid="78,4610")),
    "arm": file([(attr(8, 0x11), "cycles", [7])], host(arch="aarch64", cpuid="0x00000000410fd490")),
    "s390": file([(attr(4, 0), "cycles", [7])], host(arch="s390x", cpuid="IBM,8561,703,A01,3.6,002f")),
}
