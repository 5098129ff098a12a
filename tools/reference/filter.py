#!/usr/bin/env python3
"""Doxygen's input filter: the comments of our headers as it wants them.

  tools/reference/filter.py FILE     prints FILE (a header or a page)

Headers carry plain // comments.  Here those before a declaration become ///, and count
for every declaration up to the next blank line; those behind a member become ///<; the
comment that opens a file goes to the class the file is named after.  Deleted calls,
inline namespaces and protected members are left out: users do not call them.
"""
import pathlib
import re
import sys

OWN = re.compile(r"^(\s*)//(?!/) ?(.*)$")
TRAILING = re.compile(r"^(.*?[;,{})\w&*>] *)  // (.*)$")
SECTION = re.compile(r"^--- (.*?) ---$")
ENDS_SECTION = re.compile(r"\s*((public|private|protected):|})")
DELETED = re.compile(r"= delete;")
BY_ISA = re.compile(r"(inline )?namespace BLOOMERY_BY_ISA|}  // namespace BLOOMERY_BY_ISA")
NOT_DOCUMENTATION = re.compile(r"^-{3}|clang-format|NOLINT")
TYPE = re.compile(r"^(?:class|struct|enum class|enum|union)\s+"
                  r"(?:\[\[\w+\]\]\s*|BLOOMERY_EXPORT\s+)*(\w+)\s*([:{;]|final|$)")


def without_literals(code):
    code = re.sub(r'"(?:[^"\\]|\\.)*"', '""', code)
    return re.sub(r"(?<!\w)'(?:[^'\\]|\\.)'", "' '", code).split("//")[0]


def without_template(code):
    """What a declaration declares: behind template <...> and requires."""
    code = code.strip()
    while code.startswith("template"):
        depth = 0
        for at, c in enumerate(code):
            depth += (c == "<") - (c == ">" and code[at - 1] != "-")
            if c == ">" and depth == 0:
                code = code[at + 1:].strip()
                break
        else:
            return ""
    return re.sub(r"^requires\s*(\(.*?\)|[\w:<>, ]+?)\s*(?=class|struct|result|void|bool)", "", code)


class Scopes:
    """Where each line begins: inside which braces, and whether a declaration begins."""

    def __init__(self, lines):
        self.begins, self.depth, self.outside, self.in_class, self.declared = [], [], [], [], []
        stack, pending, start = [], "", 0
        for number, line in enumerate(lines):
            outside = all(kind != "code" for kind in stack)
            self.depth.append(len(stack))
            self.outside.append(outside)  # of any function
            self.in_class.append(stack[-1:] == ["class"])
            self.begins.append(outside and not pending.strip() and bool(line.strip())
                               and not re.match(r"\s*(//|#|}|public:|private:|protected:)", line))
            self.declared.append("")
            if self.begins[-1]:
                start = number
            if line.lstrip().startswith("#"):
                continue
            for c in without_literals(line) + "\n":
                if c == "{":
                    stack.append(self.kind(pending))
                if c in "{}":
                    self.declared[start] = self.declared[start] or pending + c
                    pending = ""
                    if c == "}":
                        stack.pop()
                elif c == ";" or (c == "," and stack and stack[-1] == "enum"):
                    self.declared[start] = self.declared[start] or pending + c
                    pending = ""
                else:
                    pending += c
            pending = re.sub(r"\b(public|private|protected):\s*$", "", pending)

    @staticmethod
    def kind(before):
        before = without_template(before)
        if re.match(r"(inline )?namespace\b|extern", before):
            return "namespace"
        if re.match(r"enum\b", before):
            return "enum"
        return "class" if re.match(r"(class|struct|union)\b", before) else "code"


def escaped(prose):
    parts = re.split(r"(`[^`]*`)", prose)
    return "".join(p if p.startswith("`") else re.sub(r"([\\@<>#*&]|(?<!\w)::)", r"\\\1", p) for p in parts)


