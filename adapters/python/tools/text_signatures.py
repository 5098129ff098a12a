#!/usr/bin/env python3
"""What help() and inspect.signature say of the compiled module, from its stubs.

  text_signatures.py bloomery/_core.pyi OUTPUT

OUTPUT is rows of C++ (src/documented.cpp includes it): {owner, name, text}, where text is a docstring
as CPython has them for its own functions, "name($self, key)\\n--\\n\\n...".  The stubs have each
signature and docstring once; a class of the stubs that is not in the module gives its calls to
those that derive from it.  CMake runs this; it needs nothing but the standard library.
"""

import ast
import inspect
import pathlib
import sys


def is_named(node, name):
    return isinstance(node, ast.Name) and node.id == name


def decorated(node, name):
    return any(is_named(d, name) for d in node.decorator_list)


def parameters(args, bound):
    """As __text_signature__ has them: names and defaults, no types."""
    every = [*args.posonlyargs, *args.args]
    defaults = [None] * (len(every) - len(args.defaults)) + list(args.defaults)
    out = []
    for i, (arg, default) in enumerate(zip(every, defaults)):
        name = "$self" if bound and i == 0 else arg.arg
        out.append(name if default is None else f"{name}={ast.unparse(default)}")
        if i + 1 == len(args.posonlyargs):
            out.append("/")
    if args.vararg:
        out.append(f"*{args.vararg.arg}")
    elif args.kwonlyargs:
        out.append("*")
    for arg, default in zip(args.kwonlyargs, args.kw_defaults):
        out.append(arg.arg if default is None else f"{arg.arg}={ast.unparse(default)}")
    if args.kwarg:
        out.append(f"**{args.kwarg.arg}")
    return ", ".join(out)


def doc_of(node):
    return inspect.cleandoc(ast.get_docstring(node) or "")


def row_of(owner, node):
    if decorated(node, "property"):
        return owner, node.name, doc_of(node)
    bound = bool(owner) and not decorated(node, "staticmethod")
    return owner, node.name, f"{node.name}({parameters(node.args, bound)})\n--\n\n{doc_of(node)}"


def members(node, classes):
    """Functions of a class: its own before those of its bases."""
    found = {f.name: f for f in node.body if isinstance(f, ast.FunctionDef)}
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes:
            found = {**members(classes[base.id], classes), **found}
    return found


def rows(tree):
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield row_of("", node)
        if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
            continue
        yield node.name, "", doc_of(node)
        for f in members(node, classes).values():
            # Others are Python's own operators.
            if f.name == "__init__" or not f.name.startswith("_"):
                yield row_of(node.name, f)


def quoted(text):
    """Strings of C++: the compiler joins them, and need not take long ones."""
    escape = {"\\": "\\\\", '"': '\\"', "\n": "\\n"}
    parts = [text[i : i + 80] for i in range(0, len(text), 80)] or [""]
    return " ".join('"' + "".join(escape.get(c, c) for c in part) + '"' for part in parts)


def main():
    source, output = map(pathlib.Path, sys.argv[1:])
    text = "".join(
        f"{{{quoted(owner)}, {quoted(name)},\n {quoted(doc)}}},\n"
        for owner, name, doc in rows(ast.parse(source.read_text()))
    )
    output.write_text(text)


if __name__ == "__main__":
    main()
