"""The native file: damage is reported, refused or answered "possibly present"."""

import base64
import json
import os
import random
import struct
import zlib

from tool import (ERASABLE, FORGETTING, GROWING, KINDS, RATED, STATIC, ToolTest, lines, payload,
                  remembering)

KEYS = [f"k{i}" for i in range(300)]
# A packed set of three block filters, of "ant", of "bee" and of "cat".
PACKED = zlib.decompress(base64.b85decode(
    b"c-rf9^6};6lHy`yXk=ml0!AJNCJrFY%zz4BoL^c!E7ENy11=x{p&mfFG7N-)zuuYzhEXsIM!_f;1*2dT"
    b"jDk@x3P!;w7zLwX6wn?hz*#H|3>;7<6S6o1Ba(6sWW5bIOhN`MPz(YNP_tNICb6KZZGbCd01YT8Kuu+W"
    b"i!os8L31M$lx8N<`=_|4-@Cbgl`a5XXAt2"))


class Container(ToolTest):
    def refuse_bytes(self, data, *says):
        path = self.write("bad.bloom", data)
        self.refuse("query", path, "x", says=("bad.bloom", *says))

    def whole(self, kind, keys=range(20)):
        self.make("whole", keys, "--kind", kind, *remembering(kind, len(keys)))
        return self.read("whole")

    def test_facts_and_notes(self):
        for kind in KINDS:
            path = self.make("f", KEYS + KEYS, "--kind", kind, "--fpr", "0.02",
                             *remembering(kind, 600))
            facts = json.loads(self.run_tool("info", "--json", path))
            self.assertEqual((facts["kind"], facts["dialect"], facts["version"]),
                             (kind, "native", 1))
            sentinels, keys = (0, None) if kind in ERASABLE else (8, 300)
            capacity = 300
            if kind in GROWING:  # nothing is counted
                keys, capacity = None, 1000
            if kind in FORGETTING:  # which keys are left at the end is not known
                sentinels, keys, capacity = 0, None, 6000
            self.assertEqual((facts["keys"], facts["asked_fpr"], facts["capacity"]),
                             (keys, 0.02, capacity))
            chunks = (facts["bytes"] + 4095) // 4096 if kind in FORGETTING else 1
            self.assertEqual((facts["intact"], facts["chunks"], facts["damaged_chunks"],
                              facts["sentinels"]), (True, chunks, 0, sentinels))
            if kind in ERASABLE + STATIC:  # keys beyond the capacity are refused
                continue
            path = self.make("f", KEYS, "--kind", kind, "--memory", "1K", "--capacity", "5")
            facts = json.loads(self.run_tool("info", "--json", path))
            self.assertEqual((facts["keys"], facts["asked_fpr"], facts["sentinels"]),
                             (None, 0.01 if kind in RATED else None, sentinels))

    def test_verify_reports_every_flip(self):
        rng = random.Random(1)
        for kind in KINDS:
            whole = self.whole(kind)
            tail = 128 + (len(payload(whole)) + 63) // 64 * 64
            for bit in rng.sample(range(8 * len(whole)), 50):
                flipped = bytearray(whole)
                flipped[bit // 8] ^= 1 << bit % 8
                path = self.write("bad", flipped)
                self.run_tool("verify", path, expect=1 if 128 <= bit // 8 < tail else 2)

    def test_truncations(self):
        for kind in KINDS:
            whole = self.whole(kind)
            for n in (*range(0, 128, 17), 127, 128, 129, len(whole) - 1):
                self.refuse_bytes(whole[:n], "" if n < 8 else "at byte")

    def test_trailing_bytes(self):
        for kind in KINDS:
            self.refuse_bytes(self.whole(kind) + b"x", "trailing")

    def test_every_command_refuses(self):
        bad = self.write("bad", self.whole("block")[:-3])
        for args in (("query", bad, "a"), ("info", bad), ("verify", bad),
                     ("merge", self.path("whole"), bad, "-o", self.path("m")),
                     ("merge", bad, self.path("whole"), "-o", self.path("m")),
                     ("convert", bad, "--to", "portable", "-o", self.path("m"))):
            self.refuse(*args, says=("truncated", "at byte"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["bad", "whole"])

    def test_the_wrong_dialect(self):
        self.whole("bloom")
        self.refuse("info", "--dialect", "portable", self.path("whole"),
                    says=("truncated", "--dialect"))
        self.build("portable", range(100))
        self.refuse("info", "--dialect", "native", self.path("portable"),
                    says=("not a container", "at byte 0"))
        self.refuse("info", "--hashes", "3", self.path("whole"), says=("--hashes",))
        self.refuse("info", "--part", "0", self.path("whole"), says=("--part",))

    def test_a_damaged_chunk_is_told_and_forgets_nothing(self):
        keys = [f"k{i}" for i in range(30000)]
        listed = self.write("keys", lines(keys))
        for kind in KINDS:
            whole = bytearray(self.whole(kind, keys))
            at = struct.unpack_from("<Q", whole, 72)[0]
            whole[at + 5000:at + 5064] = bytes(64)
            bad = self.write("bad", whole)
            said = f"1 of {(len(payload(whole)) + 4095) // 4096} chunks damaged"
            forgets = kind in FORGETTING  # a missing key would prove nothing
            among = () if forgets else ("--keys", listed)
            out = self.run_tool("verify", bad, *among, expect=1).decode()
            self.assertIn(f"{said}, first at byte {at + 4096}", out)
            self.assertEqual("30,000 of 30,000 keys found" in out, not forgets, kind)
            if forgets:
                self.refuse("verify", bad, "--keys", listed, says=(kind, "forgets"))
            self.assertEqual(self.run_tool("query", "-c", bad, stdin=lines(keys)),
                             b"30000\n")
            self.assertIn("damaged", self.err)
            facts = json.loads(self.run_tool("info", "--json", bad))
            self.assertIn(said, self.err)
            self.assertEqual((facts["intact"], facts["damaged_chunks"]), (False, 1))
            self.refuse("merge", bad, bad, "-o", self.path("m"), says=(said, "not merged"))
            found = json.loads(self.run_tool("verify", "--json", bad, expect=1))
            self.assertEqual((found["checksum"], found["damaged_chunks"],
                              found["verdict"]), (False, 1, False))

    def test_bits_of_another_filter_lack_the_sentinels(self):
        one = self.whole("block", [f"a{i}" for i in range(1000)])
        at, length = struct.unpack_from("<QQ", one, 72)
        two = self.whole("block", [f"b{i}" for i in range(1000)])
        # Bits, their count and checksums of the one; sentinels of the other.  Only the
        # library can seal such a file, so the sentinels are compared.
        tail = at + (length + 63) // 64 * 64
        self.assertNotEqual(one[tail:tail + 64], two[tail:tail + 64])
        self.assertEqual(one[tail:tail + 64],
                         b"".join(sorted((one[tail + 8 * i:tail + 8 * i + 8]
                                          for i in range(8)), key=lambda b: b[::-1])))

    def test_the_same_input_makes_the_same_bytes(self):
        for kind in KINDS:
            one = self.whole(kind, KEYS)
            # In any order, but where it decides which keys are forgotten first.
            again = KEYS if kind in FORGETTING else reversed(KEYS)
            self.make("again", again, "--kind", kind, *remembering(kind, len(KEYS)))
            self.assertEqual(self.read("again"), one)

    def test_secrets(self):
        raw = self.write("secret", bytes(range(16)))
        spelt = self.write("spelt", bytes(range(16)).hex().encode() + b"\n")
        other = self.write("other", b"x" * 16)
        listed = self.write("keys", lines(KEYS))
        for kind in ("block", "bloom"):
            keyed = ("--hash", "siphash13", "--secret-file")
            path = self.make("f", KEYS, "--kind", kind, *keyed, raw)
            self.make("g", KEYS, "--kind", kind, *keyed, spelt)
            self.assertEqual(self.read("f"), self.read("g"))
            self.assertNotIn(bytes(range(16)), self.read("f"))
            self.assertEqual(self.run_tool("query", "-c", "--secret-file", spelt, path,
                                           stdin=lines(KEYS)), b"300\n")
            self.run_tool("verify", path, "--secret-file", raw, "--keys", listed)
            facts = json.loads(self.run_tool("info", "--json", "--secret-file", raw, path))
            self.assertEqual((facts["hash"], facts["seed"]), ("siphash13", 0))
            self.run_tool("merge", path, path, "--secret-file", raw, "-o", self.path("m"))
            self.refuse("query", path, "a", says=("keyed", "--secret-file"))
            self.refuse("verify", path, "--keys", listed, says=("keyed", "--secret-file"))
            for args in (("query", path, "a"), ("info", path), ("verify", path)):
                self.refuse(*args, "--secret-file", other, says=("not the one", "other"))
        plain = self.make("plain", KEYS)
        self.refuse("info", plain, "--secret-file", raw, says=("takes no secret",))
        bad = self.write("short", b"12345")
        self.refuse("info", path, "--secret-file", bad, says=("16 bytes", "32 hex"))
        self.refuse("info", path, "--secret-file", self.path("no"), says=("No such file",))

    def test_checksums_need_no_secret(self):
        secret = self.write("secret", bytes(range(16)))
        for kind in ("block", "bloom"):
            path = self.make("f", KEYS, "--kind", kind, "--hash", "siphash13",
                             "--secret-file", secret)
            known = json.loads(self.run_tool("info", "--json", "--secret-file", secret, path))
            facts = json.loads(self.run_tool("info", "--json", path))
            self.assertIn("need its secret", self.err)
            self.assertIsNone(facts["realised_fpr"])
            for name in ("kind", "hash", "bits", "hashes", "bytes", "capacity", "keys",
                         "asked_fpr", "intact", "chunks", "sentinels"):
                self.assertEqual(facts[name], known[name], name)
            self.assertEqual(list(facts), list(known))
            out = self.run_tool("verify", path)
            self.assertIn(b"intact: 1 chunk, 8 sentinels noted", out)
            self.assertIn(b"cannot be queried", out)
            bad = bytearray(self.read("f"))
            bad[200] ^= 1
            out = self.run_tool("verify", self.write("bad", bad), expect=1)
            self.assertIn(b"1 of 1 chunks damaged", out)
            self.assertNotIn(b"possibly present", out)

    def wrapped(self, keys, *options):
        listed = self.write("keys", lines(keys))
        self.run_tool("build", "-q", "--dialect", "guava", "-o", self.path("bare"), listed)
        self.run_tool("convert", "-q", "--from", "guava", self.path("bare"), "-o",
                      self.path("safe"), *options)
        return self.path("safe"), listed

    def test_damage_to_the_form_of_a_wrapped_filter(self):
        path, listed = self.wrapped(range(10000))
        bad = bytearray(self.read("safe"))
        bad[struct.unpack_from("<Q", bad, 72)[0] + 1] ^= 1
        path = self.write("bad", bad)
        for keys in ((), ("--keys", listed)):
            out = self.run_tool("verify", path, *keys, expect=1).decode()
            self.assertIn("damaged", out)
            self.assertIn("cannot be queried", out)
            for untrue in ("possibly present", "keys found", "--dialect"):
                self.assertNotIn(untrue, out)
            self.assertEqual("no key was checked" in out, bool(keys))
            facts = json.loads(self.run_tool("verify", "--json", path, *keys, expect=1))
            self.assertEqual((facts["verdict"], facts["keys_checked"]), (False, None))
        self.refuse("query", path, "1", says=("damaged",))

    def test_sentinels_of_a_wrapped_filter_are_looked_for_among_keys(self):
        path, listed = self.wrapped(KEYS, "--keys", self.write("keys", lines(KEYS)))
        out = self.run_tool("verify", path, "--keys", listed)
        self.assertIn(b"8 of 8 sentinels are among them", out)
        self.assertEqual(self.err, "")
        other = self.write("other", b"nobody\n")
        self.run_tool("verify", path, "--keys", other, expect=1)
        self.assertIn("none of its sentinels is among these keys", self.err)
        facts = json.loads(self.run_tool("verify", "--json", path, "--keys", listed))
        self.assertEqual(facts["sentinels_among_keys"], 8)
        self.assertIn(b"0 sentinels noted", self.run_tool("verify", self.wrapped(KEYS)[0]))

    def test_advice_fits(self):
        bad = bytearray(self.whole("block"))
        bad[-1] ^= 1
        self.refuse("info", self.write("bad", bad), says=("corrupt at byte", "restore"))
        self.assertNotIn("--dialect", self.err)
        guava = self.write("guava", b"\x07\x01\0\0\0\x01" + bytes(8))
        self.refuse("info", "--dialect", "guava", guava, says=("unsupported at byte 0",))
        spark = self.write("spark", struct.pack(">iii", 9, 1, 1) + bytes(8))
        self.refuse("info", "--dialect", "spark", spark,
                    says=("at byte 0", "found 9", "known: 2"))

    def test_a_packed_set_answers_for_any_member_or_for_one(self):
        path = self.write("set", PACKED)
        facts = json.loads(self.run_tool("info", "--json", path))
        self.assertEqual((facts["kind"], facts["member_kind"], facts["members"],
                          facts["intact"]), ("packed", "block", 3, True))
        for name in ("keys_estimate", "fill", "design_fpr", "realised_fpr"):
            self.assertIsNone(facts[name])
        words = self.run_tool("info", path)
        self.assertIn(b"members        3\n", words)
        self.assertIn(b"keys_estimate  unknown\n", words)
        self.assertEqual(self.run_tool("query", path, "ant", "bee", "cat", "dog"),
                         b"ant\nbee\ncat\n")
        self.assertEqual(self.run_tool("query", path, "--part", "1", "ant", "bee"),
                         b"bee\n")
        self.run_tool("verify", path)
        self.refuse("query", path, "--part", "3", "ant", says=("--part 3", "3 members"))
        self.refuse("merge", path, path, "-o", self.path("m"), says=("packed",))
        self.refuse("insert", path, stdin=b"dog\n", says=("packed", "not changed"))
        self.refuse("convert", path, "--to", "portable", "-o", self.path("m"),
                    says=("packed",))
        bad = bytearray(PACKED)
        bad[4100] ^= 1
        path = self.write("bad", bad)
        self.run_tool("verify", path, expect=1)
        self.assertEqual(self.run_tool("query", path, "ant"), b"ant\n")

    def test_unknown_versions_kinds_and_flags_are_named(self):
        whole = self.whole("block")
        for at, value, says in ((8, b"\x02\x00", ("later version", "at byte 8", "found 2")),
                                (10, b"\x63", ("kind", "at byte 10", "found 99")),
                                (12, b"\x04\0\0\0", ("flag", "at byte 12", "found 4")),
                                (16, b"\x07", ("hash", "at byte 16", "found 7"))):
            changed = bytearray(whole)
            changed[at:at + len(value)] = value
            changed[124:128] = struct.pack("<I", crc32c(changed[:124]))
            self.refuse_bytes(changed, "unsupported", *says)


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff
