"""Small things that a new user meets: keys on the command line, refusals that say what to
do, numbers in one style, reports for programs."""

import gzip
import json
import os
import re
import shlex
import signal
import subprocess
import time

from tool import ERASABLE, KIND_ROWS, STATIC, ToolTest, lines

INSERTING = [k["name"] for k in KIND_ROWS if {"insert", "try_insert"} & set(k["can"])]
LISTING = [k["name"] for k in KIND_ROWS if "iterate" in k["can"]]


class KeysOnTheCommandLine(ToolTest):
    def test_insert_erase_and_query(self):
        for kind in ERASABLE:
            path = self.make("f", ["a"], "--kind", kind, "--capacity", "1000")
            self.run_tool("insert", path, "-k", "bob", "-k", "x y", "--key", "",
                          stdin=b"unread\n")
            self.assertIn("3 keys read, 3 new", self.err)
            out = self.run_tool("query", path, "-k", "bob", "-k", "", "-k", "x y",
                                stdin=b"a\n")
            self.assertEqual(out, b"bob\n\nx y\n")
            self.run_tool("erase", path, "-k", "bob", stdin=b"a\n")
            self.assertIn("1 key erased", self.err)
            self.run_tool("query", path, "bob", expect=1)
            self.run_tool("query", path, "a")
            self.run_tool("erase", path, "-k", "bob", expect=1)

    def test_they_come_before_those_of_files(self):
        path = self.make("f", ["a"], "--capacity", "1000")
        keys = self.write("keys", b"c\nd\n")
        self.run_tool("insert", path, "-k", "b", keys)
        self.assertIn("3 keys read", self.err)
        self.assertEqual(self.run_tool("query", path, stdin=b"b\nc\nd\ne\n"), b"b\nc\nd\n")
        out = self.run_tool("query", path, "a", "-k", "b", "-f", keys)
        self.assertEqual(out, b"a\nb\nc\nd\n")

    def test_they_are_spelled_as_keys_of_files_are(self):
        path = self.make("f", [1, 2], "--key-type", "u64", "--capacity", "100")
        self.run_tool("insert", path, "-k", "77")
        self.assertEqual(self.run_tool("query", path, stdin=b"77\n78\n"), b"77\n")
        self.refuse("insert", path, "-k", "7x", says=("key 1 of the command line", "7x"))
        self.run_tool("insert", self.make("g", ["a"], "--capacity", "9"), "--hex", "-k", "6263")
        self.assertEqual(self.run_tool("query", self.path("g"), "bc"), b"bc\n")

    def test_with_receipts_they_are_refused(self):
        path = self.make("f", ["a"], "--kind", ERASABLE[0])
        self.refuse("erase", path, "--receipts", "r", "-k", "a", says=("-k",))


class Refusals(ToolTest):
    def test_kinds_that_can_change_are_all_listed(self):
        for kind in STATIC:
            path = self.make("f", range(100), "--kind", kind)
            self.refuse("insert", path, "-k", "a", says=INSERTING)

    def test_list_says_which_kinds_can(self):
        path = self.make("f", range(100))
        self.refuse("list", path, says=("block", "cannot be listed", "--kind", *LISTING))
        self.assertNotIn("iterate", self.err)
        # What it advises works.
        self.make("g", range(100), "--kind", re.search(r"--kind (\w+)", self.err)[1])
        self.assertIn(b"\t1\n", self.run_tool("list", self.path("g")))

    def test_commas_suggest_csv(self):
        csv = self.write("k.csv", b"id,name\n1,bob\n")
        out = ("-o", self.path("f"))
        self.refuse("build", csv, "-F", "name", *out, says=("it has commas: --csv",))
        self.refuse("build", csv, "-F", "2", *out, says=("it has commas: --csv",))
        self.run_tool("build", csv, "--csv", "-F", "name", *out)
        self.assertEqual(self.run_tool("query", self.path("f"), "bob"), b"bob\n")
        self.refuse("build", csv, "--csv", "-F", "nome", *out)
        self.assertNotIn("has commas", self.err)

    def test_the_command_that_info_advises_for_cassandra_works(self):
        path = self.path("nb-1-big-Filter.db")
        self.run_tool("build", "--dialect", "cassandra", "--variant", "new", "-q", "-o", path,
                      stdin=lines(range(100)))
        out = self.run_tool("info", path, expect=2).decode()
        self.assertIn("--variant: new, old or ka", out)
        advised = shlex.split(re.search(r"to read it +bloomery (.*)", out)[1])
        self.assertIn(b"cassandra", self.run_tool(*advised))
        report = json.loads(self.run_tool("info", "--json", path, expect=2))
        self.assertEqual(report["candidates"][0]["options"],
                         "--dialect cassandra --variant new")


