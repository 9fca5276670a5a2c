# SPDX-License-Identifier: MIT
"""The tables of CPUs in the recordings of vendors' events, and strings that use them.

A table contains the encodings of events: no descriptions, and only the events that the strings use, but all events
of one name. write_tree() makes a tree of them in the layout of the kernel's pmu-events/arch."""
import json
import random

# Architecture, pattern of the map file, folder, the CPUID to use, and the machine that fits best.
CPUS = [
    ("x86", "GenuineIntel-6-55-[01234]", "skylakex", "GenuineIntel-6-55-4", "skylake-sp"),
    ("x86", "GenuineIntel-6-55-[56789ABCDEF]", "cascadelakex", "GenuineIntel-6-55-7", "skylake-sp"),
    ("x86", "GenuineIntel-6-6[AC]", "icelakex", "GenuineIntel-6-6A-6", "icelake-sp-k6.12"),
    ("x86", "GenuineIntel-6-8F", "sapphirerapids", "GenuineIntel-6-8F-8", "sapphirerapids-k6.12"),
    ("x86", "GenuineIntel-6-(97|9A|B7|BA|BF)", "alderlake", "GenuineIntel-6-97-2", "alderlake-hybrid-k6.12"),
    ("x86", "GenuineIntel-6-(3C|45|46)", "haswell", "GenuineIntel-6-3C-3", "haswell-client"),
    ("x86", "GenuineIntel-6-3A", "ivybridge", "GenuineIntel-6-3A-9", "ivybridge-client"),
    ("x86", "GenuineIntel-6-56", "broadwellde", "GenuineIntel-6-56-3", "sandybridge-ep"),
    ("x86", "GenuineIntel-6-3E", "ivytown", "GenuineIntel-6-3E-4", "sandybridge-ep"),
    ("x86", "GenuineIntel-6-2D", "jaketown", "GenuineIntel-6-2D-7", "sandybridge-ep"),
    ("x86", "GenuineIntel-6-(4E|5E|8E|9E|A5|A6)", "skylake", "GenuineIntel-6-5E-3", "skylake-client"),
    ("x86", "GenuineIntel-6-1[AEF]", "nehalemep", "GenuineIntel-6-1A-5", "nehalem-ep"),
    ("x86", "GenuineIntel-6-(37|4A|4C|4D|5A)", "silvermont", "GenuineIntel-6-37-8", "silvermont"),
    ("x86", "AuthenticAMD-23-([12][0-9A-F]|[0-9A-F])", "amdzen1", "AuthenticAMD-23-1-2", "zen1-epyc"),
    ("x86", "AuthenticAMD-25-([245][[:xdigit:]]|[[:xdigit:]])", "amdzen3", "AuthenticAMD-25-1-1", "zen3-epyc"),
    ("x86", "AuthenticAMD-25-[[:xdigit:]]+", "amdzen4", "AuthenticAMD-25-11-1", "zen4-epyc-k6.12"),
    ("x86", "AuthenticAMD-26-([12467][[:xdigit:]]|[[:xdigit:]])", "amdzen5", "AuthenticAMD-26-2-1", "zen4-epyc-k6.12"),
    ("arm64", "0x00000000410fd070", "arm/cortex-a57-a72", "0x00000000411fd071", "arm64-cortex-a57-icount"),
    ("arm64", "0x00000000410fd030", "arm/cortex-a53", "0x00000000410fd034", "arm64-biglittle"),
    ("arm64", "0x00000000410fd0c0", "arm/neoverse-n1", "0x00000000413fd0c1", "arm64-cortex-a57-icount"),
    ("arm64", "0x00000000480fd010", "hisilicon/hip08", "0x00000000481fd010", "arm64-cortex-a57-icount"),
    ("powerpc", "0x004e[[:xdigit:]]{4}", "power9", "0x004e1202", "ppc64el-power9"),
]
# Members of an event for people, or for the choice of a counter.
LEFT_OUT = {"BriefDescription", "PublicDescription", "PublicDescrition", "BriefDescript6ion", "Counter", "Errata", "PEBS",
            "Data_LA", "Experimental", "RetirementLatencyMax", "RetirementLatencyMean", "RetirementLatencyMin",
            "CountersNumFixed", "CountersNumGeneric", "MetricName", "MetricExpr", "MetricGroup", "MetricConstraint",
            "DefaultMetricgroupName", "MetricThreshold"}


def facts(element):
    return {key: value for key, value in element.items() if key not in LEFT_OUT}


def read_elements(paths):
    """The events in files of the kernel's layout."""
    return [facts(element) for path in sorted(paths) for element in json.loads(path.read_text())
            if "EventName" in element or "ArchStdEvent" in element]


def name_of(element):
    """The name in event strings: an event of the architecture's standard table may have no own name."""
    return element.get("EventName", element.get("ArchStdEvent")).lower()


