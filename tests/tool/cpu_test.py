"""What `info --cpu` tells."""

import json
import os

from tool import ToolTest


class Cpu(ToolTest):
    def facts(self, isa=None):
        env = {k: v for k, v in os.environ.items() if k != "BLOOMERY_ISA"}
        if isa is not None:
            env["BLOOMERY_ISA"] = isa
        return json.loads(self.run_tool("info", "--cpu", "--json", env=env))

    def test_one_kernel_is_chosen_and_it_runs(self):
        facts = self.facts()
        names = [k["name"] for k in facts["kernels"]]
        self.assertEqual(names[0], "portable")
        chosen = [k for k in facts["kernels"] if k["chosen"]]
        self.assertEqual(len(chosen), 1)
        for kernel in chosen:
            self.assertTrue(kernel["compiled"] and kernel["runs"])
        self.assertEqual(list(facts["caches"]), ["l1", "l2", "l3"])
        self.assertIsNone(facts["bloomery_isa"])

    def test_the_variable_decides(self):
        facts = self.facts("portable")
        self.assertEqual([k["name"] for k in facts["kernels"] if k["chosen"]], ["portable"])
        self.assertEqual(facts["bloomery_isa"], "portable")

    def test_a_misspelt_name_is_told(self):
        self.facts("avx3")
        self.assertIn("avx3", self.err)

    def test_for_people(self):
        text = self.run_tool("info", "--cpu").decode()
        for word in ("portable", "runs here", "chosen", "l2 cache", "BLOOMERY_ISA"):
            self.assertIn(word, text)

    def test_usage(self):
        self.refuse("info", says=("FILTER", "--cpu", "--help"))
        self.refuse("info", "--cpu", "some.bloom", says=("--cpu", "--help"))