class Outputs(ToolTest):
    def test_keys_from_a_pipe_are_not_replaced(self):
        keys = self.write("k", lines(range(100)))
        with open(keys, "rb") as same:
            done = subprocess.run([os.environ["BLOOMERY"], "build", "-o", keys], stdin=same,
                                  capture_output=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"keys it is made from", done.stderr)
        for dialect in ("native", "portable", "leveldb"):
            self.refuse("build", "--dialect", dialect, "-o", keys, stdin=lines(range(100)),
                        says=("is no filter: it is text", "-o", "--force"))
        self.assertEqual(self.read("k"), lines(range(100)))
        self.run_tool("build", "--force", "-o", keys, stdin=lines(range(100)))
        self.run_tool("verify", keys)

    def test_compressed_keys_are_not_replaced(self):
        packed = self.write("k.gz", b"\x1f\x8b\x08" + bytes(20))
        self.refuse("build", "-o", packed, stdin=b"a\n", says=("gzip data", "--force"))

    def test_filters_and_empty_files_are_replaced(self):
        for dialect in ("native", "portable", "leveldb", "bits-and-blooms"):
            path = self.write("f", b"")
            for n in (10, 20):
                self.run_tool("build", "--dialect", dialect, "-o", path, stdin=lines(range(n)))
        for n in (10, 20):
            self.run_tool("build", "--dialect", "bits-and-blooms", "--variant", "json", "-o",
                          self.path("j"), stdin=lines(range(n)))

    def test_merge_does_not_replace_text(self):
        a, keys = self.make("a", range(9), "--capacity", "99"), self.write("k", b"a\nb\n")
        self.refuse("merge", a, a, "-o", keys, says=("is text", "--force"))
        self.run_tool("merge", a, a, "-o", keys, "--force")