def paragraphs(text):
    """The lines of one comment as Doxygen's Markdown."""
    out, block = [], None
    for line in text + [""]:
        indented = line.startswith("  ") and bool(line.strip())
        if block is not None and not indented:
            code = any(c in "".join(block) for c in ";(")
            out += ["\\code{.cpp}" if code else "\\code{.unparsed}", *block, "\\endcode"]
            block = None
        if indented and (block is not None or not out or out[-1] == "" or out[-1].endswith(":")
                         or out[-1].endswith(".")):
            block = (block or []) + [line[2:]]
            continue
        line = escaped(line.strip())
        line = re.sub(r"(^|  ?)Errors: ", r"\n\n**Errors:** ", line)
        line = re.sub(r"(^|  ?)REQUIRES: ", r"\n\n\\pre ", line)
        line = re.sub(r"^(Thread safety|Cost|Fork|Answers): ", r"\n\n**\1:** ", line)
        for one in line.split("\n"):
            if one or (out and out[-1]):
                out.append(one)
    while out and not out[-1]:
        out.pop()
    return out


def documentation(text, indent):
    return [f"{indent}/// {line}".rstrip() for line in paragraphs(text)]


def file_comment(lines):
    """The comment that opens a file, and the rest of its lines."""
    for at, line in enumerate(lines):
        if not OWN.match(line):
            return [OWN.match(one)[2] for one in lines[:at]], lines[at:]
    return [], lines


def header(stem, lines):
    top, lines = file_comment(lines)
    scopes = Scopes(lines)
    types = [TYPE.match(without_template(whole)) for whole in scopes.declared]
    named = [bool(t) and t[1] == stem and t[2] != ";" for t in types]
    brief = " ".join(top).split(".  ")[0].rstrip(".") + "."
    out = ["/// \\file", *documentation([brief] if any(named) else top, "")]

    block = []     # the comment above, not yet used
    group = []     # the comment that counts up to the next blank line, or the end ...
    depth = 0      # ... of these braces
    named_section = -1  # // --- words --- in a class: how deep its members lie
    column = None  # where a comment behind a member began, on the line above
    for number, line in enumerate(lines):
        own = OWN.match(line)
        if own and column == len(own[1]):
            out.append(f"{own[1]}///< {escaped(own[2])}")
            continue
        column = None
        if own and not scopes.outside[number]:
            continue
        section = own and SECTION.match(own[2])
        if scopes.depth[number] == named_section and (section or ENDS_SECTION.match(line)):
            out.append("///@}")
            named_section = -1
        if section and scopes.in_class[number]:
            named_section = scopes.depth[number]
            out += [f"/// @name {section[1][0].upper()}{escaped(section[1][1:])}", "///@{"]
        if own:
            group = group if scopes.depth[number] > depth else []
            block = [] if NOT_DOCUMENTATION.search(own[2]) else block + [own[2]]
            continue
        if BY_ISA.match(line):
            continue
        if not line.strip():
            block = []
        if scopes.depth[number] < depth or (not line.strip() and scopes.depth[number] == depth):
            group = []
        if DELETED.search(line):
            block, group = [], group or block
            continue
        if scopes.begins[number]:
            indent = re.match(r"\s*", line)[0]
            text = block
            if named[number]:
                text = top + [""] + block
            elif not text and types[number] and types[number][1] == "params":
                text = ["What make and build take."]
            if text:
                out += documentation(text, indent)
                group, depth = block, scopes.depth[number]
            elif group and scopes.depth[number] == depth and not TRAILING.match(line):
                out += documentation(group, indent)
            block = []
            trailing = TRAILING.match(line)
            if trailing:
                column = len(trailing[1]) + 2
                line = f"{trailing[1]}  ///< {escaped(trailing[2])}"
        line = line.replace("bloomery::inline v1", "bloomery")
        out.append(line.replace(" protected:", " private:"))
    return out


def page(path, lines):
    """Links that lead out of the reference become plain text."""
    def keep(link):
        target = link[2].split("#")[0]
        inside = (path.parent / target).resolve().parent == path.parent.resolve()
        return f"[{link[1]}]({target})" if inside and target.endswith(".md") else link[1]
    fenced, out = False, []
    for line in lines:
        fenced ^= line.lstrip().startswith("```")
        out.append(line if fenced else re.sub(r"\[([^\]]*)\]\(([^):\s]+)\)", keep, line))
    return out


if __name__ == "__main__":
    file = pathlib.Path(sys.argv[1])
    text = file.read_text("utf-8").splitlines()
    print("\n".join(page(file, text) if file.suffix == ".md" else header(file.stem, text)))
