# SPDX-License-Identifier: MIT
"""What the classes of Rust have in common: the names of C in Rust, comments, lifetimes and threads, and the members of records;
for bindings_rust_classes.py."""
import os
import re
from typing import Dict, List, Tuple

from bindings import Api, Class, Member, Method, camel
from bindings_rust import TYPES, codes, doc_lines, enum_values, rust_name
from headers import Enum

#: C function → a better name for Rust.
NAMES = {"pmuq_writer_new": "new", "pmuq_check_next": "open_next", "pmuq_importer_next": "import_next"}
PATHS = ("path", "dir", "helper", "service")
#: Objects that any number of threads may use at a time: their headers promise it. Their records, too.
SHARED = ("pmuq_catalog", "pmuq_cpu_list", "pmuq_diff", "pmuq_fit", "pmuq_formula", "pmuq_metric_plan", "pmuq_metrics", "pmuq_names",
          "pmuq_recording", "pmuq_vendor")
#: (record, object): the object lends a record that stays unchanged, of a source (source.h), or of a vendor's table.
LENT = (("pmuq_pmu", "pmuq_source"), ("pmuq_vendor_table", "pmuq_encoding"))
#: Objects whose results stay valid while other calls change the object: all methods take &self.
STABLE = ("pmuq_source", "pmuq_store", "pmuq_opened", "pmuq_pfm")
#: Objects that point into others: what they may not outlive.
BOUND = {"pmuq_encodings": "the source or catalog, and the vendor's table in the options", "pmuq_samples": "the opened events",
         "pmuq_metric_plan": "the source or catalog, the metrics, and the vendor's table in the options", "pmuq_check": "the catalog",
         "pmuq_importer": "the store and libpfm4", "pmuq_reader": "the bytes that it reads"}
#: Functions that make such an object.
BINDING = ("pmuq_source_encode", "pmuq_source_encode_attr", "pmuq_source_encode_parts", "pmuq_catalog_encode",
           "pmuq_catalog_encode_parts", "pmuq_source_plan_metrics", "pmuq_catalog_plan_metrics", "pmuq_check_begin", "pmuq_opened_sample",
           "pmuq_importer_begin", "pmuq_importer_begin_pfm")
#: (header, object): the comment of the header is about the object, besides those of the same name.
SUBJECTS = (("encode.h", "pmuq_encodings"), ("libpfm4.h", "pmuq_pfm"))
#: Names in comments that are not methods of generated classes.
WORDS = {"pmuq_samples_next()": "`Samples::next_record()`", "pmuq_samples_wait()": "`Samples::wait()`",
         "pmuq_samples_parse()": "`SampleRecord::parse()`", "pmuq_watch_next()": "`Watch::next_change()`",
         "pmuq_watch_get()": "`WatchChange::announcements()`", "pmuq_pmu_parameter()": "`Pmu::parameters()`",
         "pmuq_opened_target_count()": "`Opened::targets()`", "pmuq_opened_target()": "`Opened::targets()`",
         "pmuq_opened_count()": "`Opened::len()`", "pmuq_generic_name()": "`generic_names()`", "pmuq_attr_copy()": "`Attr::copy_to()`",
         "pmuq_attr_set()": "`Attr::set()`", "pmuq_attr_get()": "`Attr::get()`", "pmuq_encode_options.with_assignments":
         "`EncodeOptions::assignments()`", "pmuq_code_meaning()": "`Code::meaning()`", "pmuq_code_name()": "`Code::name()`",
         "PMUQ_NOT_KNOWN": "None", "pmuq_pfm_free()": "`drop()`"}
#: Results of the caller with pointers into a record.
POINTING = ("pmuq_sample", "pmuq_target")
#: Classes that are handwritten as a whole.
BY_HAND = ("pmuq_error", "pmuq_event_parts", "pmuq_open_call", "pmuq_hosts_filter", "pmuq_samples", "pmuq_sample_record", "pmuq_target",
           "pmuq_watch_change")