class Reports(ToolTest):
    def test_version_has_a_short_name(self):
        self.assertEqual(self.run_tool("-V"), self.run_tool("--version"))

    def test_nothing_new_keeps_the_number_of_keys(self):
        for kind in ("block", "scalable"):
            path = self.make("f", range(1000), "--kind", kind)
            before = self.read("f")
            self.run_tool("insert", path, stdin=lines(range(500)))
            self.assertIn("500 keys read, 0 new", self.err)
            self.assertEqual(self.read("f"), before)
        path = self.make("g", range(1000))
        self.run_tool("insert", path, "-k", "7")
        self.assertEqual(json.loads(self.run_tool("info", "--json", path))["keys"], 1000)
        self.run_tool("insert", path, "-k", "new", "--force")
        self.assertIsNone(json.loads(self.run_tool("info", "--json", path))["keys"])

    def test_copies_are_inserted_though_no_key_is_new(self):
        for kind in ERASABLE:
            path = self.make("f", ["a"], "--kind", kind, "--capacity", "100")
            self.run_tool("insert", path, "-k", "a")
            self.run_tool("erase", path, "-k", "a")
            self.assertEqual(self.run_tool("query", path, "a"), b"a\n", kind)

    def test_numbers_have_one_style(self):
        keys = lines(range(20_000))
        self.run_tool("build", "--kind", "scalable", "-o", self.path("s"), stdin=keys)
        self.assertRegex(self.err, r"about \d\d,\d{3} keys")
        self.run_tool("build", "--fpr", "0.0009", "-o", self.path("b"), stdin=keys)
        self.assertRegex(self.err, r"\(1 in 1,1\d0\)")
        self.run_tool("build", "--fpr", "1e-6", "-o", self.path("b"), stdin=keys)
        self.assertRegex(self.err, r"\(1 in (1,0[0-9]0,000|99\d,000)\)")
        self.run_tool("merge", self.path("b"), self.path("b"), "-o", self.path("m"))
        self.assertRegex(self.err, r"about \d\d,\d{3} keys")


    def test_build_and_merge_in_json(self):
        """By the names of `info --json`, and with its values."""
        merging = [k["name"] for k in KIND_ROWS if "merge" in k["can"]]
        for kind in (*merging, *STATIC, *ERASABLE):
            made = {}
            for name in ("a", "b"):
                path = self.path(name)
                made[name] = json.loads(self.run_tool("build", "--kind", kind, "--capacity", "3000", "--json", "-o", path,
                                                      stdin=lines(range(1000))))
                self.assertEqual(made[name].pop("filter"), path)
                self.assertEqual(made[name], json.loads(self.run_tool("info", "--json", path)))
            if kind not in merging:
                continue
            union = json.loads(self.run_tool("merge", "--json", self.path("a"), self.path("b"), "-o", self.path("u")))
            self.assertEqual([union.pop(name) for name in ("filter", "filters", "doublings")], [self.path("u"), 2, 0])
            self.assertEqual(union, json.loads(self.run_tool("info", "--json", self.path("u"))))

    def test_json_of_other_forms(self):
        for dialect in ("portable", "guava", "leveldb"):
            form = ("--dialect", dialect)
            made = json.loads(self.run_tool("build", *form, "--json", "-o", self.path("f"), stdin=lines(range(1000))))
            info = json.loads(self.run_tool("info", *form, "--json", self.path("f")))
            # The file does not record what it was built for.
            self.assertEqual(made.keys() - {"filter"}, info.keys())
            known = {name: value for name, value in info.items() if value is not None}
            self.assertEqual({name: made[name] for name in known}, known)
            union = json.loads(self.run_tool("merge", *form, "--json", self.path("f"), self.path("f"), "-o",
                                             self.path("u")))
            self.assertEqual((union["dialect"], union["bits"]), (dialect, made["bits"]))
        for command in (("build",), ("merge", self.path("u"), self.path("u"))):
            self.refuse(*command, "--json", "-o", "-", stdin=b"a\n", says=("--json", "standard output"))

    def test_json_of_a_keyed_hash(self):
        secret = self.path("secret")
        with open(secret, "wb") as file:
            file.write(bytes(range(16)))
        made = json.loads(self.run_tool("build", "--hash", "siphash13", "--secret-file", secret, "--json", "-o",
                                        self.path("f"), stdin=lines(range(1000))))
        self.assertEqual((made["hash"], made["keys"]), ("siphash13", 1000))
        self.assertIsNotNone(made["realised_fpr"])


