"""The table of kinds against spec/kinds.json, the calls that a kind lacks, and headers checked by the table."""

import dataclasses
import json
import os
import subprocess
import sys
import unittest
from types import SimpleNamespace
from unittest import mock

from bloomery_reference import container
from bloomery_reference.capabilities import REFUSALS
from bloomery_reference.conformance import script
from bloomery_reference.conformance.report import refusal_of
from bloomery_reference.container.header import pack
from bloomery_reference.container.layout import PARAMETERS, Header
from bloomery_reference.container.writer import assemble
from bloomery_reference.errors import CODES, Refusal
from bloomery_reference.hash import XXH3, XXH64, Hasher
from bloomery_reference.kinds import KINDS, PACKED, kind_named, kinds_of_one_filter

from . import SPEC, samples
from .fingerprints import FINGERPRINTS, Fingerprints


def facts(kind):
    """A row as spec/kinds.json writes it, without `can`."""
    return {
        "kind": kind.number,
        "name": kind.name,
        "hashes": list(kind.hashes),
        "seed": kind.seed,
        "profiles": [profile.number for profile in kind.profiles] or [0],
        "k": kind.k if isinstance(kind.k, str) else list(kind.k),
        "units": kind.units.name,
        **{name: f"{most:x}" for name, most in kind.units.limit.items()},
        "payload": kind.payload.name,
        "parameters": [parameter.name for parameter in kind.parameters],
        "damage": kind.damage,
        "sentinels": kind.sentinels,
        "keys": kind.keys,
        **({"forgets": True} if kind.forgets else {}),
    }