class Table:
    """The table of a CPU, or a part of it."""

    def __init__(self, cpu, elements, standards):
        self.arch, self.pattern, self.folder, self.cpuid, self.machine = cpu
        self.elements, self.standards = elements, standards

    @classmethod
    def read(cls, arch_tree, cpu):
        arch, folder = arch_tree / cpu[0], cpu[2]
        standards = {element["EventName"].lower(): element for element in read_elements(arch.glob("*.json"))}
        return cls(cpu, read_elements((arch / folder).rglob("*.json")), standards)

    @classmethod
    def of_row(cls, row):
        return cls(row["cpu"], row["elements"], row["standards"])

    def row(self):
        return {"cpu": [self.arch, self.pattern, self.folder, self.cpuid, self.machine], "elements": self.elements,
                "standards": self.standards}

    def standard_of(self, element):
        return self.standards.get(element.get("ArchStdEvent", "").lower(), {})

    def names(self):
        return sorted({self.own_name(element) for element in self.elements})

    def own_name(self, element):
        return element.get("EventName", self.standard_of(element).get("EventName", name_of(element))).lower()

    def only(self, names):
        """The table with these names only, and the standard events that they refer to."""
        elements = [element for element in self.elements if self.own_name(element) in names]
        wanted = {element.get("ArchStdEvent", "").lower() for element in elements}
        standards = {name: element for name, element in self.standards.items() if name in wanted}
        return Table((self.arch, self.pattern, self.folder, self.cpuid, self.machine), elements, standards)

    def by_unit(self):
        units = {}
        for element in self.elements:
            unit = element.get("Unit", self.standard_of(element).get("Unit", ""))
            units.setdefault(unit, set()).add(self.own_name(element))
        return {unit: sorted(names) for unit, names in sorted(units.items())}

    def sample(self, seed, most, first):
        """At most so many names, evenly from all units; `first` are among them."""
        draw = random.Random(f"{self.cpuid} {seed}")
        units = [draw.sample(names, len(names)) for names in self.by_unit().values()]
        taken = sorted(first & set(self.names()))
        while len(taken) < most and any(units):
            taken += [names.pop() for names in units if names]
        return set(taken[:most])


def write_tree(directory, tables):
    """The tables in the layout of the kernel's pmu-events/arch."""
    standards = {}
    for table in tables:
        folder = directory / table.arch / table.folder
        folder.mkdir(parents=True)
        (folder / "events.json").write_text(json.dumps(table.elements, indent=1))
        standards.setdefault(table.arch, {}).update(table.standards)
        with open(directory / table.arch / "mapfile.csv", "a", encoding="ascii") as rows:
            rows.write(f"{table.pattern},v1,{table.folder},core\n")
    for arch, elements in standards.items():
        (directory / arch / "standards.json").write_text(json.dumps(list(elements.values()), indent=1))


class VendorStrings:
    """Each name unchanged, then names with terms and modifiers, after a PMU, and in groups."""

    def __init__(self, table, devices, seed):
        self.random = random.Random(f"{table.cpuid} {seed}")
        self.names = table.names()
        self.pmus = sorted(path.name for path in devices.iterdir() if (path / "format").is_dir())
        self.formats = {name: sorted(p.name for p in (devices / name / "format").iterdir()) for name in self.pmus}
        self.core = [name for name in self.pmus if name.startswith(("cpu", "armv8"))]
        # So that most names after a PMU exist there.
        self.of_unit = {unit: set(names) for unit, names in table.by_unit().items()}

    def pick(self, *choices):
        return self.random.choice(choices)

    def modifiers(self):
        return self.pick("u", "k", "uk", "p", "pp", "P", "h", "G", "H", "D", "ukhp", "S")

    def pmu_of(self, name):
        units = [unit for unit, names in self.of_unit.items() if name in names]
        unit = self.random.choice(units).lower().split(" ")[0]
        near = [pmu for pmu in self.pmus if unit and unit.replace("pmc", "") in pmu.lower()]
        return self.random.choice(near or self.core or self.pmus)

    def term(self, pmu):
        if self.random.random() < 0.4:
            return self.pick("period=5000", "period=0", "freq=99", "name=pmuq", "percore", "config1=0x3", "config=0x1",
                             "no-inherit", "max-stack=4", "cpu=0", "cpu='0-1'", "legacy-hardware-config=1", "r1a", "@x=1", "metric-id=m",
                             "name='a,b'", "branch_type=any", self.random.choice(self.names))
        name = self.random.choice(self.formats[pmu] or ["event"])
        return f"{name}={self.pick('0', '1', '0x1', '0x3', '0x7f', '0xffff')}"

    def with_terms(self, name):
        return f"{name}/{self.term(self.pmu_of(name))}/{self.pick('', '', self.modifiers())}"

    def behind_pmu(self, name):
        pmu = self.pmu_of(name)
        more = self.pick("", "", f",{self.term(pmu)}", f",{self.term(pmu)},{self.term(pmu)}")
        shown = self.pick(pmu, pmu, pmu, pmu.removeprefix("uncore_"), pmu.rstrip("0123456789").rstrip("_"), f"{pmu[:-1]}*",
                          self.random.choice(self.pmus), "default_core")
        event = self.pick(name, name, name, f"event={name}", f"event='{name}'", name.upper(), name.title(), f"{name}=1")
        return f"{shown}/{event}{more}/{self.pick('', '', self.modifiers())}"

    def before_name(self, name):
        pmu = self.pmu_of(name)
        return f"{pmu}/{self.term(pmu)},{name}/"

    def group(self, name):
        others = self.random.sample(self.names, min(2, len(self.names)))
        mixed = self.pick(others[:1], others, ["cycles"], ["cs", *others[:1]], [f"{others[0]}:u", "msr/tsc/"], ["slots"])
        return self.pick("", "", "g") + "{" + ",".join([name, *mixed]) + "}" + self.pick("", ":u", ":k", ":S", ":D", ":W", ":X")

    def respelt(self, name):
        return self.pick(name.upper(), name.upper(), name.title(), f"'{name}'", f"'{name}':u", f"{name[:-1]}*", name[:-1], f"{name}:")

    def with_modifiers(self, name):
        return f"{name}:{self.modifiers()}"

    def strings(self):
        shapes = (self.with_modifiers, self.with_terms, self.behind_pmu, self.behind_pmu, self.before_name, self.group,
                  self.respelt)
        yield from self.names
        for name in self.names:
            if self.random.random() < 0.7:
                yield self.random.choice(shapes)(name)