class Records:
    """Names, comments, lifetimes and members, for the classes."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.shared = self.shared_records()
        self.words = self.rust_words()

    def shared_records(self) -> List[str]:
        """Records that only objects of SHARED return."""
        owners = {name: set() for name in self.api.classes}
        for one in self.api.classes.values():
            for method in one.methods:
                if method.function.result.base in owners:
                    owners[method.function.result.base].add(one.struct)
                for output in method.outputs:
                    if output.type.base in owners and output.type.is_const:
                        owners[output.type.base].add(one.struct)
            for member in one.members:
                if member.what == "object":
                    owners[member.base].add(one.struct)
            get = self.api.headers.functions.get(f"{one.struct}_get")
            if get and get.result.base in owners:
                owners[get.result.base].add(one.struct)
        for method in self.api.functions:  # static records
            if method.function.result.base in owners:
                owners[method.function.result.base].add("pmuq_catalog")
        made = set(SHARED)
        for struct, owner in LENT:
            owners[struct].discard(owner)
        changed = True
        while changed:
            new = {name for name, of in owners.items() if of and of <= made and self.api.classes[name].record}
            changed = not new <= made
            made |= new
        return sorted(made - {"pmuq_error"})

    # Comments

    def rust_words(self) -> Dict[str, str]:
        """The functions, enumerators and structs of C that comments name, and their names in Rust."""
        made = dict(WORDS)
        for one in self.api.classes.values():
            made.setdefault(one.struct, f"`{camel(one.struct)}`")
            for member in one.members:
                made[f"{one.struct}.{member.name}"] = f"`{camel(one.struct)}::{rust_name(member.name)}()`"
            for method in one.methods:
                name = NAMES.get(method.function.name, rust_name(method.name))
                made.setdefault(method.function.name + "()", f"`{camel(one.struct)}::{name}()`")
            if one.is_list:
                made[f"{one.struct}_count()"], made[f"{one.struct}_get()"] = (f"`{camel(one.struct)}::{name}()`" for name in ("len", "get"))
        for method in self.api.functions:
            made.setdefault(method.function.name + "()", f"`{method.name}()`")
        for enum in [codes(), *self.api.headers.enums.values()]:
            made[enum.name] = f"`{camel(enum.name)}`"
            for name, short, _ in self.short_names(enum):
                made[name] = f"`{camel(enum.name)}::{short}`"
        return made

    def docs(self, doc: Tuple[str, ...], otherwise: str, indent: str = "") -> str:
        """A comment with the names of Rust, and without examples in C."""
        text = "\n".join(line for line in doc if not re.match(r" {4,}\S", line))
        text = re.sub(r"\b(NULL|SIZE_MAX)\b", "None", text)
        text = re.sub(r"-?`?((?:enum |struct )?)\b(pmuq_[a-z_0-9]+(?:\.[a-z_0-9]+)?(?:\(\))?|PMUQ_[A-Z_0-9]+)`?",
                      lambda match: self.words.get(match[2], match[0]), text)
        return doc_lines(tuple(text.split("\n")), otherwise, indent)

    # Names and lifetimes

    def is_view(self, struct: str) -> bool:
        """Whether it is a record: a pointer into an object."""
        return not self.api.classes[struct].is_owned and struct not in self.api.caller_structs

    def is_options(self, struct: str) -> bool:
        return struct in self.api.caller_structs and not any(
            each.type.base == struct and each.name.startswith("ret") for function in self.api.headers.functions.values()
            for each in function.parameters)

    def type_name(self, struct: str, lifetime: str) -> str:
        has = self.is_view(struct) or struct in BOUND or struct in POINTING
        return camel(struct) + (f"<{lifetime}>" if has else "")

    def has_lifetime(self, one: Class) -> bool:
        return self.is_view(one.struct) or one.struct in BOUND or one.struct in POINTING or self.is_options(one.struct)

    def made(self, method: Method) -> str:
        one = method.outputs[0].type if len(method.outputs) == 1 else None
        return one.base if one and one.stars == 2 and one.base in self.api.classes and not one.is_const else ""

    def life(self, one: Class) -> str:
        return "'a" if one and self.is_view(one.struct) else "'_"

    def short_names(self, one: Enum) -> List[Tuple[str, str, str]]:
        """[(name in C, name of the constant, comment)]"""
        prefix = os.path.commonprefix(list(one.values))
        prefix = prefix[:prefix.rindex("_") + 1]
        return [(name, re.sub("^E_", "", name[len(prefix):]), doc) for name, _, doc in enum_values(one)]

    # Members

    def member(self, member: Member, life: str) -> Tuple[str, str]:
        """(type, expression) of a member; `c` is the struct."""
        access, base = f"c.{rust_name(member.name)}", member.base
        text = f"&{life} Text".replace("&'_ ", "&")
        if member.what == "text":
            if member.can_be_none:
                return f"Option<{text}>", f"unsafe {{ Text::of_or_none({access}) }}"
            return text, f"unsafe {{ Text::of({access}) }}"
        if member.what == "attr":
            attr = f"&{life} Attr".replace("&'_ ", "&")
            if member.can_be_none:
                return f"Option<{attr}>", f"unsafe {{ Attr::at({access}) }}"
            return attr, f'unsafe {{ Attr::at({access}) }}.expect("it has an attr")'
        if member.what == "object":
            return self.pointer(base, access, life, member.can_be_none)
        if member.what == "struct":  # pmuq_bits: numbers only
            return "", ""
        if member.what == "bytes":
            return f"&{life} [u8]".replace("&'_ ", "&"), f"unsafe {{ numbers({access}.cast::<u8>(), c.{member.count}) }}"
        if member.what == "array":
            return self.array(member, access, life)
        if member.what == "index":
            return "Option<usize>", f"({access} != usize::MAX).then_some({access})"
        if member.what == "enum":
            return camel(base), f"{camel(base)}::from_raw({access})"
        type_ = self.scalar(base)
        if member.can_be_none:
            return f"Option<{type_}>", f"c.has_{member.name}.then_some({access})"
        return type_, access

    def scalar(self, base: str) -> str:
        return {"c_int": "i32", "c_uint": "u32"}.get(TYPES[base], TYPES[base])

    def array(self, member: Member, access: str, life: str) -> Tuple[str, str]:
        count = f"c.{member.count}"
        if member.count.isdigit():
            return f"&{life} [{self.scalar(member.base)}; {member.count}]".replace("&'_ ", "&"), f"&{access}"
        if member.base in ("pmuq_pair", "pmuq_str"):
            text = f"&{life} Text".replace("&'_ ", "&")
            item, value = text, "Text::of(*one)"
            if member.base == "pmuq_pair":
                item, value = f"({text}, {text})", "(Text::of(one.name), Text::of(one.text))"
            get = f"|first, _, index| {{ let one = &*first.cast::<ffi::{member.base}>().add(index); Some({value}) }}"
            return f"List<{life}, {item}>", f"unsafe {{ List::new({access}, 0, {count}, {get}) }}"
        return f"&{life} [{self.scalar(member.base)}]".replace("&'_ ", "&"), f"unsafe {{ numbers({access}, {count}) }}"

    def pointer(self, struct: str, access: str, life: str, can_be_none: bool) -> Tuple[str, str]:
        """A record, or an object that another object owns."""
        if self.is_view(struct):
            type_, value = self.type_name(struct, life), f"unsafe {{ {camel(struct)}::new({access}) }}"
        else:
            type_, value = f"Borrowed<{life}, {self.type_name(struct, life)}>", f"unsafe {{ Borrowed::new({access}) }}"
        return (f"Option<{type_}>", value) if can_be_none else (type_, f'{value}.expect("it has one")')

    def accessors(self, one: Class, life: str) -> str:
        text = ""
        for member in one.members:
            if member.what == "struct":
                for each in self.api.fixed_members(member.base):
                    text += self.accessor(each.name, self.scalar(each.base), f"self.c().{member.name}.{each.name}", each.variable.doc, False)
                continue
            if self.is_list_count(one, member):
                continue
            type_, value = self.member(member, life)
            is_plain = value.startswith("c.") and value.count("c.") == 1
            text += self.accessor(member.name, type_, f"self.{value}".replace("self.c.", "self.c().") if is_plain else value, member.variable.doc,
                                  not is_plain)
        return text

    def is_list_count(self, one: Class, member: Member) -> bool:
        """n_facts, raw_bytes: the list has a length."""
        return any(each.count == member.name for each in one.members)

    def accessor(self, name: str, type_: str, value: str, doc: Tuple[str, ...], needs_c: bool) -> str:
        text = self.docs(doc, f"Its `{name}`" if not name.startswith("n_") else f"How many {name[2:].replace('_', ' ')}", "    ")
        text += f"    pub fn {rust_name(name)}(&self) -> {type_} {{\n"
        if needs_c:
            text += "        let c = self.c();\n\n"
            text += "        // SAFETY: it lives as long as the record.\n" if "unsafe" in value else ""
        return text + f"        {value}\n    }}\n\n"

    def debug(self, one: Class) -> str:
        names = []
        for member in one.members:
            if member.what in ("object", "struct", "bytes") or self.is_list_count(one, member):
                continue
            names.append(rust_name(member.name))
        fields = "".join(f'            .field("{name}", &self.{name}())\n' for name in names)
        head = f"{camel(one.struct)}{'<_>' if self.has_lifetime(one) else ''}".replace("<_>", "<'_>")
        return (f"impl std::fmt::Debug for {head} {{\n"
                "    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {\n"
                f'        f.debug_struct("{camel(one.struct)}")\n{fields}'
                f'            .finish{"" if one.record else "_non_exhaustive"}()\n    }}\n}}\n\n')