class TestTable(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(SPEC, "kinds.json"), encoding="utf-8") as file:
            self.rows = {row["kind"]: row for row in json.load(file)["kinds"]}

    def test_every_row_is_that_of_the_specification(self):
        self.assertEqual(set(KINDS), set(self.rows))
        for number, kind in KINDS.items():
            row = dict(self.rows[number])
            wanted_calls = row.pop("can")
            self.assertEqual([parameter.size for parameter in kind.parameters], row.get("parameter_bytes", []))
            ours = facts(kind)  # members that are not known here are for others
            self.assertEqual(ours, {name: value for name, value in row.items() if name in ours})
            self.assertLessEqual(set(kind.can), set(wanted_calls), kind.name)

    def test_the_tables_of_all_ports_are_made_from_it(self):
        """tools/kind_tables.py writes them; it is run again after every change of kinds.json."""
        program = os.path.join(SPEC, os.pardir, "tools", "kind_tables.py")
        if not os.path.exists(program):
            self.skipTest("the tools are not beside this package")
        done = subprocess.run([sys.executable, program, "--check"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_every_call_of_the_specification_is_known(self):
        for row in self.rows.values():
            self.assertLessEqual(set(row["can"]), set(REFUSALS))

    def test_the_calls_of_the_bloom_kinds_are_all_there(self):
        for name in ("portable", "block", "split-block", "bloom"):
            kind = kind_named(name)
            self.assertEqual(set(kind.can), set(self.rows[kind.number]["can"]), name)

    def test_limits_are_those_of_the_filters(self):
        """The most that the table allows is also the most that a filter can be made with."""
        for kind in kinds_of_one_filter():
            for name, most in kind.units.limit.items():
                if name == "max_units" and samples.shapes_of(kind):
                    numbers = [most + 1, *samples.SMALL[kind.name][0][0][1:]]
                    self.assertEqual(refusal_of(lambda: kind.filter.make(Hasher(), *numbers)), ("too_large", None))

    def test_a_packed_set_has_what_its_members_may_have(self):
        self.assertLessEqual(set(PACKED.profiles), {profile for member in PACKED.members for profile in member.profiles})
        self.assertLessEqual({hash for member in PACKED.members for hash in member.hashes}, set(PACKED.hashes))


ARGUMENTS = {"insert": 1, "try_insert": 1, "insert_if_absent": 1, "erase": 1, "count": 1, "merge": 1, "fold": 1,
             "intersect": 1, "iterate": 0, "build": 1, "rotate": 0, "grow": 0, "forgetting": 1, "publish": 0}


class TestCallsThatAKindLacks(unittest.TestCase):
    def filters(self):
        for sample in samples.containers():
            yield sample.kind, container.read(sample.data, sample.secret).filter

    def test_they_are_unsupported_and_name_the_kinds_that_have_them(self):
        for kind, filter in self.filters():
            for call, refusal in REFUSALS.items():
                if call in kind.can:
                    continue
                with self.subTest(kind.name, call=call):
                    with self.assertRaises(Refusal) as caught:
                        getattr(filter, refusal.__name__)(*[0] * ARGUMENTS[call])
                    self.assertEqual(caught.exception.code, "unsupported")
                    having = [other.name for other in KINDS.values() if call in other.can]
                    self.assertEqual(caught.exception.what, f"{kind.name} filters have no {call}; kinds that have it: "
                                                            f"{', '.join(having) or 'none'}")

    def test_a_key_is_refused_as_its_hash_is(self):
        filter = samples.empty(kind_named("bloom"))
        for call in (filter.try_insert, filter.erase, filter.count):
            self.assertEqual(refusal_of(lambda: call(b"k0")), ("unsupported", None))
        self.assertEqual(refusal_of(lambda: container.read(samples.packed().data).filter.insert_hash(0)),
                         ("unsupported", None))

    def test_a_script_prints_the_code(self):
        trace = list(script.run("make f bloom bits=96 hashes=7\nfold f 2\n"))
        self.assertEqual(trace, ["1 ok bits=96 hashes=7", "2 error unsupported"])


class TestFingerprints(unittest.TestCase):
    """Codes of kinds that fill up and erase; a refused key has changed nothing."""

    def setUp(self):
        self.enterContext(mock.patch.dict(KINDS, {FINGERPRINTS.number: FINGERPRINTS}))

    def test_what_it_can(self):
        self.assertEqual(FINGERPRINTS.can, ("try_insert", "erase", "count", "iterate"))
        self.assertIn("kinds that have it: fingerprints", self.message_of(samples.empty(kind_named("bloom")).erase_hash))
        self.assertIn("fingerprints filters have no insert; kinds that have it: portable, block",
                      self.message_of(Fingerprints(8, 1).insert_hash))

    def message_of(self, call):
        with self.assertRaises(Refusal) as caught:
            call(0)
        return caught.exception.what

    def test_full_and_too_many_copies(self):
        filter = Fingerprints(2, 1)
        one = next(h for h in range(0, 2**64, 2**60 + 1) if len(filter.places(h)) == 2)
        filter.try_insert_hash(one)
        self.assertEqual(filter.count_hash(one), 1)
        filter.try_insert_hash(one)
        self.assertEqual(filter.count_hash(one), 2)
        before = filter.payload()
        self.assertEqual(refusal_of(lambda: filter.try_insert_hash(one)), ("too_many_copies", None))
        self.assertEqual(refusal_of(lambda: filter.try_insert_hash(one + 1)), ("full", None))
        self.assertEqual(filter.payload(), before)
        self.assertEqual(list(filter.iterate()), [filter.fingerprint(one)] * 2)

    def test_not_present(self):
        filter = samples.filled(Fingerprints(40, 3))
        before = filter.payload()
        self.assertEqual(refusal_of(lambda: filter.erase(b"x0")), ("not_present", None))
        self.assertEqual(filter.payload(), before)
        filter.erase(b"k0")
        self.assertFalse(filter.may_contain(b"k0"))

    def test_codes_are_those_of_the_page(self):
        with open(os.path.join(SPEC, "conformance.md"), encoding="utf-8") as file:
            table = file.read().split("| code | meaning |")[1].split("\n\n")[0]
        codes = [line.split("`")[1] for line in table.splitlines() if "`" in line]
        self.assertEqual(codes, list(CODES))


class TestHeaders(unittest.TestCase):
    """spec/container.md, section 8, as far as a kind decides it."""

    def setUp(self):
        self.enterContext(mock.patch.dict(KINDS, {FINGERPRINTS.number: FINGERPRINTS}))

    def test_the_parameter_comes_back(self):
        for width in (1, 2, 3):
            filter = samples.filled(Fingerprints(40, width))
            data = samples.own_container(filter)
            self.assertEqual(data[PARAMETERS:124], bytes([width]) + bytes(23))
            read = container.read(data)
            self.assertEqual(read.filter.width, width)
            self.assertEqual(samples.own_container(read.filter), data)

    def test_refusals_come_in_the_order_of_the_table(self):
        """All defects at once; the one that was refused is mended, and then the next is."""
        file = SimpleNamespace(
            header=Header(FINGERPRINTS.number, profile=1, hashes=3, units=0, ones=321, parameters=bytes([9, 1])),
            hasher=Hasher(XXH3, seed=9), keys=5, sentinels=(1,))

        def mend(**fields):
            return lambda: file.__dict__.update(fields)

        def mend_header(**fields):
            return lambda: file.header.__dict__.update(fields)

        steps = ((100, mend_header(parameters=bytes([9]))), (88, mend_header(ones=0)), (18, mend(sentinels=())),
                 (64, mend(keys=0)), (16, mend(hasher=Hasher(XXH64, seed=9))), (32, mend(hasher=Hasher(XXH64))),
                 (11, mend_header(profile=0)), (20, mend_header(hashes=2)), (24, mend_header(units=40)),
                 (100, mend_header(parameters=bytes([2]))), (80, mend_header(units=20)))
        kind = dataclasses.replace(FINGERPRINTS, hashes=(XXH64,), seed=False)
        with mock.patch.dict(KINDS, {kind.number: kind}):
            for offset, mend_it in steps:
                self.assertEqual(refusal_of(lambda: container.inspect(self.assembled(file))), ("corrupt", offset))
                mend_it()
            container.read(self.assembled(file))

    def assembled(self, file):
        """With a payload of 40 bytes, all zero."""
        return assemble(file.header, file.hasher, bytes(40), 0.0, 0, file.keys, file.sentinels, ())

    def test_kinds_without_parameters_have_none(self):
        for sample in samples.containers():
            used = sample.kind.parameters_length()
            for at in range(used, 24):
                header = container.inspect(sample.data)
                header.parameters = header.parameters[:at] + b"\1" + header.parameters[at + 1:]
                bad = pack(header) + sample.data[128:]
                self.assertEqual(refusal_of(lambda: container.read(bad, sample.secret)), ("corrupt", 100), sample.name)
                header.flags = 1 << 16
                accepted = container.read(pack(header) + sample.data[128:], sample.secret)
                self.assertTrue(all(sample.answers(accepted)), sample.name)

    def test_a_later_kind_is_refused_by_its_number(self):
        """Whatever its parameters and notes are."""
        data = assemble(Header(77, hashes=9, parameters=bytes(range(24))), Hasher(), bytes(40), 0.5, 1, 1, (1,),
                        ((0x8002, b"a note that must be understood"),))
        with mock.patch.dict(KINDS):
            del KINDS[77]
            self.assertEqual(refusal_of(lambda: container.inspect(data)), ("unsupported", 10))
            self.assertEqual(refusal_of(lambda: container.read(data)), ("unsupported", 10))

    def test_sentinels_and_keys_of_a_kind_that_carries_none_are_not_written(self):
        filter = samples.filled(Fingerprints(40, 1))
        self.assertEqual(refusal_of(lambda: container.write(filter, keys=10)), ("invalid_argument", None))
        self.assertEqual(refusal_of(lambda: container.write(filter, sentinels=(1,))), ("invalid_argument", None))


if __name__ == "__main__":
    unittest.main()
