"""Absurd sizes: one line with what was asked, what it needs and what would work."""

import os
import re

from tool import FORGETTING, GROWING, KINDS, STATIC, ToolTest, lines


class Sizes(ToolTest):
    def refuse_size(self, *options, says=(), keys=b"a\n"):
        for kind in KINDS:
            said = any(o.startswith("--capacity") for o in options)
            gap = ("--gap", "1") if kind in FORGETTING and not said else ()
            self.refuse("build", "--kind", kind, *gap, *options, "-o", self.path("x"),
                        stdin=keys, says=says)
            self.assertFalse(self.exists("x"))

    def test_more_keys_than_any_memory_holds(self):
        for force in ((), ("--force",)):
            self.refuse_size("--capacity", str(2**61), *force,
                             says=("2,305,843,009,213,693,952 keys", "EiB", "keys fit"))

    def test_the_keys_said_to_fit_do_not_depend_on_how_many_were_asked(self):
        # Building them would take most of this machine, so that they fit is not tried.
        for kind in ("block", "split-block", "bloom"):
            self.refuse("build", "--kind", kind, "--capacity", str(2**60),
                        "-o", self.path("x"), stdin=b"a\n")
            fit = int(re.search(r"about ([\d,]+) keys fit", self.err)[1].replace(",", ""))
            self.assertGreater(fit, 10**6)
            self.refuse("build", "--kind", kind, "--capacity", str(10 * fit),
                        "-o", self.path("x"), stdin=b"a\n", says=(f"{fit:,} keys",))

    def test_a_rate_for_so_many_keys_is_computed(self):
        self.refuse("build", "--kind", "split-block", "--capacity", "2000000000",
                    "-o", self.path("x"), stdin=b"a\n",
                    says=("GiB", "--fpr 0.", "this many keys"))

    def test_rates_that_are_none(self):
        for bad in ("0", "1", "-0.5", "nan", "inf", "2"):
            self.refuse_size(f"--fpr={bad}", says=("--fpr", bad, "try --fpr"))

    def test_a_rate_below_what_keys_can_have(self):
        for kind in ("block", "split-block", "bloom"):
            self.refuse("build", "--kind", kind, "--fpr", "1e-30", "-o", self.path("x"),
                        stdin=lines(range(1000)), says=("1,000 keys", "1e-30", kind))
            nearest = re.search(r"; --fpr (\S+) fits", self.err)[1]
            self.make("near", range(1000), "--kind", kind, "--fpr", nearest)

    def test_memory(self):
        self.refuse_size("--memory", "4000T", says=("--memory 3.9 PiB", "would fit"))
        self.refuse_size("--memory", "9999999999G", says=("this machine has",))
        for kind in ("block", "split-block"):
            self.refuse("build", "--kind", kind, "--memory", "31", "-o", self.path("x"),
                        stdin=b"a\n", says=("32 bytes", "--memory 32"))
            self.make("least", ["a"], "--kind", kind, "--memory", "32")
        self.refuse("build", "--profile", "line", "--memory", "63", "-o", self.path("x"),
                    stdin=b"a\n", says=("--memory 64",))

    def test_a_rate_that_so_little_memory_cannot_have(self):
        """What is advised is what was asked, and helps."""
        for option, little, enough in (("--memory", "1", "100"), ("--bits-per-key", "1", "100")):
            build = ("build", "--kind", "stable", "--gap", "3", "-o", self.path("x"), option)
            self.refuse(*build, little, stdin=b"a\n", says=("--fpr 0.01", option))
            for other in {"--memory", "--bits-per-key"} - {option}:
                self.assertNotIn(other, self.err)
            self.run_tool(*build, enough, stdin=b"a\n")

    def test_memory_that_the_keys_do_not_fit(self):
        for option, little in (("--memory", "100"), ("--bits-per-key", "2")):
            self.refuse("build", "--kind", "cuckoo", option, little, "-o", self.path("x"), stdin=lines(range(1000)),
                        says=(f"{option} {little}: 1,000 keys do not fit a cuckoo filter",))
            enough = re.search(rf"; {option} (\S+) holds them", self.err)[1]
            self.make("x", range(1000), "--kind", "cuckoo", option, enough)
            os.remove(self.path("x"))

    def test_bits_per_key(self):
        for bad in ("0", "-1", "nan", "inf"):
            self.refuse_size(f"--bits-per-key={bad}", says=("--bits-per-key", bad, "10"))
        self.refuse_size("--bits-per-key", "1e300",
                         says=("1e+300", "bytes", "this many keys"))
        self.make("tiny", range(1000), "--bits-per-key", "0.001")
        self.assertIn("hardly a filter", self.err)

    def test_capacity(self):
        for bad in ("0", "-3", "many", str(2**64), "0x10", "1e-3"):
            self.refuse_size(f"--capacity={bad}", says=("--capacity",))

    def test_more_keys_than_planned_is_told(self):
        for kind in KINDS:
            full = kind in ("cuckoo", "quotient", *STATIC)  # others take more keys, at a higher rate
            self.make("x", range(3000), "--kind", kind, "--capacity", "1000", expect=2 if full else 0)
            if kind in GROWING + FORGETTING:  # keeps its rate
                self.assertEqual(self.err, "")
                continue
            self.assertIn("raise --capacity", self.err)
