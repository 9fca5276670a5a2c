# SPDX-License-Identifier: MIT
"""What the public headers declare, in the words of the Python binding's table (bindings/python/pmuq/_table.py): functions
with the types of their results and parameters, structs with their fields, enums with their values. It understands the
layout that the headers have, not C."""
import re

COMMENT = re.compile(r"/\*.*?\*/", re.S)
INLINE = re.compile(r"^static inline\b.*?^}", re.S | re.M)
FUNCTION = re.compile(r"([a-z][\w\s]*?[\s*]+)(pmuq_\w+)\(([^()]*)\);")
STRUCT = re.compile(r"\bstruct (pmuq_\w+) \{(.*?)\n\};", re.S)
ENUM = re.compile(r"\benum (pmuq_\w+) \{(.*?)\};", re.S)
FIELD = re.compile(r"\b(\w+)(?: : \d+)?(?=[;,])")
# Words of C and those of the table.
WORDS = {"size_t": "size", "uint16_t": "u16", "uint32_t": "u32", "uint64_t": "u64", "int64_t": "i64", "unsigned": "uint"}


def plain(text):
    """A header without comments, inline functions and preprocessor lines."""
    text = INLINE.sub("", COMMENT.sub("", text))
    return re.sub(r"^#.*(\\\n.*)*$", "", text, flags=re.M).replace('extern "C" {', "")


def type_word(text):
    """ "const struct pmuq_pmu *" as "pmu*"; a const char pointer, which is somebody else's text, as "text"."""
    stars = text.count("*")
    words = [word for word in text.replace("*", " ").split() if word not in ("struct", "enum")]
    is_const = "const" in words
    words = [word for word in words if word != "const"]
    base = WORDS.get(words[0], words[0].replace("pmuq_", ""))
    if base == "char" and is_const:
        return "text" + "*" * (stars - 1)
    return base + "*" * stars


def parameter_words(text):
    if text.strip() == "void":
        return []
    return [type_word(re.sub(r"\w+$", "", one.strip())) for one in text.split(",")]


def functions(text):
    """Name, and the words of the result and the parameters."""
    for result, name, parameters in FUNCTION.findall(plain(text)):
        yield name, " ".join([type_word(result), *parameter_words(parameters)])


def structs(text):
    """Name and names of fields."""
    for name, body in STRUCT.findall(plain(text)):
        yield name, FIELD.findall(re.sub(r"\[\w+\]", "", body))


def enums(text):
    """Name and enumerators with their values."""
    for name, body in ENUM.findall(plain(text)):
        values = {}
        for line in filter(None, (one.strip() for one in body.split(","))):
            enumerator, _, value = line.partition("=")
            values[enumerator.strip()] = int(eval(f"({value})")) if value.strip() else len(values)
        yield name, values
