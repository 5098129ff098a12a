"""help() teaches: every public call has a signature, which is the stub's, and a docstring whose examples run."""

import ast
import doctest
import inspect
import pathlib
import pydoc
import re

import pytest

import bloomery
import bloomery.pybloom_live
import bloomery.rbloom
import bloomery.spark

STUBS = ast.parse((pathlib.Path(bloomery.__file__).parent / "_core.pyi").read_text())
MODULES = {"bloomery": bloomery, "bloomery.rbloom": bloomery.rbloom, "bloomery.pybloom_live": bloomery.pybloom_live,
           "bloomery.spark": bloomery.spark}


def public():
    """Name -> object, of all classes and functions, and of what classes have themselves."""
    for place, module in MODULES.items():
        for name in module.__all__:
            thing = getattr(module, name)
            if not callable(thing):
                continue
            yield f"{place}.{name}", thing
            if inspect.isclass(thing):
                for member, value in inspect.getmembers(thing):
                    own = any(member in vars(base) for base in thing.__mro__ if base.__module__.startswith("bloomery"))
                    if own and not member.startswith("_") and (callable(value) or isinstance(vars_of(thing, member), property)):
                        yield f"{place}.{name}.{member}", vars_of(thing, member) if not callable(value) else value


def vars_of(thing, member):
    return next(vars(base)[member] for base in thing.__mro__ if member in vars(base))


PUBLIC = dict(public())


def test_there_are_some():
    assert len(PUBLIC) > 250, len(PUBLIC)
    for name in ("Filter", "Filter.add", "Filter.build", "Filter.kind", "Filter.tag_bits", "Filter.ones", "MappedFilter.fill",
                 "size", "load", "CorruptError", "rbloom.Bloom.update", "spark.build_filter"):
        assert f"bloomery.{name}" in PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_it_has_a_signature(name):
    thing = PUBLIC[name]
    if not isinstance(thing, property):
        inspect.signature(thing)


# --- those of the compiled module are the stub's ---
def members(node):
    classes = {c.name: c for c in STUBS.body if isinstance(c, ast.ClassDef)}
    found = {}
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes:
            found.update(members(classes[base.id]))
    found.update({f.name: f for f in node.body if isinstance(f, ast.FunctionDef)})
    return found


def is_one(node, decorator):
    return any(isinstance(d, ast.Name) and d.id == decorator for d in node.decorator_list)


def stubs():
    for node in STUBS.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, False
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for name, f in members(node).items():
                if is_one(f, "property"):
                    continue
                if name == "__init__":
                    yield node.name, f, True
                elif not name.startswith("_"):
                    yield f"{node.name}.{name}", f, not is_one(f, "staticmethod")


def parameters(node, bound):
    """(name, kind, default) of each, as the stub has them."""
    kinds = inspect.Parameter
    a = node.args
    every = [(x, kinds.POSITIONAL_ONLY) for x in a.posonlyargs] + [(x, kinds.POSITIONAL_OR_KEYWORD) for x in a.args]
    defaults = [None] * (len(every) - len(a.defaults)) + a.defaults
    out = [(x.arg, kind, d) for (x, kind), d in zip(every, defaults)][1 if bound else 0:]
    if a.vararg:
        out.append((a.vararg.arg, kinds.VAR_POSITIONAL, None))
    out += [(x.arg, kinds.KEYWORD_ONLY, d) for x, d in zip(a.kwonlyargs, a.kw_defaults)]
    if a.kwarg:
        out.append((a.kwarg.arg, kinds.VAR_KEYWORD, None))
    return [(n, k, inspect.Parameter.empty if d is None else ast.literal_eval(d)) for n, k, d in out]


CALLS = {name: (node, bound) for name, node, bound in stubs()}


def test_every_call_of_the_stubs_is_seen():
    assert len(CALLS) >= 130, len(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_the_signature_is_the_stub_s(name):
    node, bound = CALLS[name]
    thing = bloomery
    for part in name.split("."):
        thing = getattr(thing, part)
    real = list(inspect.signature(thing).parameters.values())
    if bound and "." in name:
        assert real[0].name == "self"
        real = real[1:]
    assert [(p.name, p.kind, p.default) for p in real] == parameters(node, bound)


def test_bound_calls_have_one_too():
    f = bloomery.Filter(10)
    assert str(inspect.signature(f.merge)) == "(other, *, fold=False)"
    assert str(inspect.signature(f.add)) == "(key, /)"
    assert str(inspect.signature(bloomery.Filter)) == "(capacity=None, fpr=None, **options)"


# --- docstrings ---
def examples_of(thing):
    return doctest.DocTestParser().get_examples(inspect.getdoc(thing) or "")


@pytest.mark.parametrize("name", PUBLIC)
def test_its_docstring_has_an_example(name):
    doc = PUBLIC[name].__doc__
    assert doc and re.match(r"[A-Z].*[.:)]$", doc.strip().splitlines()[0]), doc
    assert examples_of(PUBLIC[name]), f"{name}: no example in {doc!r}"


# Apache Spark is not here: tests_spark runs examples with a session.
@pytest.mark.parametrize("name", [n for n in PUBLIC if "spark.create" not in PUBLIC[n].__doc__ and "bs.to_spark" not in PUBLIC[n].__doc__])
def test_its_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    doc = inspect.getdoc(PUBLIC[name])
    names = {"bloomery": bloomery, "Bloom": bloomery.rbloom.Bloom, "bs": bloomery.spark}
    test = doctest.DocTestParser().get_doctest(doc, names, name, None, 0)
    said = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert not said, "".join(said)


def test_help_of_a_class_has_all_of_it():
    text = pydoc.render_doc(bloomery.Filter, renderer=pydoc.plaintext)
    assert "Filter(capacity=None, fpr=None, **options)" in text and "possibly present" in text
    in_one_line = re.sub(r"[\s|]+", "", text)  # Python 3.13 breaks long ones
    assert "build(keys,fpr=None,capacity=None,threads=1" in in_one_line and "Static methods" in text
    assert "<nanobind" not in text
    for name in (n for n in PUBLIC if re.fullmatch(r"bloomery\.Filter\.\w+", n)):
        assert re.search(rf"\b{name.split('.')[-1]}\b", text), name
    assert "bloomery.Builder" in pydoc.render_doc(bloomery.Builder, renderer=pydoc.plaintext)
    assert "size(capacity=None, fpr=None, **options)" in pydoc.render_doc(bloomery.size, renderer=pydoc.plaintext)


def test_what_no_user_makes_says_so():
    for made_by_calls in (bloomery.Answers, bloomery.Hashes):
        with pytest.raises(TypeError, match="made by calls"):
            made_by_calls()


def test_subclasses_have_their_own_signature():
    class Same(bloomery.Filter):
        pass

    assert inspect.signature(Same) == inspect.signature(bloomery.Filter)
    assert not hasattr(bloomery.Filter(10), "__signature__")

    class Mine(bloomery.Filter):
        def __init__(self, name):
            super().__init__(1000, 0.01)
            self.name = name

    assert str(inspect.signature(Mine)) == "(name)"
    mine = Mine("x")
    mine.add("alice")
    assert "alice" in mine and mine.capacity == 1000 and mine.name == "x"
    assert mine.may_contain(keys=["alice"]).tolist() == [True]
    with pytest.raises(TypeError):
        bloomery.Filter.may_contain(5, ["alice"])
    with pytest.raises(TypeError):
        mine.update_if_absent(["a"], nothing=1)
