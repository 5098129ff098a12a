"""`bloomery bench`: which figures it prints, for every kind.  No test depends on a time."""

import json

from tool import KINDS, STATIC, ToolTest

CALLS = ("insert", "insert_batched", "absent", "absent_batched", "present", "present_batched",
         "mixed", "mixed_batched")
USER_KEYS = [("u64", 8), ("text", 8), ("text", 16), ("text", 32), ("text", 64)]
SMALL = ("--keys", "100", "--rounds", "1")


class Bench(ToolTest):
    def measured(self, *options):
        return json.loads(self.run_tool("bench", *SMALL, "--json", *options))

    def has_user_rows(self, kind, found):
        rows = found["end_to_end"]
        self.assertEqual([(row["key"], row["key_bytes"]) for row in rows], USER_KEYS, kind)
        for row in rows:
            self.assertGreater(row["bits_per_key"], 1, kind)
            self.assertLess(row["measured_fpr"], 0.05, kind)
            for call in CALLS:
                expected = not (call.startswith("insert") and kind in STATIC)
                for name in (f"{call}_ns", f"{call}_median_ns"):
                    self.assertEqual(name in row, expected, (kind, name))
                    if expected:
                        self.assertGreater(row[name], 0, (kind, name))

    def test_every_kind_with_a_users_keys(self):
        for kind in KINDS:
            found = self.measured("--end-to-end", "--kind", kind)
            self.assertEqual((found["kind"], found["keys"], found["fpr"]), (kind, 100, 0.01))
            self.assertTrue(found["kernel"])
            self.has_user_rows(kind, found)
            self.assertNotIn("absent_ns", found, "nothing else is measured")

    def test_beside_keys_hashed_before(self):
        found = self.measured()
        self.has_user_rows("block", found)
        for name in ("kind", "keys", "fpr", "bits_per_key", "measured_fpr", "kernel", "build_ns", "insert_ns",
                     "insert_batched_ns", "present_ns", "absent_ns", "present_batched_ns", "absent_batched_ns",
                     "floor_ns", "floor_batched_ns", "rmw_floor_ns", "rmw_floor_batched_ns"):
            self.assertIn(name, found)
        for when in ("start", "end"):
            self.assertGreaterEqual(found[f"load_average_at_{when}"], 0)

    def test_in_words(self):
        out = self.run_tool("bench", *SMALL).decode()
        self.assertIn("load average at the start: ", out)
        self.assertIn("load average at the end, this program included: ", out)
        users = out.index("| text, 16 bytes | ")
        self.assertLess(users, out.index("| 100 | absent, batched | "), "a user's calls come first")
        only = self.run_tool("bench", *SMALL, "--end-to-end", "--kind", STATIC[0]).decode()
        self.assertRegex(only, r"\n\| u64 \| [0-9.]+ \| [0-9.]+ % \| - \| - \| [0-9]")
        self.assertNotIn("floor", only)

    def test_refusals_are_those_of_other_measurements(self):
        for options in ((), ("--end-to-end",)):
            self.refuse("bench", "--kind", "?", *options, says=("unknown kind", "block"))
