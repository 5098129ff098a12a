"""Help, usage errors, completion and the manual page."""

import os
import shutil
import subprocess

from tool import PORTABLE, ToolTest

COMMANDS = ("build", "query", "info", "verify", "merge", "convert", "formats", "bench",
            "completion", "man", "help", "version")


class Shell(ToolTest):
    def test_help_has_examples(self):
        overview = self.run_tool("--help").decode()
        for command in COMMANDS:
            self.assertIn(command, overview)
            page = self.run_tool(command, "--help").decode()
            self.assertIn("Examples:", page, command)
        self.assertRegex(self.run_tool("--version").decode(), r"^\d+\.\d+\.\d+\n$")

    def test_usage_errors_end_with_2_on_one_line(self):
        for args in ((), ("nonsense",), ("build",), ("query",), ("info",),
                     ("build", "--nonsense", "-o", "x"),
                     ("build", "-o", "x", "--fpr", "many"),
                     ("build", "-o", "x", "--fpr", "0.1", "--memory", "1K"),
                     ("build", "-o", "x", "-0", "--hex"),
                     ("completion", "csh")):
            self.refuse(*args, says=("--help",))

    def test_help_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([os.environ["BLOOMERY"], "--help"], stdout=full,
                                  check=False)
        self.assertEqual(done.returncode, 2)

    def test_an_unknown_command_is_named(self):
        self.refuse("frob", says=("'frob'", "--help"))

    def test_help_and_version_as_commands(self):
        self.assertEqual(self.run_tool("help"), self.run_tool("--help"))
        for command in COMMANDS:
            self.assertEqual(self.run_tool("help", command),
                             self.run_tool(command, "--help"), command)
        self.assertEqual(self.run_tool("version"), self.run_tool("--version"))
        self.refuse("help", "qurey", says=("'qurey'", "did you mean 'query'?"))
        self.refuse("help", "frob", says=("'frob'",))

    def test_a_mistyped_name_gets_a_suggestion(self):
        for typed, meant in (("qurey", "query"), ("biuld", "build"), ("inof", "info"),
                             ("verfy", "verify"), ("Query", "query"), ("comp", "completion")):
            self.refuse(typed, says=(f"unknown command '{typed}'; did you mean '{meant}'?",
                                     "--help"))
        for typed, meant in (("--jsno", "--json"), ("--dilect=guava", "--dialect"),
                             ("--linenumber", "--line-number")):
            self.refuse("query", "f", typed, "k",
                        says=(f"unknown option '{typed.split('=')[0]}'",
                              f"did you mean '{meant}'?"))
        # The option that is missing because it was mistyped is not the reason.
        self.refuse("build", "--ouptut", "x", says=("did you mean '--output'?",))
        for typed in ("frobnicate", "x", "-y", "--"):
            self.refuse(typed)
            self.assertNotIn("did you mean", self.err)
        self.refuse("query", "f", "-y", says=("unknown option '-y'", "after --"))
        self.refuse("formats", "what", says=("unexpected argument 'what'",))

    def test_unknown_names_list_the_known(self):
        out = ("-o", self.path("x"))
        self.refuse("build", "--kind", "magic", *out, says=("magic", "block", "portable"))
        self.refuse("build", "--dialect", "klingon", *out, says=("klingon", "portable"))
        self.refuse("build", "--hash", "md5", *out, says=("md5", "xxh3"))
        self.refuse("build", *PORTABLE, "--hash", "md5", *out,
                    says=("md5", "fnv1a-splitmix"))
        self.refuse("info", "--dialect", "klingon", "f", says=("klingon", "portable"))

    def test_bash_completion_completes(self):
        script = self.write("completion", self.run_tool("completion", "bash"))

        def complete(*words):
            program = (f"source {script}; COMP_WORDS=({' '.join(words)}); "
                       f"COMP_CWORD={len(words) - 1}; _bloomery; "
                       'printf "%s\\n" "${COMPREPLY[@]}"')
            return subprocess.run(["bash", "-c", program], capture_output=True, text=True,
                                  check=True).stdout.split()

        self.assertEqual(complete("bloomery", "que"), ["query"])
        self.assertIn("--capacity", complete("bloomery", "build", "--c"))
        self.assertEqual(complete("bloomery", "info", "--js"), ["--json"])

    def test_every_shell_knows_every_command_and_option(self):
        for shell in ("bash", "zsh", "fish"):
            text = self.run_tool("completion", shell).decode()
            for word in (*COMMANDS, "bits-per-key", "invert-match"):
                self.assertIn(word, text, shell)

    def test_the_manual_page_is_clean_troff(self):
        page = self.run_tool("man")
        for word in (*COMMANDS, "bits"):
            self.assertIn(word.encode(), page)
        if shutil.which("groff") is None:
            self.skipTest("no groff here")
        done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z"], input=page,
                              capture_output=True, check=True)
        self.assertEqual(done.stderr, b"")

    def test_formats_for_people(self):
        text = self.run_tool("formats").decode()
        for word in ("native", "portable", "atomicbloom", "read write", "hash: xxh64"):
            self.assertIn(word, text)