class BuildWithReceipts(ToolTest):
    def test_each_key_has_one(self):
        for kind in ERASABLE:
            keys = self.write("keys", lines([*range(500), *range(250)]))
            self.run_tool("build", keys, "--kind", kind, "--receipts", self.path("r"), "-o", self.path("f"))
            self.assertIn("750 keys read, 500 distinct", self.err)
            rows = self.read("r").decode().splitlines()
            self.assertEqual([row.split("\t")[1] for row in rows], [str(i) for i in range(500)])
            self.run_tool("verify", self.path("f"), "--keys", keys)
            self.run_tool("insert", "-q", self.path("f"), "-k", "more", "--force", "--receipts", self.path("r"))
            self.assertEqual(self.err, "")
            self.run_tool("erase", self.path("f"), "--receipts", self.path("r"))
            self.assertIn("501 keys erased, 0 not present", self.err)
            self.run_tool("query", "-c", self.path("f"), stdin=lines(range(500)), expect=1)
            self.run_tool("erase", self.path("f"), "--receipts", self.path("r"))
            self.assertIn("erased before: nothing is changed", self.err)
            os.remove(self.path("r"))

    def test_columns_types_and_capacity(self):
        for kind in ERASABLE:
            self.run_tool("build", "--kind", kind, "--csv", "-F", "id", "--key-type", "u64", "--capacity", "1000",
                          "--receipts", self.path("r"), "-o", self.path("f"), stdin=b'name,id\n"a,b",7\nc,8\n')
            self.assertEqual([row[49:] for row in self.read("r").decode().splitlines()], ['"a,b",7', "c,8"])
            self.assertEqual(self.run_tool("query", self.path("f"), "-k", "7", "-k", "9"), b"7\n")
            os.remove(self.path("r"))

    def test_what_is_refused(self):
        keys = self.write("keys", lines(range(100)))
        receipts, out = ("--receipts", self.path("r")), ("-o", self.path("f"))
        self.refuse("build", keys, *receipts, *out, says=("--receipts", *ERASABLE))
        self.refuse("build", keys, "--dialect", "guava", *receipts, *out, says=("--receipts",))
        kind = ("--kind", ERASABLE[0])
        self.refuse("build", keys, *kind, *receipts, "-o", "-", says=("--receipts",))
        self.refuse("build", keys, *kind, "--receipts", keys, *out, says=("--receipts",))
        self.refuse("build", keys, *kind, "--receipts", self.path("f"), *out, says=("receipts",))
        self.refuse("build", keys, *kind, *receipts, "--memory-limit", "8M", *out, says=("--memory-limit",))
        self.refuse("build", self.path("none"), *kind, *receipts, *out, says=("none",))
        self.assertEqual(sorted(os.listdir(self.folder)), ["keys"])
        self.run_tool("build", keys, *kind, *receipts, *out)
        before = self.read("r"), self.read("f")
        self.refuse("build", keys, *kind, *receipts, *out, says=("receipts of an earlier filter", "--receipts"))
        self.assertEqual((self.read("r"), self.read("f")), before)


class Progress(ToolTest):
    def seen_by_a_terminal(self, *args):
        read, write = os.openpty()
        done = subprocess.Popen([os.environ["BLOOMERY"], *args], stderr=write)
        os.close(write)
        # Quick work shows nothing: it is made to last.
        while done.poll() is None:
            time.sleep(0.05)
            done.send_signal(signal.SIGSTOP)
            time.sleep(0.2)
            done.send_signal(signal.SIGCONT)
        seen = b""
        try:
            while piece := os.read(read, 65536):
                seen += piece
        except OSError:  # the terminal is gone with its last writer
            pass
        os.close(read)
        self.assertEqual(done.wait(), 0)
        return seen

    def test_a_terminal_sees_the_time_that_is_left(self):
        keys = lines(range(3_000_000))
        plain = self.write("k", keys)
        seen = self.seen_by_a_terminal("build", "--kind", "cuckoo", "-o", self.path("f"), plain)
        self.assertRegex(seen, rb"\d+ % of [\d.]+ MiB, \d+ s left")

    def test_of_compressed_files_by_what_is_read(self):
        packed = self.write("k.gz", gzip.compress(lines(range(3_000_000)), 1))
        seen = self.seen_by_a_terminal("build", "--kind", "cuckoo", "-o", self.path("f"), packed)
        size = f"{os.path.getsize(packed) / 2**20:.1f} MiB".encode()
        self.assertRegex(seen, rb"\d+ % of " + re.escape(size) + rb", \d+ s left")
        shares = [int(n) for n in re.findall(rb"counting keys:.*?(\d+) % of", seen)]
        self.assertEqual(shares, sorted(shares))
        self.assertLessEqual(max(shares), 100)

    def test_quiet_shows_nothing(self):
        plain = self.write("k", lines(range(1_000_000)))
        self.assertEqual(self.seen_by_a_terminal("build", "-q", "-o", self.path("f"), plain), b"")
