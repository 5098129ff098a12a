"""The package: what is in it, its stubs, its tool, how long it takes to import."""

import ast
import pathlib
import re
import subprocess
import sys

import pytest

import bloomery

FOLDER = pathlib.Path(bloomery.__file__).parent


def run(*words, **options):
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, **options)


def test_every_name_is_there():
    assert all(hasattr(bloomery, name) for name in bloomery.__all__)
    assert sorted(bloomery.__all__) == bloomery.__all__
    assert (FOLDER / "py.typed").exists() and (FOLDER / "_core.pyi").exists()


def test_it_imports_nothing_of_others():
    said = run("-c", "import sys, bloomery; print(sorted({'numpy', 'pyarrow', 'typing_extensions', 'typing', 'inspect', 'uuid'} & set(sys.modules)))")
    assert said.stdout == "[]\n", said.stderr


# What mypy.stubtest cannot know: classes of nanobind have a metaclass, before Python 3.12 a buffer is no
# method, and __signature__ is for inspect.
NOT_KNOWN = ("metaclass differs", "__buffer__ is not present at runtime", "__signature__ is not present in stub")


def test_stubs_have_the_names_of_the_module(tmp_path):
    said = run("-m", "mypy.stubtest", "bloomery", "--concise", "--ignore-disjoint-bases", cwd=tmp_path)
    assert "bloomery._core" in said.stdout, said.stderr
    of_module = [line for line in said.stdout.splitlines() if line.startswith("bloomery._core")]
    wrong = [line for line in of_module if not any(known in line for known in NOT_KNOWN)]
    assert not wrong, said.stdout


def members(node, classes):
    """Functions of a class of the stubs, and of those it derives from."""
    found = {}
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes:
            found.update(members(classes[base.id], classes))
    found.update({f.name: f for f in node.body if isinstance(f, ast.FunctionDef)})
    return found


def stub_functions():
    """Name, what is behind it, and its stub; of functions and of methods."""
    tree = ast.parse((FOLDER / "_core.pyi").read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    behind = bloomery._core._behind
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, behind.get(node.name), node
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for name, method in members(node, classes).items():
                full = f"{node.name}.{name}"
                yield full, behind.get(full, vars(getattr(bloomery, node.name)).get(name)), method


def test_stubs_have_its_parameters():
    compared = 0
    for name, function, node in stub_functions():
        signatures = getattr(function, "__nb_signature__", None)
        if not signatures or node.name.startswith("__") and node.name not in ("__init__", "__exit__"):
            continue
        text = re.sub(r"\\\d+", "...", signatures[0][0])
        real = ast.parse(re.sub(r"-> .*", "-> None: ...", text)).body[0].args
        stub = node.args
        for part in ("posonlyargs", "args", "kwonlyargs"):
            assert [a.arg for a in getattr(real, part)] == [a.arg for a in getattr(stub, part)], name
        assert len(real.defaults) == len(stub.defaults), name
        assert (real.vararg and real.vararg.arg) == (stub.vararg and stub.vararg.arg), name
        assert (real.kwarg and real.kwarg.arg) == (stub.kwarg and stub.kwarg.arg), name
        compared += 1
    assert compared > 120, compared


USE = """
import uuid

import bloomery
import numpy as np
import pyarrow as pa

f = bloomery.Filter(1000, 0.01, kind="cuckoo", source="bytes")
f.add("x"); f.update(["a", b"b"]); f.update(np.array([b"x"])); f.update(pa.array(["a"]))
ok: bool = "x" in f
n: int = int(f.may_contain(["a"]).sum())
g: bloomery.Filter = f | f.copy()
g |= f
r: bloomery.Receipt = f.add_with_receipt("q")
f.erase(r)
size: int = bloomery.size(100)["size_in_bytes"]
b = bloomery.Builder(source="integers"); b.update([1, 2]); h = b.finish(kind="ribbon")
from bloomery.pybloom_live import BloomFilter
from bloomery.rbloom import Bloom
there: bool = BloomFilter(100).add("x")
bf = Bloom(100, 0.01)
bf |= Bloom(100, 0.01).union(["x"], bf)
opened = bloomery.load("x.bloom")
named: float = opened.realised_fpr() if isinstance(opened, bloomery.Filter) else 0
f.update([uuid.uuid4()])
m = bloomery.MappedFilter("x.bloom")
rate: float = m.realised_fpr()
try:
    bloomery.Filter.load("nope")
except bloomery.FileError as e:
    code: str = e.code
"""


TYPED = [word for name in ("_errors", "_open", "_signatures", "__main__", "rbloom", "pybloom_live") for word in ("-m", f"bloomery.{name}")]


def test_users_pass_mypy_strict(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "wrong.py").write_text("import bloomery\nbloomery.Filter('many')\nbloomery.Filter(10, kid='x')\n1.5 in bloomery.Filter(1)\n")
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n[mypy-pyarrow.*]\nignore_missing_imports = true\n")
    said = run("-m", "mypy", "-m", "use", *TYPED, cwd=tmp_path)
    assert said.returncode == 0, said.stdout + said.stderr
    said = run("-m", "mypy", "wrong.py", cwd=tmp_path)
    assert said.stdout.count("error:") >= 2, said.stdout + said.stderr


def test_the_tool(tmp_path):
    (tmp_path / "keys").write_text("alice\nbob\n")
    said = run("-m", "bloomery", "build", "keys", "-o", "f.bloom", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    f = bloomery.Filter.load(tmp_path / "f.bloom")
    assert "alice" in f and "carol" not in f
    f.add("carol")
    f.save(tmp_path / "f.bloom")
    said = run("-m", "bloomery", "query", "f.bloom", "carol", "dave", cwd=tmp_path)
    assert (said.returncode, said.stdout) == (0, "carol\n")
    said = run("-m", "bloomery", "query", "f.bloom", "dave", cwd=tmp_path)
    assert said.returncode == 1
    said = run("-m", "bloomery", "--help", cwd=tmp_path)
    assert "bloomery" in said.stdout


def test_a_package_without_the_tool_says_so(tmp_path, monkeypatch):
    main = FOLDER / "__main__.py"
    (tmp_path / "main.py").write_text(main.read_text())
    said = subprocess.run([sys.executable, str(tmp_path / "main.py")], capture_output=True, text=True, check=False)
    assert said.returncode == 1 and "without the tool" in said.stderr


def test_exceptions_can_be_pickled():
    import pickle

    with pytest.raises(bloomery.Error) as e:
        bloomery.Filter(0)
    again = pickle.loads(pickle.dumps(e.value))
    assert str(again) == str(e.value) and again.code == "invalid_argument"
