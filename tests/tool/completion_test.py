"""Shell completion: what is offered after each option.  bash is run; zsh and fish, if they are installed."""

import os
import re
import shlex
import shutil
import subprocess
import unittest

from tool import FORGETTING, KIND_ROWS, KINDS, ToolTest

PLACES = {"--secret-file": "files", "--output": "files", "--receipts": "files", "--filter": "files",
          "--temp-dir": "folders", "--fpr": "nothing", "--capacity": "nothing", "--save-every": "nothing"}


class Bash(ToolTest):
    def setUp(self):
        super().setUp()
        self.script = self.write("completion", self.run_tool("completion", "bash"))
        os.mkdir(self.path("here"))
        for name, text in (("here/keys.csv", b'id,"full name",mail\r\n1,2,3\r\n'), ("here/keys.tsv", b"a\tb\n"),
                           ("here/keys.txt", b"x;y z\n"), ("here/plain", b"alice\n")):
            self.write(name, text)
        os.mkdir(self.path("here/folder"))

    def complete(self, *words):
        program = (f"source {shlex.quote(self.script)}; COMP_WORDS=({shlex.join(words)}); "
                   f"COMP_CWORD={len(words) - 1}; _bloomery; "
                   '((${#COMPREPLY[@]} == 0)) || printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-u", "-c", program], capture_output=True, text=True, check=True,
                              cwd=self.path("here"))
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def test_kinds(self):
        self.assertEqual(sorted(self.complete("bloomery", "build", "--kind", "")), sorted([*KINDS, "static"]))
        self.assertEqual(self.complete("bloomery", "build", "--kind", "scal"), ["scalable"])
        self.assertEqual(self.complete("bloomery", "build", "--kind", "=", "scal"), ["scalable"])
        self.assertEqual(sorted(self.complete("bloomery", "bench", "--kind", "=")), sorted(KINDS))
        # What dedup offers, it takes.
        for kind in self.complete("bloomery", "dedup", "--kind", ""):
            self.run_tool("dedup", "--kind", kind, "--gap" if kind in FORGETTING else "--capacity", "10",
                          stdin=b"a\n")

    def test_options_of_kinds(self):
        asked = 0
        for kind in KIND_ROWS:
            listed = re.search(rf"^{kind['name']} .*\n +options: (.*)", self.run_tool("kinds").decode(), re.MULTILINE)
            for o, option in zip(kind.get("options", ()), listed[1].split() if listed else (), strict=True):
                if not o.get("choices"):
                    continue
                said = self.complete("bloomery", "build", option, "")
                self.assertLessEqual({str(c) for c in o["choices"]}, set(said), o)
                asked += 1
        self.assertGreater(asked, 3)

    def test_names(self):
        formats = [line.split()[0] for line in self.run_tool("formats").decode().splitlines() if line[:1].strip()]
        for command, option in (("build", "--dialect"), ("query", "--dialect"), ("convert", "--from"), ("convert", "--to")):
            said = self.complete("bloomery", command, option, "")
            self.assertIn("portable", said)
            self.assertLessEqual(set(said) - set(formats), set(), (command, option))
        self.assertEqual(self.complete("bloomery", "build", "--hash", ""), ["xxh3", "xxh64", "siphash13"])
        self.assertEqual(self.complete("bloomery", "query", "f", "--key-type", "u64"), ["u64", "u64be"])
        self.assertIn("old-mod", self.complete("bloomery", "convert", "--to-variant", ""))
        self.assertEqual(self.complete("bloomery", "build", "--encoding", "utf-16b"), ["utf-16be"])
        self.assertEqual(self.complete("bloomery", "help", "qu"), ["query"])
        self.assertEqual(self.complete("bloomery", "completion", ""), ["bash", "zsh", "fish"])

    def test_columns_of_a_file_on_the_line(self):
        for words, fields in ((("build", "keys.csv", "--csv", "-F", ""), ["id", "full name", "mail"]),
                              (("build", "--csv", "keys.csv", "--field", "fu"), ["full name"]),
                              (("query", "f", "-f", "keys.tsv", "-F", ""), ["a", "b"]),
                              (("dedup", "-d", ";", "keys.txt", "-F", ""), ["x", "y z"]),
                              (("dedup", "plain", "-F", ""), []), (("dedup", "-F", ""), [])):
            self.assertEqual(self.complete("bloomery", *words), fields, words)
        # What it offers, it takes.
        for field in self.complete("bloomery", "dedup", "keys.csv", "--csv", "-F", ""):
            self.run_tool("dedup", self.path("here/keys.csv"), "--csv", "-F", field)

    def test_a_filter_on_the_line_has_no_columns(self):
        self.make("here/f", ["a\tb"])
        self.assertEqual(self.complete("bloomery", "query", "f", "-F", ""), [])

    def test_files_folders_or_nothing(self):
        files = ["folder", "keys.csv", "keys.tsv", "keys.txt", "plain"]
        expected = {"files": files, "folders": ["folder"], "nothing": []}
        seen = set()
        for command in ("build", "insert", "dedup"):
            options = self.complete("bloomery", command, "-")
            for option in set(options) & set(PLACES):
                seen.add(option)
                self.assertEqual(sorted(self.complete("bloomery", command, option, "")), expected[PLACES[option]], option)
        self.assertEqual(seen, set(PLACES))
        self.assertEqual(sorted(self.complete("bloomery", "build", "")), files)
        self.assertEqual(sorted(self.complete("bloomery", "build", "--", "ke")), files[1:4])
        self.assertEqual(self.complete("bloomery", "insert", "f", "-k", "p"), [])

    def test_every_value_option_of_every_command_answers(self):
        for command in self.complete("bloomery", "")[:-3]:
            for option in self.complete("bloomery", command, "-"):
                self.complete("bloomery", command, option, "")


class Others(ToolTest):
    def test_the_same_values(self):
        for shell, pattern in (("zsh", r"'--kind\[[^']*\]:KIND:\(([^)]*)\)'"),
                               ("fish", r"from build' -l kind -x -a '([^']*)'")):
            text = self.run_tool("completion", shell).decode()
            self.assertEqual(sorted(re.search(pattern, text)[1].split()), sorted([*KINDS, "static"]), shell)
            self.assertIn("_bloomery_columns", text)
            for word in ("siphash13", "u64be", "portable", "half-line"):
                self.assertRegex(text, rf"[( ']{word}[) ']", shell)

    def test_the_shells_read_them(self):
        for shell, check in (("bash", ("-n",)), ("zsh", ("-n",)), ("fish", ("--no-execute",))):
            with self.subTest(shell):
                if shutil.which(shell) is None:
                    self.skipTest(f"no {shell} here")
                script = self.write("script", self.run_tool("completion", shell))
                done = subprocess.run([shell, *check, script], capture_output=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, b""))


if __name__ == "__main__":
    unittest.main()
