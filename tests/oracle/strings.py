# SPDX-License-Identifier: MIT
"""Event strings for one machine, from the grammar and from the machine's own formats and events.

Seeded: the same tree and seed give the same strings. Most are well formed; some have one error.
The meaning of a string is left to the oracle."""
import pathlib
import random
import re

GENERIC = """cycles cpu-cycles instructions cache-references cache-misses branches branch-instructions
    branch-misses bus-cycles stalled-cycles-frontend idle-cycles-frontend stalled-cycles-backend
    idle-cycles-backend ref-cycles cpu-clock task-clock page-faults faults context-switches cs cpu-migrations
    migrations minor-faults major-faults alignment-faults emulation-faults dummy bpf-output
    cgroup-switches""".split()
CACHE_TYPES = """L1-dcache L1-d L1d L1-data L1-icache L1-i L1i L1-instruction LLC L2 dTLB d-tlb Data-TLB iTLB
    i-tlb Instruction-TLB branch branches bpu btb bpc node""".split()
CACHE_OPS = "load loads read store stores write prefetch prefetches speculative-read speculative-load".split()
CACHE_RESULTS = "refs Reference ops access misses miss".split()
MODIFIERS = "ukhpPGHSDIWebRX"
NUMBER_KEYWORDS = """config config1 config2 config3 config4 period freq time stack-size max-stack nr inherit
    no-inherit overwrite no-overwrite percore aux-output aux-sample-size legacy-hardware-config
    legacy-cache-config""".split()
WORD_KEYWORDS = "name call-graph metric-id aux-action ratio-to-prev branch_type".split()
BRANCH_TYPES = """no u k hv any any_call any_ret ind_call abort_tx in_tx no_tx cond call_stack ind_jmp call
    save_type stack priv counter no_flags no_cycles hw_index ANY 'any,no_flags' 'u,hw_index' 'k,no'""".split()
WORDS = ["x", "'x'", "a-b", "'1,2'", "fp", "dwarf", "lbr", "0.5", "0.0", "2", "1e3", "'a:b'", "r1a", "cycles", "?",
         "a.b", "pause", "start-paused", "inf", "nan", "0x1p3", "'-'", "'-a'", "'.b'", "'!'", "'=1'"]
# Lists of CPUs, as C and as the kernel write numbers.
CPU_LISTS = ["'010'", "'0x1'", "'0-0x3'", "'0,0'", "'0-2,1'", "'08'", "'1,0'", "'3-1'", "'32766'", "'32767'", "'0-40000'", "'0X2,5'",
             "'00'", "010", "0x2", "tool", "software", "breakpoint"]
NUMBERS = ["0", "1", "2", "5", "010", "0x0", "0x10", "99", "4000", "0xffffffff", "0x100000000",
           "0xffffffffffffffff", "18446744073709551615", "18446744073709551616", "0x1ffffffffffffffff", "0xabcG",
           "0x00000000000000001", "000000000000000000001", "4294967295", "65536", "0x100000001", "0x80000000",
           "0X10", "07", "08", "0b1", "+1", "-1", "9223372036854775808", "00000000000000000000", "5:6", "1!"]
ALPHABET = "/,:={}'*?[].!-_@ urkpDx019acfX\t;#\"\\\u00e9\x01\u2019\r"
# Names that begin like something else: modifiers, raw events, numbers, breakpoints, names of libpfm4.
LIKE_TOKENS = ["u", "uk", "r1a", "r", "rg", "0x1", "0xg", "12", "1a", "mem", "mem-loads", "pfm", "e", "PP", "X", "b", "cpu", "name", "config"]
PFM_NAMES = ["skx::INST_RETIRED:ANY", "pfm:INST_RETIRED", "perf::CYCLES", "INST_RETIRED:ANY_P:c=1", "a::b:u", "perf::sched:sched_switch",
             "pfm:", "a::", "::a"]


def width_of(text):
    """The number of bits of a format, and the set as a number."""
    bits = set()
    for low, high in re.findall(r"(\d+)(?:-(\d+))?", text.split(":")[-1]):
        bits.update(range(int(low), min(int(high or low), 63) + 1))
    return len(bits)


