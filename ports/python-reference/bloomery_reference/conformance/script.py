"""spec/conformance.md, sections 3 and 4: a script is run, and its trace comes out."""

import re

from ..errors import Refusal
from . import on_bytes, on_filters
from .words_of_keys import NotAScript

OPTION = re.compile(r"([a-z][a-z-]*)=(.*)", re.DOTALL)

OPERATIONS = {**on_filters.OPERATIONS, **on_bytes.OPERATIONS}


class Options(dict):
    def __missing__(self, name):
        raise NotAScript(f"the option {name} is missing")


class Operation:
    """One line: a verb, words by place, options by name."""

    def __init__(self, line):
        words = line.split(" ")
        self.verb = words[0]
        self.words = []
        self.options = Options()
        for word in words[1:]:
            option = OPTION.fullmatch(word)
            if option:
                self.options[option[1]] = option[2]
            elif self.options:
                raise NotAScript(f"{word} comes after the options")
            else:
                self.words.append(word)

    def take(self, least, most=None):
        """The words by place, of which there must be so many."""
        if len(self.words) < least or (most is not None and len(self.words) > most):
            raise NotAScript(f"{self.verb} takes other words")
        return self.words


class Machine:
    """The variables of a script: each holds a filter or bytes."""

    def __init__(self, folder):
        self.folder = folder
        self.variables = {}

    def filter(self, name):
        value = self.variables.get(name)
        if not isinstance(value, on_filters.Held):
            raise NotAScript(f"{name} holds no filter")
        return value

    def bytes(self, name):
        value = self.variables.get(name)
        if not isinstance(value, bytes):
            raise NotAScript(f"{name} holds no bytes")
        return value

    def assign(self, name, value):
        if not re.fullmatch("[A-Za-z0-9_]+", name):
            raise NotAScript(f"{name} is no name")
        self.variables[name] = value


def failed(operation, refusal):
    """Where bytes are read, the offset to blame is printed; 0 where no byte is."""
    if operation.verb in ("decode", "inspect"):
        return f"error {refusal.code} at={refusal.offset or 0}"
    return f"error {refusal.code}"


def run(text, folder="."):
    """Yields the lines of the trace; raises NotAScript with the number of the line."""
    machine = Machine(folder)
    for number, line in enumerate(text.split("\n"), start=1):
        if line == "" or line.startswith("#"):
            continue
        try:
            operation = Operation(line)
            perform = OPERATIONS.get(operation.verb)
            if perform is None:
                raise NotAScript(f"no operation {operation.verb}")
            try:
                result = perform(machine, operation)
            except Refusal as refusal:
                result = failed(operation, refusal)
        except NotAScript as problem:
            raise NotAScript(f"line {number}: {problem}") from None
        yield f"{number} {result}"
