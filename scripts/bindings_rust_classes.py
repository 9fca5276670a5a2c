# SPDX-License-Identifier: MIT
"""Writes generated.rs, the safe classes of Rust. Objects own a C object; records point into one, and cannot outlive it; options
are builders; results of the caller are values. A method has the name and the parameters of the C function. It is not generated
if a handwritten module calls the function as `ffi::pmuq_...`."""
import dataclasses
import re
import textwrap
from typing import List, Tuple

from bindings import Api, Class, Member, Method, camel, summary
from bindings_rust import HEAD, TYPES, codes, rust_name
from bindings_rust_records import BINDING, BOUND, BY_HAND, NAMES, PATHS, POINTING, SHARED, STABLE, SUBJECTS, Records
from headers import Enum, Variable

PREAMBLE = """\
//! The classes of the library. Other modules add what is handwritten.
use std::ptr;

use pmuq_sys as ffi;

use crate::error::call;
use crate::object::numbers;
use crate::text::{owned_string, path_bytes, static_text, CText, CTexts, Kept};
use crate::{Attr, Borrowed, Error, EventParts, List, Object, Result, Sample, Samples, Text};

"""


def inside_unsafe(expression: str) -> str:
    """The expression without its unsafe block."""
    return re.sub(r"^unsafe \{ (.*) \}$", r"\1", expression)


