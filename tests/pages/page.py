# SPDX-License-Identifier: MIT
"""A page as a reader of HTML sees it: elements, texts, and mistakes."""
import base64
import hashlib
import html.parser
import re

# Elements without an end, and those whose end may be left out.
VOID = {"meta", "br", "hr", "rect", "input"}
OPEN_ENDED = {"p", "tr", "td", "th", "thead", "tbody"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.mistakes, self.ids, self.rows, self.cell, self.texts = [], [], [], [], None, []
        self.attributes, self.raw, self.policy = [], {"style": "", "script": ""}, ""
        self.feed(text)
        self.close()
        self.mistakes += [f"<{name}> is never closed" for name in self.open if name not in OPEN_ENDED]

    def handle_starttag(self, tag, attrs):
        names = dict(attrs)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if names.get("http-equiv") == "Content-Security-Policy":
            self.policy = names["content"]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in OPEN_ENDED:
            self.open.pop()
        if self.open and self.open[-1] == tag:
            self.open.pop()
        elif tag not in VOID:
            self.mistakes.append(f"</{tag}> at {self.getpos()} closes {self.open[-1:]}")

    def handle_data(self, data):
        if self.open and self.open[-1] in self.raw:
            self.raw[self.open[-1]] += data
            return
        self.texts.append(data)
        if self.rows and "table" in self.open and self.rows[-1]:
            self.rows[-1][-1] += data

    @property
    def text(self):
        return re.sub(r"\s+", " ", "".join(self.texts))

    def row(self, *head):
        """The cells of the first row that begins with these."""
        for row in self.rows:
            cells = [re.sub(r"\s+", " ", cell).strip() for cell in row]
            if cells[:len(head)] == list(head):
                return cells
        return None

    def allowed(self):
        """Whether the policy names exactly the style and the script of the page, and nothing else."""
        def digest(part):
            return "'sha256-" + base64.b64encode(hashlib.sha256(self.raw[part].encode()).digest()).decode() + "'"
        return self.policy == (f"default-src 'none'; style-src {digest('style')}; script-src {digest('script')}; "
                               "base-uri 'none'; form-action 'none'")

    def references(self):
        """Everything that could load, send or run something."""
        names = ("src", "href", "srcset", "action", "style", "data", "poster", "background", "ping", "formaction", "xlink:href")
        return [found for found in self.attributes if found[1] in names or found[1].startswith("on")]