class Pmu:
    def __init__(self, path):
        self.name = path.name
        number = self._read(path / "type").strip()
        self.type = int(number) if number.isdigit() else 0
        self.formats = {p.name: width_of(self._read(p)) for p in sorted((path / "format").glob("*"))}
        self.events = sorted(p.name for p in (path / "events").glob("*")
                             if p.suffix not in (".scale", ".unit", ".snapshot", ".per-pkg"))
        self.parameters = {e: re.findall(r"(\w+)=\?", self._read(path / "events" / e)) for e in self.events}
        self.is_core = self.name == "cpu" or (path / "cpus").exists()
        self.base = re.sub(r"_?\d+$", "", self.name)
        self.alias = self._read(path / "alias").strip() or self.name

    @staticmethod
    def _read(path):
        return path.read_text(errors="replace") if path.is_file() else ""


class Strings:
    def __init__(self, tree, seed):
        self.random = random.Random(f"{pathlib.Path(tree).name} {seed}")
        devices = pathlib.Path(tree) / "sys/bus/event_source/devices"
        self.all = [Pmu(path) for path in sorted(devices.iterdir())]
        definitions = {}
        for pmu in self.all:
            definitions.setdefault((pmu.base, tuple(pmu.formats), tuple(pmu.events)), []).append(pmu)
        self.definitions = list(definitions.values())
        self.core = [pmu for pmu in self.all if pmu.is_core]
        events = pathlib.Path(tree) / "sys/kernel/tracing/events"
        self.tracepoints = sorted((p.parent.parent.name, p.parent.name) for p in events.glob("*/*/id"))

    def pick(self, *choices):
        return self.random.choice(choices)

    def one_of(self, things, otherwise):
        return self.random.choice(things) if things else otherwise

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def pmu(self):
        if self.core and self.chance(30):
            return self.random.choice(self.core)
        return self.random.choice(self.random.choice(self.definitions))

    def with_events(self):
        return self.random.choice(self.one_of([definition for definition in self.definitions if definition[0].events], self.definitions[0]))

    def spelt(self, name):
        """A name, rarely in another case."""
        return self.random.choice([name.upper(), name.lower(), name.capitalize()]) if self.chance(8) else name

    def modifiers(self):
        if self.chance(55):
            return ""
        if self.chance(2):
            return "".join(self.random.sample(MODIFIERS + "pp", self.random.randint(14, 17))) + self.pick("", "h")
        if self.chance(40):
            return self.pick("u", "k", "uk", "kh", "p", "pp", "ppp", "P", "D", "I", "G", "H", "upp", "S")
        return "".join(self.random.choice(MODIFIERS) for _ in range(self.random.randint(1, 5)))

    def value(self, width):
        top = (1 << width) - 1
        value = self.pick(0, 1, top, top + 1, top >> 1, 0x5555555555555555 & top, 1 << max(width - 1, 0),
                          self.random.getrandbits(width) if width else 0)
        return self.pick(hex(value), hex(value), str(value), f"0x{value:016x}")

    def format_term(self, pmu):
        name = self.one_of(list(pmu.formats), "event")
        if self.chance(2):
            return f"'{name}'={self.value(4)}"
        if self.chance(6):
            return name
        if self.chance(3):
            return f"{name}={self.random.choice(WORDS)}"
        return f"{name}={self.value(pmu.formats.get(name, 8))}"

    def keyword_term(self):
        if self.chance(15):
            return self.cpu_term()
        if self.chance(65):
            name = self.random.choice(NUMBER_KEYWORDS)
            if name == "legacy-cache-config" and self.chance(60):
                return f"{name}={self.random.randint(0, 7) | self.random.randint(0, 3) << 8 | self.random.randint(0, 2) << 16:#x}"
            value = self.random.choice(WORDS if self.chance(6) else NUMBERS)
        else:
            name = self.random.choice(WORD_KEYWORDS)
            value = self.random.choice(BRANCH_TYPES if name == "branch_type" and self.chance(80) else WORDS)
        again = f",{name}={self.random.choice(WORDS)}" if self.chance(5) else ""
        if self.chance(2):
            name = self.pick(f"'{name}'", name.upper(), f"{name}:", f"{name}!")
        return name if self.chance(8) else f"{name}={value}{again}"

    def extended_config(self):
        """The word that holds the type of a PMU in its upper half, set by a term."""
        number = self.random.choice(self.core or self.all).type << 32 | self.pick(0, 1, 0x3c, 0x10002, 0xffffffff)
        return f"{self.pick('config', 'config', 'config1', 'legacy-hardware-config')}={number:#x}"

    def cpu_term(self):
        if self.chance(10):
            pmu = self.random.choice(self.all)
            return ",".join([f"cpu={self.pick('0', pmu.name, pmu.alias)}",
                             f"cpu={self.pick('1', pmu.name, f'{pmu.base}*', f'{pmu.base}', '0-1')}"])
        if self.chance(40):
            return f"cpu={self.random.choice(CPU_LISTS)}"
        return "cpu" + self.pick("", "=0", "=1", "=0-3", "='0,2'", "=4096", "=x", "=cpu", "='0-1'", "=7",
                                 f"={self.random.choice(self.all).name}")

    def event_term(self, pmu):
        event = self.spelt(self.one_of(pmu.events, self.random.choice(GENERIC)))
        if self.chance(15):
            return self.pick(f"event={event}", f"Event={event}", f"event='{event}'")
        values = [f"{name}={self.pick('1', '0x7', '?', '0xffffffff')}" for name in pmu.parameters.get(event, [])
                  if self.chance(85)]
        return ",".join([event, *values])

    def term(self, pmu):
        draw = self.random.random()
        if draw < 0.45:
            return self.format_term(pmu)
        if draw < 0.65:
            return self.event_term(pmu)
        if draw < 0.90:
            return self.keyword_term()
        if draw < 0.94:
            return self.pick("r1a", "r0x1a", "r5", "rffffffffffffffff", "r10000000000000000", "read", "R1A")
        if draw < 0.96:
            return self.pick("@foo", "@foo=bar", "@a.b=c:d", "@x=1", "@", "@a=1,@b", "@x=1,period=5,@x=2", "@a,@a")
        return self.pick(self.random.choice(GENERIC), self.cache_name(), "foo", "foo=1", "slots", "u", "0x1", "?", "a:b", "a:b=1",
                         self.random.choice(LIKE_TOKENS), f"{self.random.choice(LIKE_TOKENS)}=1", self.extended_config())

    def terms(self, pmu):
        if self.chance(4):
            return ""
        return ",".join(self.term(pmu) for _ in range(self.pick(1, 1, 1, 2, 2, 3, 4)))

    def cache_name(self):
        parts = [self.random.choice(CACHE_TYPES)]
        if self.chance(85):
            parts.append(self.random.choice(CACHE_OPS))
        if self.chance(70):
            parts.append(self.random.choice(CACHE_RESULTS))
        if self.chance(8):
            self.random.shuffle(parts)
        if self.chance(4):
            parts.append(self.random.choice(CACHE_OPS + CACHE_RESULTS))
        return self.spelt("-".join(parts))

    def pmu_text(self, pmu):
        """The PMU's name, or another way to write it."""
        name = pmu.name
        if self.chance(70):
            return name
        short = name.removeprefix("uncore_")
        middle = name[self.random.randint(0, len(name) - 1):]
        return self.pick(pmu.base, pmu.base, short, re.sub(r"_?\d+$", "", short), f"{pmu.base}*", f"{short}*", f"*{middle}",
                         f"{name[:-1]}?", f"{name[:-1]}[0-9]", f"{name[:-1]}[!0-9]", f"{name[:-1]}", f"{pmu.base}_",
                         "default_core", "cpu", "cpu*", name.upper(), f"'{name}'", f"*{pmu.base}*", "*", f"uncore_{name}",
                         f"{name}_", f"{name}0", pmu.alias, pmu.alias, f"{pmu.base}_{self.random.randint(0, 70):x}",
                         f"{pmu.base}_*[0-3]", f"{pmu.base}?{name[len(pmu.base):][1:]}")

    def pmu_event(self):
        pmu = self.pmu()
        return f"{self.pmu_text(pmu)}/{self.terms(pmu)}/{self.modifiers()}"

    def alias_event(self):
        pmu = self.with_events()
        more = f",{self.term(pmu)}" if self.chance(45) else ""
        return f"{self.pmu_text(pmu)}/{self.event_term(pmu)}{more}/{self.modifiers()}"

    def after_name(self):
        terms = f"/{self.terms(self.pmu())}/" if self.chance(30) else ""
        modifiers = self.modifiers()
        colon = ":" if (modifiers and not terms) or self.chance(4) else ""
        if colon and modifiers and self.chance(5):
            colon = self.pick(" ", " ", ": ", " :", "::", ":u:")
        return terms + colon + modifiers

    def bare_event(self):
        return self.spelt(self.one_of(self.with_events().events, "cycles")) + self.after_name()

    def generic_event(self):
        return self.spelt(self.random.choice(GENERIC)) + self.after_name()

    def cache_event(self):
        return self.cache_name() + self.after_name()

    def raw_event(self):
        return self.pick("r1a", "r0", "r0x1c2", "r00000000000000001", "rffff", "r8000", "r400", "r8100", "r10000000000000000", "rG", "R1A",
                         f"r{self.random.getrandbits(40):x}") + self.after_name()

    def numeric_event(self):
        if self.chance(30):
            return self.extended_event()
        type_ = self.pick("0", "1", "2", "3", "4", "5", "6", "10", "0x4", "4294967300", "99", "1000000", "4294967294",
                          "0x00000000000000001")
        return f"{type_}:{self.pick('0', '1', '9', '10', '0x3c', '0x400', '0x8000', '0x10002', '0xffffffffffffffff')}" + \
            self.after_name()

    def extended_event(self):
        """A generic event with the type of a PMU in its upper half."""
        type_ = self.random.choice([pmu.type for pmu in self.all] + [0, 1, 2, 99, 0xfffffffe])
        return f"{self.pick(0, 0, 3, 3, 4)}:{type_ << 32 | self.pick(0, 1, 2, 0x10001, 99):#x}" + self.after_name()

    def breakpoint(self):
        length = self.pick("", "", "", "/1", "/2", "/4", "/8", "/0", "/3", "/16", "/0x8")
        access = self.pick("", "", ":r", ":w", ":x", ":rw", ":rwx", ":wr", ":xk", ":rr", ":q", ":rwxw")
        address = self.pick("0x1000", "0", "4096", "0xffffffff81000000", "0xfffffffffffffffff", "x")
        return f"mem:{address}{length}{access}{self.after_name()}"

    def tracepoint(self):
        subsystem, name = self.one_of(self.tracepoints, ("sched", "sched_switch"))
        if self.chance(40):
            subsystem = self.pick(subsystem[:2] + "*", "*", subsystem, f"{subsystem[:-1]}?", "s*", "[s-z]*", "nosuch")
        if self.chance(40):
            name = self.pick(name[:3] + "*", "*", name, f"?{name[1:]}", f"*{name[2:]}", "nosuch", "[a-z]*", f"{name}*")
        return f"{subsystem}:{name}" + (self.after_name() if self.chance(50) else "")

    def tool_event(self):
        return self.pick("duration_time", "user_time", "tool/duration_time/", "num_cpus", "slots", "tool/slots/",
                         "system_tsc_freq", "breakpoint/config1=1/", "tracepoint/config=5/", "software//",
                         "software/config=0/", "software/cs/", "software/config=10/", "1:10", "intel_pt//", "cpu//")

    def named_event(self):
        """A name in quotes, with a pattern, or one that begins like something else."""
        name = self.one_of(self.with_events().events, "cycles")
        other = self.random.choice(GENERIC)
        subsystem, point = self.one_of(self.tracepoints, ("sched", "sched_switch"))
        return self.pick(f"'{name}'", f"'{other}'", f"{name[:3]}*", f"*{name[2:]}", f"{other}?", f"'{subsystem}':'{point}'",
                         f"{subsystem}:{self.random.choice(LIKE_TOKENS)}", f"{self.random.choice(LIKE_TOKENS)}:{point}",
                         self.random.choice(LIKE_TOKENS), self.random.choice(PFM_NAMES), f"'{self.pmu().name}:{name}'",
                         f"'0':{self.pick('1', '0x1')}") + self.after_name()

    def breakpoint_with_blanks(self):
        return self.pick("mem: 0x1000", "mem:0x1000 /8", "mem:0x1000/8 :w", "mem:'0x1000'", "mem:0x1000:rw:", "mem:0x1000/0x4:r:u",
                         "mem :0x1000", "mem:0X1000", "mem:0x1000//", "mem:0x1000/8/name=x/", "mem:0x1000/name=x/:w", "MEM:0x1000",
                         "mem:0x1000:w u", "mem:18446744073709551615", "mem:18446744073709551616", "mem:0x1000:rwxrwx")

    def event(self):
        if self.tracepoints and self.chance(25):
            return self.tracepoint()
        if self.chance(6):
            return self.pick(self.named_event, self.named_event, self.named_event, self.breakpoint_with_blanks)()
        draw = self.random.random()
        for share, make in ((.30, self.pmu_event), (.48, self.alias_event), (.58, self.bare_event),
                            (.68, self.generic_event), (.78, self.cache_event), (.83, self.raw_event),
                            (.87, self.numeric_event), (.92, self.breakpoint), (.96, self.tracepoint)):
            if draw < share:
                return make()
        return self.tool_event()

    def plain(self):
        """An event that can be a member of a group."""
        return self.pick(self.alias_event, self.bare_event, self.generic_event, self.generic_event, self.cache_event,
                         self.event)()

    def led_group(self):
        """A group whose members depend on their leader, or on the event before them."""
        trace = self.pick("intel_pt//", "intel_bts//", "intel_pt/tsc=0/u", "intel_pt//X", "cycles")
        slots = self.pick("slots", "slots:u", "cpu/slots/", "cpu_core/slots/", "r400", "4:0x400", "slots/name=x/", "cycles", "slots:X")
        metric = self.pick("topdown-retiring", "topdown-bad-spec:u", "r8000", "cpu/event=0,umask=0x82/", "4:0x8300", "topdown-mem-bound:X",
                           "cpu_core/topdown-heavy-ops/", "cpu/topdown-fe-bound,cpu=0/", "topdown-be-bound:R", "r18000", "cpu/config=0x8000,edge=1/")
        other = self.plain()
        members = self.pick([trace, f"cycles/{self.pick('aux-output', 'aux-action=pause', 'aux-sample-size=64')}/", other],
                            [trace, other, f"{self.pick('cs', 'instructions')}/aux-output,aux-action=resume/u"],
                            ["cycles", f"instructions/ratio-to-prev={self.pick('0.5', '2.0', '1.25', '10.0', '.5', '0')}/", other],
                            [slots, metric, other], [other, metric], [metric, slots], [metric, other, slots, metric], [other, slots])
        return ",".join(members) if self.chance(15) else f"{{{','.join(members)}}}{self.pick('', '', ':S', ':u', ':W', ':X', ':D', ':e', ':R')}"

    def group(self):
        if self.chance(15):
            return self.led_group()
        members = ",".join(self.plain() for _ in range(self.pick(1, 2, 2, 3, 4)))
        name = self.pick("", "", "", "", "grp", "'g'", "cycles", self.random.choice(LIKE_TOKENS) if self.chance(30) else "")
        modifiers = self.modifiers()
        if self.chance(2):
            members = self.pick(f"{{{members}}}", "", f"{members},", f",{members}", f"{members},{{cycles}}")
        return f"{name}{{{members}}}" + (f":{modifiers}" if modifiers or self.chance(2) else "")

    def broken(self, text):
        at = self.random.randint(0, len(text) - 1)
        letter = self.random.choice(ALPHABET)
        return self.pick(text[:at] + text[at + 1:], text[:at] + letter + text[at:], text[:at] + letter + text[at + 1:],
                         text[:at], text[:at] + text[at] + text[at:], text + letter, letter + text)

    def spaced(self, text):
        at = self.random.randint(0, len(text))
        return text[:at] + self.pick(" ", "  ", "\t", "\n") + text[at:]

    def string(self):
        parts = [self.group() if self.chance(20) else self.event()]
        while self.chance(9):
            parts.append(self.group() if self.chance(30) else self.event())
        text = ",".join(parts)
        if self.chance(12) and text:
            text = self.broken(text)
        if self.chance(3):
            text = self.spaced(text)
        return text

    def every_alias(self):
        """Each event of each PMU definition, on its PMU and alone."""
        for definition in self.definitions:
            for event in definition[0].events:
                yield f"{self.random.choice(definition).name}/{event}/"
                yield event

    def every_format(self):
        for definition in self.definitions:
            for name, width in definition[0].formats.items():
                top = (1 << width) - 1
                for value in (0x9249249249249249 & top, top, top + 1):
                    yield f"{self.random.choice(definition).name}/{name}={value:#x}/"

    def strings(self, count):
        """`count` different strings: a share of those that every machine has, then random ones."""
        certain = list(dict.fromkeys([*self.every_alias(), *self.every_format()]))
        self.random.shuffle(certain)
        found = dict.fromkeys(certain[:count * 2 // 5])
        while len(found) < count:
            text = self.string()
            if text and "\0" not in text:
                found.setdefault(text)
        return list(found)