class Writer(Records):
    """Writes all classes."""

    # Functions

    def parameter(self, method: Method, one: Variable) -> Tuple[str, List[str], str]:
        """(declaration, statements before the call, argument for C)"""
        type_, name, doc = one.type, rust_name(one.name), method.doc_of(one.name)
        is_optional, fail = "NULL" in doc or one.name == "check", self.fail(method)
        if type_.base == "char" and type_.stars == 1:
            lines = [f"let mut {name}_ = CText::new();"]
            if one.name in PATHS:
                if is_optional:
                    return f"{name}: Option<&std::path::Path>", lines, f"{name}_.set_or_null({name}.map(path_bytes)){fail}"
                return f"{name}: impl AsRef<std::path::Path>", lines, f"{name}_.set(path_bytes({name}.as_ref())){fail}"
            if is_optional:
                return f"{name}: Option<&str>", lines, f"{name}_.set_or_null({name}.map(str::as_bytes)){fail}"
            return f"{name}: impl AsRef<[u8]>", lines, f"{name}_.set({name}.as_ref()){fail}"
        if type_.base == "pmuq_attr":
            return f"{name}: &Attr", [], f"{name}.as_ptr()"
        if type_.stars and self.api.classes.get(type_.base) and self.is_options(type_.base):
            if type_.base == "pmuq_event_parts":  # owns what the struct of C points to
                return f"{name}: &EventParts", [f"let {name} = {name}.c()?;"], f"&{name}.c"
            life = "'a" if method.function.name in BINDING else "'_"
            return f"{name}: &{camel(type_.base)}<{life}>", [], f"{name}.c()?"
        if type_.stars and type_.base in self.api.classes:
            life = "&'a " if method.function.name in BINDING else "&"
            class_name = self.type_name(type_.base, "'_")
            if self.is_view(type_.base):
                return f"{name}: {class_name}", [], f"{name}.c()"
            if self.api.is_taken(one):
                return f"{name}: {class_name}", [], f"{name}.ptr()"
            if is_optional:
                return f"{name}: Option<{life}{class_name}>", [], f"{name}.map_or(ptr::null_mut(), |object| object.ptr())"
            return f"{name}: {life}{class_name}", [], f"{name}.ptr()"
        if type_.stars:
            raise SystemExit(f"bindings.py: {method.function.name}: nothing is known of a parameter {one.name} of type {type_}; "
                             "call the function in a module by hand")
        if type_.tag == "enum":
            return f"{name}: {camel(type_.base)}", [], f"{name}.raw()"
        return f"{name}: {self.scalar(type_.base)}", [], name

    def fail(self, method: Method) -> str:
        if method.fails:
            return ".ok_or_else(Error::nul)?"
        return ".unwrap_or(ptr::null())" if method.function.result.base in ("bool", "size_t") else "?"

    def parameters(self, method: Method) -> Tuple[List[str], List[str], List[str]]:
        """(declarations, statements before the call, arguments)"""
        declared, before, values = [], [], []
        inputs = list(method.inputs)
        while inputs:
            one = inputs.pop(0)
            name = rust_name(one.name)
            if one.type.base == "char" and one.type.stars == 2 and inputs:
                declared.append(f"{name}: &[impl AsRef<[u8]>]")
                before.append(f"let {name} = CTexts::new({name}).ok_or_else(Error::nul)?;")
                values += [f"{name}.as_ptr()", f"{name}.len()"]
                inputs.pop(0)
            elif one.type.base in TYPES and one.type.stars == 1 and one.type.base != "char" and inputs:
                item, cast = ("u8", ".cast()") if one.type.base == "void" else (self.scalar(one.type.base), "")
                declared.append(f"{name}: &[{item}]")
                values += [f"{name}.as_ptr(){cast}", f"{name}.len()"]
                inputs.pop(0)
            else:
                declaration, lines, value = self.parameter(method, one)
                declared.append(declaration)
                before += lines
                if not re.fullmatch(r"\w+|&\w+\.c|\w+\.(ptr|raw|as_ptr|c)\(\)", value):
                    before.append(f"let {name} = {value};")
                    value = name
                values.append(value)
        return declared, before, values

    def output(self, one: Variable, can_be_null: bool, life: str) -> Tuple[str, str, str]:
        """(its first value, type, expression) of a result."""
        type_ = one.type
        if type_.base == "char" and type_.stars == 2 and type_.is_const:
            text = f"&{life} Text".replace("&'_ ", "&")
            if can_be_null:
                return "ptr::null()", f"Option<{text}>", f"unsafe {{ Text::at({one.name}) }}"
            return "ptr::null()", text, f'unsafe {{ Text::at({one.name}) }}.expect("it is set")'
        if type_.base == "char" and type_.stars == 2:
            raise SystemExit(f"bindings.py: owned text {one.name}: call the function in a module by hand")
        if type_.stars == 2:
            return "ptr::null()", self.type_name(type_.base, life), f'unsafe {{ {camel(type_.base)}::new({one.name}) }}.expect("it is set")'
        if type_.base in self.api.caller_structs:
            return f"{camel(type_.base)}::empty()", self.type_name(type_.base, life), f"{camel(type_.base)}::of({one.name})"
        return ("false" if type_.base == "bool" else "0"), self.scalar(type_.base), one.name

    def method(self, one: Class, method: Method) -> str:
        if method.count:
            return self.list_method(one, method)
        text = self.function(one, method, False)
        last = method.inputs[-1] if method.inputs else None
        if last and last.type.stars == 1 and last.type.base in self.api.classes and self.is_options(last.type.base):
            return self.function(one, method, True) + text
        return text

    def self_of(self, one: Class, method: Method) -> Tuple[List[str], List[str]]:
        if method.is_static or not one:
            return [], []
        is_const = method.is_const or one.struct in STABLE
        name = "self.ptr()" if not one.record or one.is_owned else "&self.c" if one.struct in self.api.caller_structs else "self.c()"
        life = "&'a " if method.function.name in BINDING else "&"
        return [f"{life}{'' if is_const else 'mut '}self"], [name]

    def function(self, one: Class, method: Method, has_defaults: bool) -> str:
        """A method. With options it has two forms: encode(), encode_with(options)."""
        first, values = self.self_of(one, method)
        shown = method
        if method.inputs and self.api.classes.get(method.inputs[-1].type.base) and self.is_options(method.inputs[-1].type.base):
            shown = dataclasses.replace(method, inputs=method.inputs[:-1])
        with_options = shown is not method and not has_defaults
        declared, before, arguments = self.parameters(method if with_options else shown)
        values = values + arguments + (["ptr::null()"] if has_defaults else [])
        result, lines = self.body(one, method, values)
        name = NAMES.get(method.function.name, rust_name(method.name)) + ("_with" if with_options else "")
        generic = "<'a>" if method.function.name in BINDING and not method.is_static else ""
        doc = self.doc(method, has_defaults, with_options)
        arrow = "" if result == "()" else f" -> {result}"
        return (doc + f"    pub fn {name}{generic}({', '.join(first + declared)}){arrow} {{\n" +
                "".join(f"        {line}".rstrip() + "\n" for line in before + lines) + "    }\n\n")

    def doc(self, method: Method, has_defaults: bool, with_options: bool) -> str:
        lines = list(method.doc)
        inputs = [each for each in method.inputs if method.doc_of(each.name) and each.name != "options"]
        inputs = [each for each in inputs if not re.fullmatch(r"not kept\.?|NULL.*defaults?.*", method.doc_of(each.name))]
        if inputs:
            lines += [""] + [f"* `{each.name}`: {method.doc_of(each.name)}" for each in inputs]
        if with_options:
            lines = [f"Like `{method.name}()`, with options."]
        made = self.made(method)
        if made in BOUND and method.function.name in BINDING and not with_options:
            lines += ["", f"The result cannot outlive {BOUND[made]}."]
        if method.fails and not with_options:
            lines += self.errors(method)
        return self.docs(tuple(lines), method.name.replace("_", " "), "    ")

    def errors(self, method: Method) -> List[str]:
        """The section for the codes that a function returns: those in its comment, or of another function."""
        text = " ".join(method.whole_doc.split())
        text = text[text.rindex("@return"):] if "@return" in text else ""
        found = [f"`{name}`" for name in dict.fromkeys(re.findall(r"PMUQ_E_(\w+)", text))]
        found = ["any code about event strings"] * ("any code about event strings" in text) + found
        found = [f"those of {name}" for name in re.findall(r"@return as (pmuq_\w+\(\))", text)] + found
        listed = ", ".join(found)
        return ["", "# Errors", "", listed[:1].upper() + listed[1:]] if found else []

    def body(self, one: Class, method: Method, values: List[str]) -> Tuple[str, List[str]]:
        """(type of the result, statements)"""
        function, result, life = f"ffi::{method.function.name}", method.function.result, self.life(one)
        made = self.made(method)
        needs = [] if method.is_alone or method.function.name in BINDING else self.objects_of(method)
        if made and needs:
            raise SystemExit(f"bindings.py: {method.function.name}: its comment does not state that the result does not need {needs}; "
                             "if it does, add the function to BINDING, and its class to BOUND")
        safety = "// SAFETY: all pointers are valid during the call."
        if made:
            bound = "'a" if method.function.name in BINDING else "'static"
            type_ = self.type_name(made, bound)
            lines = ["let mut ret = ptr::null_mut();", "", safety,
                     f"call(|error| unsafe {{ {function}({', '.join([*values, '&mut ret', 'error'])}) }})?;"]
            lines += [f"std::mem::forget({each.name});" for each in method.inputs if self.api.is_taken(each)]
            if re.search(r"NULL (if|after)", method.doc_of("ret")):
                return f"Result<Option<{type_}>>", lines + [
                    "// SAFETY: the new object is the caller's.",
                    f"Ok(ptr::NonNull::new(ret).map(|ret| unsafe {{ {camel(made)}::from_ptr(ret) }}))"]
            return f"Result<{type_}>", lines + ["// SAFETY: the new object is the caller's.",
                                                f"Ok(unsafe {{ {camel(made)}::from_ptr(ptr::NonNull::new_unchecked(ret)) }})"]
        outputs = [self.output(each, "NULL if" in method.doc_of(each.name), life) for each in method.outputs]
        lines = [f"let mut {each.name} = {out[0]};" for each, out in zip(method.outputs, outputs)]
        lines += [""] * bool(lines)
        pointers = [f"&mut {each.name}" for each in method.outputs]
        type_ = outputs[0][1] if len(outputs) == 1 else f"({', '.join(out[1] for out in outputs)})" if outputs else "()"
        value = outputs[0][2] if len(outputs) == 1 else f"({', '.join(out[2] for out in outputs)})"
        if method.fails:
            call = f"call(|error| unsafe {{ {function}({', '.join([*values, *pointers, 'error'])}) }})"
            if not outputs:
                return "Result<()>", [safety, call]
            why = ["// SAFETY: it lives as long as this object."] if "unsafe" in value else []
            return f"Result<{type_}>", lines + [safety, call + "?;"] + why + [f"Ok({value})"]
        got = f"unsafe {{ {function}({', '.join([*values, *pointers])}) }}"
        if outputs and result.base == "bool":
            return f"Option<{type_}>", lines + [safety, f"{got}.then_some({value})"]
        if str(result) == "void":
            return "()", [safety, got + ";"]
        if result.base == "char" and not result.is_const:
            return "String", ["// SAFETY: the text is the caller's.", f"unsafe {{ owned_string({function}({', '.join(values)})) }}"]
        if result.base == "char":
            owner = life if one else "'static"
            text = f"&{owner} Text".replace("&'_ ", "&")
            can_be_null = "NULL" in " ".join(method.function.doc)
            value = f"unsafe {{ Text::at({function}({', '.join(values)})) }}" + ("" if can_be_null else '.expect("it is set")')
            return f"Option<{text}>" if can_be_null else text, ["// SAFETY: the text lives as long as this object.", value]
        if result.stars:
            owner = life if one else "'static"
            can_be_none = bool(method.inputs) or "NULL" in " ".join(method.doc)
            type_, value = self.pointer(result.base, f"{function}({', '.join(values)})", owner, can_be_none)
            return type_, ["// SAFETY: it lives as long as this object.", value]
        if result.tag == "enum":
            return camel(result.base), [safety, f"{camel(result.base)}::from_raw({got})"]
        return self.scalar(result.base), [safety, got]

    def objects_of(self, method: Method) -> List[str]:
        """Its inputs that are objects, without those that it takes over."""
        inputs = [] if method.is_static else list(method.function.parameters[:1])
        inputs += method.inputs
        return [each.name for each in inputs if each.type.stars == 1 and each.type.base in self.api.classes and
                not self.is_options(each.type.base) and not self.api.is_taken(each)]

    # Lists

    def list_method(self, one: Class, method: Method) -> str:
        count, function, life = method.count, method.function.name, self.life(one)
        assert count
        object_ = "self.c()" if one.record and not one.is_owned else "self.ptr()"
        part = method.inputs[0].name if method.inputs else "0"
        if count.takes_index:
            size = f"{count.function}({object_}, {part}).as_ref().map_or(0, |one| one.{count.member})"
        elif count.function and count.member:
            size = f"(*{count.function}({object_})).{count.member}"
        elif count.function:
            size = f"{count.function}({object_})"
        else:
            size = "self.c()." + ".".join([*(f"{one}" for one in count.path), count.member])
            size = f"(*self.c().{count.path[0]}).{count.member}" if count.path else size
        size = f"ffi::{size}" if count.function and not size.startswith("(*") else size.replace("(*pmuq", "(*ffi::pmuq")
        item = method.function.result.base
        type_, value = self.pointer(item, f"ffi::{function}(object.cast(){', part' if method.inputs else ''}, index)", life, True)
        # The whole list is an unsafe block.
        get = f"|object, {'part' if method.inputs else '_'}, index| {inside_unsafe(value)}"
        arguments = "".join(f", {each.name}: usize" for each in method.inputs)
        return (self.doc(method, False, False) + f"    pub fn {method.name}(&self{arguments}) -> List<{life}, {type_[len('Option<'):-1]}> {{\n"
                "        // SAFETY: the elements live as long as this object, and the function takes any index.\n"
                f"        unsafe {{ List::new({object_}, {part}, {size}, {get}) }}\n    }}\n\n")

    def elements(self, one: Class) -> str:
        """len(), get() and iter() of an object that is a list."""
        get = self.api.headers.functions[f"{one.struct}_get"]
        if get.result.base in self.api.classes:
            item, value = self.pointer(get.result.base, f"ffi::{get.name}(object.cast(), index)", "'_", True)
            item = item[len("Option<"):-1]
        else:
            item, value = "&Text", f"unsafe {{ Text::at(ffi::{get.name}(object.cast(), index)) }}"
        whole = item.replace("&Text", "&'b Text").replace("'_", "'b")
        head = self.type_name(one.struct, "'_")
        return f"""\
    /// How many elements it has.
    pub fn len(&self) -> usize {{
        // SAFETY: the object is valid.
        unsafe {{ ffi::{one.struct}_count(self.ptr()) }}
    }}

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {{
        self.len() == 0
    }}

    /// The element with that number, from 0.
    pub fn get(&self, index: usize) -> Option<{item}> {{
        self.iter().get(index)
    }}

    /// The elements.
    pub fn iter(&self) -> List<'_, {item}> {{
        // SAFETY: the elements live as long as this object, and the function takes any index.
        unsafe {{ List::new(self.ptr(), 0, self.len(), |object, _, index| {inside_unsafe(value)}) }}
    }}
}}

impl<'b> IntoIterator for &'b {head} {{
    type Item = {whole};
    type IntoIter = List<'b, {whole}>;

    fn into_iter(self) -> Self::IntoIter {{
        self.iter()
    }}
}}

"""

    # Classes

    def setter(self, one: Class, member: Member) -> str:
        """The method of a builder for a member of options."""
        type_, name = member.variable.type, rust_name(re.sub(r"^(is|with)_", "", member.name))
        to = f"self.c.{rust_name(member.name)}"
        if type_.base == "void" or member.name == "memory_bytes" or member.name.startswith("n_"):
            return ""
        if member.name == "from":
            declared, value, name = "origins: Origin", f"{to} = origins.raw();", "origins"
        elif type_.base == "char" and member.name in PATHS:
            declared, value = f"{name}: impl AsRef<std::path::Path>", f"{to} = self.kept.keep(path_bytes({name}.as_ref()));"
        elif type_.base == "char":
            declared, value = f"{name}: impl AsRef<[u8]>", f"{to} = self.kept.keep({name}.as_ref());"
        elif type_.stars and self.is_view(type_.base):
            declared, value = f"{name}: {camel(type_.base)}<'a>", f"{to} = {name}.c();"
        elif type_.stars:
            declared, value = f"{name}: &'a {self.type_name(type_.base, chr(39) + 'a')}", f"{to} = {name}.ptr();"
        elif type_.tag == "enum":
            declared, value = f"{name}: {camel(type_.base)}", f"{to} = {name}.raw();"
        else:
            declared, value = f"{name}: {self.scalar(type_.base)}", f"{to} = {name};"
        return (self.docs(member.variable.doc, f"Sets `{member.name}`", "    ") +
                f"    pub fn {name}(mut self, {declared}) -> Self {{\n        {value}\n        self\n    }}\n\n")

    def doc_attributes(self, one: Class) -> str:
        text = self.docs(one.record.doc if one.record else self.doc_of_object(one), camel(one.struct), "    ")
        if one.struct in BOUND:
            text += f"    ///\n    /// It cannot outlive {BOUND[one.struct]}.\n"
        return text

    def doc_of_object(self, one: Class) -> Tuple[str, ...]:
        """The comment of its header, if the header is about this object; of another object, the comment of new(), or what returns it."""
        header = self.api.headers.functions[f"{one.struct}_free"].header
        if f"pmuq_{header[:-2]}" == one.struct or (header, one.struct) in SUBJECTS:
            return self.api.doc_of(one)
        makers = [each.function for owner in self.api.classes.values() for each in owner.methods if self.made(each) == one.struct]
        if makers[0].name == f"{one.struct}_new":
            return summary(makers[0].doc)
        return (f"The result of {' or '.join(f'{maker.name}()' for maker in makers)}.",)

    def class_of(self, one: Class) -> str:
        name, life = camel(one.struct), self.life(one)
        methods = [each for each in one.methods if each.function.name not in self.api.by_hand]
        doc = self.doc_attributes(one)
        if self.is_options(one.struct):
            text = f"options! {{\n{doc}    {name}, {one.struct}\n}}\n\n"
            return text + f"impl<'a> {name}<'a> {{\n" + "".join(self.setter(one, each) for each in one.members) + "}\n\n"
        if one.is_owned:
            text = f"object! {{\n{doc}    {self.type_name(one.struct, chr(39) + 'a')}, {one.struct}, {one.struct}_free\n}}\n\n"
            if one.struct in SHARED:
                text += f"// SAFETY: its header: any number of threads may use one.\nunsafe impl Sync for {self.type_name(one.struct, chr(39) + '_')} {{}}\n\n"
        elif one.struct in self.api.caller_structs:
            text = f"filled! {{\n{doc}    {name}, {one.struct}\n}}\n\n"
            if one.struct in POINTING:
                text = ""
        else:
            text = f"record! {{\n{doc}    {name}, {one.struct}\n}}\n\n"
            if one.struct in self.shared:
                text += ("// SAFETY: a record never changes, and its objects are for any number of threads.\n"
                         f"unsafe impl Send for {name}<'_> {{}}\n// SAFETY: as above.\nunsafe impl Sync for {name}<'_> {{}}\n\n")
        head = f"impl<'a> {name}<'a>" if life == "'a" or one.struct in POINTING else f"impl {self.type_name(one.struct, chr(39) + '_')}"
        text += f"{head} {{\n"
        if one.is_owned and one.record:
            text += (f"    fn c(&self) -> &ffi::{one.struct} {{\n        // SAFETY: it lives as long as this object.\n"
                     "        unsafe { self.object.as_ref() }\n    }\n\n")
        text += self.accessors(one, "'a" if one.struct in POINTING else life)
        text += "".join(self.method(one, each) for each in methods if not self.is_static_bound(each))
        text += self.elements(one) if one.is_list else "}\n\n"
        bound = "".join(self.method(one, each) for each in methods if self.is_static_bound(each))
        if bound:
            text += f"impl<'a> {name}<'a> {{\n" + bound + "}\n\n"
        return text + self.debug(one)

    def is_static_bound(self, method: Method) -> bool:
        return method.is_static and method.function.name in BINDING

    def enum_name_method(self, one: Enum) -> str:
        function = f"{one.name}_name"
        if function not in self.api.headers.functions or function in self.api.by_hand:
            return ""
        doc = self.docs(self.api.headers.functions[function].doc, "Its name", "    ")
        return (f"impl {camel(one.name)} {{\n{doc}    pub fn name(self) -> Option<&'static str> {{\n"
                f"        // SAFETY: the text is static.\n        unsafe {{ static_text(ffi::{function}(self.0)) }}\n    }}\n}}\n\n")

    def enum(self, one: Enum) -> str:
        values = [(short, one.values[name], doc) for name, short, doc in self.short_names(one)]
        if values[-1][0] == one.name.rsplit("_", 1)[-1].upper() + "S":  # the number of values
            values.pop()
        text = f"enumeration! {{\n{self.docs(one.doc, camel(one.name), '    ')}    {camel(one.name)} {{\n"
        for name, number, doc in values:
            text += self.docs((doc,), f"`{name.lower().replace('_', '-')}`", "        ") + f"        {name} = {number},\n"
        text += "    }\n}\n\n"
        if len(values) > 2 and all(number and not number & (number - 1) for _, number, _ in values):
            text += f"bits!({camel(one.name)});\n\n"
        return text + self.enum_name_method(one)

    def free_function(self, method: Method) -> str:
        one = method.function
        if one.name.endswith("_name") and one.name[:-5] in self.api.headers.enums:
            return ""
        declared, before, values = self.parameters(method)
        result, lines = self.body(None, method, values)  # type: ignore[arg-type]
        result, lines = result.replace("'_", "'static"), [line.replace("as long as this object", "forever: it is static") for line in lines]
        body = "".join(f"    {line}".rstrip() + "\n" for line in before + lines)
        return textwrap.dedent(self.doc(method, False, False)) + f"pub fn {method.name}({', '.join(declared)}) -> {result} {{\n{body}}}\n\n"

    def write(self) -> str:
        text = HEAD + PREAMBLE
        text += "".join(self.enum(one) for one in [codes(), *self.api.headers.enums.values()])
        text += "".join(self.class_of(one) for one in self.api.classes.values() if one.struct not in BY_HAND)
        text += "".join(self.free_function(one) for one in self.api.functions if one.function.name not in self.api.by_hand)
        return text.rstrip() + "\n"


def write(api: Api) -> str:
    return Writer(api).write()
