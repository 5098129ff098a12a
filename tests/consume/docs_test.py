"""The checks of documents find what is wrong: facts, indexes, the age of figures, releases."""

import contextlib
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_docs  # noqa: E402
import check_words  # noqa: E402
import doc_facts  # noqa: E402
import figure_age  # noqa: E402
import readme_table  # noqa: E402
import release_check  # noqa: E402
import wait_idle  # noqa: E402

MEASURED = """<!-- end_to_end_v3: begin -->
<!-- end_to_end_v3: end -->
<!-- bench_report: begin -->
- CPU: Some CPU, 2 cores visible; L1d 48 KiB
- transparent huge pages: madvise; load average at the start: {load}

| keys | filter | bits/key | FPR | insert | insert, batched | absent | absent, batched |
|--:|:--|--:|--:|--:|--:|--:|--:|
| 10M | **block** | 10.10 | 0.995 % | 4.8 (1.8) | 2.9 (1.1) | 4.6 (1.8) | {ours} (1.1) |
| 10M | **block, v3 build** | 10.10 | 0.995 % | 4.6 (1.7) | - | 4.6 (1.8) | - |
| 10M | Boost fast_multiblock32 | 10.53 | 0.994 % | 4.0 (1.5) | 2.9 (1.1) | 3.7 (1.4) | {boost} (1.1) |

<!-- bench_report: end -->
"""

CALLS = "insert | insert, batched | absent | absent, batched | present | present, batched"
OF_USERS = """- CPU: Some CPU, 2 cores visible; L1d 48 KiB
- transparent huge pages: madvise; load average at the start: 0.31
- callers compiled for x86-64-v3; 7 rounds

| key | keys | filter | bits/key | """ + CALLS + """ |
|:--|--:|:--|--:|--:|--:|--:|--:|--:|--:|
""" + "".join(f"""| {key} | {keys} | **block** | 10.10 | 2.0 (2.5) | 1.1 (1.5) | {absent} (3.0) | 1.0 (1.1) | 2.0 (2.1) | 1.0 (1.1) |
| {key} | {keys} | Boost mb64 | 10.10 | 2.1 (2.5), 1.05x | 1.0 (1.5), 0.91x | 3.3 (3.6), 1.32x | 1.0 (1.1), 1.00x | 2.0 (2.1), 1.00x | 1.0 (1.1), 1.00x |
| {key} | {keys} | Boost mb32 | 10.53 | 1.5 (2.5), 0.75x | 1.0 (1.5), 0.91x | 2.9 (3.1), 1.16x | 1.2 (1.3), 1.20x | 2.0 (2.1), 1.00x | 1.0 (1.1), 1.00x |
""" for key in ("u64", "text, 8 bytes", "text, 16 bytes") for keys, absent in (("100k", "2.5"), ("1M", "2.5"), ("10M", "2.7"))) + """
Ours over Boost mb64, minima of 40 cells: geometric mean 0.90; 0 above 1.05, 0 above 1.10.

- load average at the end, this program included: 1.00
"""

KNOWN = {"kinds": "14", "kinds-erase": "`cuckoo`, `counting` and `quotient`"}


class ReadmeTable(unittest.TestCase):
    def row(self, title="10M keys: absent lookup in batches", ours="2.7", boost="2.8", load="0.2"):
        text = readme_table.table(MEASURED.format(ours=ours, boost=boost, load=load))
        return next(line for line in text.splitlines() if title in line), text

    def test_a_tie_is_not_bold(self):
        self.assertIn("| 2.7 | - | - | 2.8 |", self.row()[0])
        self.assertIn("| 2.7 | - | - | 3.0 |", self.row(boost="3.0")[0])

    def test_who_is_ahead_is_bold_whoever_it_is(self):
        self.assertIn("| **2.7** | - | - | 3.1 |", self.row(boost="3.1")[0])
        self.assertIn("| 2.7 | - | - | **2.4** |", self.row(boost="2.4")[0])

    def test_single_calls_are_those_of_the_v3_build(self):
        self.assertIn("| 4.6 | - | - | **4.0** |", self.row("10M keys: insert one by one")[0])

    def test_a_busy_machine_is_named(self):
        self.assertNotIn("Other programs", self.row()[1])
        self.assertIn("Other programs were running", self.row(load="3.05")[1])

    def test_a_readme_with_another_figure(self):
        text = MEASURED.format(ours="2.7", boost="2.8", load="0.2")
        readme = readme_table.filled("a\n<!-- bench: begin -->\n<!-- bench: end -->\nb", text)
        self.assertEqual(readme, readme_table.filled(readme, text))
        self.assertNotEqual(readme, readme_table.filled(readme.replace("| 2.7 |", "| 1.7 |"), text.replace("(1.1)", "")
                                                        .replace("2.7", "2.6")))
        with self.assertRaises(readme_table.Wrong):
            readme_table.filled("a", text)

    def test_a_document_without_its_table(self):
        with self.assertRaises(readme_table.Wrong):
            readme_table.table("nothing")

    def with_users(self, users=OF_USERS):
        text = MEASURED.format(ours="2.7", boost="2.8", load="0.2")
        return readme_table.table(text.replace("<!-- end_to_end_v3: begin -->\n", f"<!-- end_to_end_v3: begin -->\n{users}"))

    def test_the_calls_with_a_users_keys_come_first(self):
        lines = self.with_users().splitlines()
        self.assertEqual(lines[0], "| | `block_bloom` | Boost `fast_multiblock64` | Boost `fast_multiblock32` |")
        self.assertEqual(lines[2], "| bits per key | 10.1 | 10.1 | 10.5 |")
        rows = [line for line in lines if line.startswith(("| 1M ", "| 10M "))]
        self.assertEqual([row.split(" | ")[0] for row in rows[:16]],
                         [f"| {keys} {key}: {call}" for keys in ("1M", "10M")
                          for key in ("integers (u64)", "texts of 16 bytes")
                          for call in ("absent lookup one by one", "absent lookup in batches",
                                       "insert one by one", "insert in batches")])
        self.assertIn("load average at the start: 0.31", self.with_users())
        self.assertIn("10M keys: insert one by one", rows[-1] + rows[-2] + rows[-3])

    def test_a_peer_that_is_ahead_with_a_users_keys_is_shown_ahead(self):
        text = self.with_users()
        self.assertIn("| 1M integers (u64): absent lookup one by one | **2.5** | 3.3 | 2.9 |", text)
        self.assertIn("| 10M integers (u64): absent lookup one by one | 2.7 | 3.3 | 2.9 |", text)
        self.assertIn("| 1M texts of 16 bytes: insert one by one | 2.0 | 2.1 | **1.5** |", text)
        self.assertIn("| 1M integers (u64): insert in batches | 1.1 | 1.0 | 1.0 |", text)

    def test_figures_of_a_users_keys_that_are_not_all_there(self):
        self.assertNotIn("u64", self.with_users(""), "not measured yet")
        for other in (OF_USERS.replace("Boost mb32", "Boost"), OF_USERS.replace("| 10M |", "| 20M |"),
                      OF_USERS.replace("| key | keys |", "| keys |")):
            with self.assertRaises(readme_table.Wrong):
                self.with_users(other)


class WaitIdle(unittest.TestCase):
    def waited(self, *loads, minutes=10.0):
        """Exit status and what was said, on a machine with these loads, one after the other."""
        left = list(loads)
        now = iter(range(0, 10**6, 30))
        with mock.patch.multiple(wait_idle, os=mock.Mock(getloadavg=lambda: (left.pop(0) if left[1:] else left[0], 0, 0)),
                                 time=mock.Mock(monotonic=lambda: next(now))), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            return wait_idle.wait(minutes), said.getvalue()

    def test_an_idle_machine(self):
        self.assertEqual(self.waited(0.5), (0, ""))

    def test_a_load_that_goes(self):
        status, said = self.waited(1.04, 0.8, 0.51, 0.5)
        self.assertEqual(status, 0)
        self.assertIn("1.04: waiting", said)

    def test_a_load_that_stays(self):
        status, said = self.waited(3.05, minutes=1.0)
        self.assertEqual(status, 1)
        self.assertIn("still 3.05 after 1 minutes", said)


class Examples(unittest.TestCase):
    def test_one_that_is_not_its_file_is_found_and_written(self):
        path = check_docs.ROOT / "docs/cpp.md"
        file = "examples/kinds/bloom.cpp"
        true = check_docs.shown(f"<!--example: {file}-->\n```cpp\nint main();\n```\n")
        self.assertIn("#include <bloomery/bloom.hpp>", true)
        self.assertEqual([], list(check_docs.check_shown(path, true)))
        self.assertIn(f"is not {file} as it stands",
                      next(check_docs.check_shown(path, true.replace("1e-6", "1e-7"))))
        self.assertIn("no such file", next(check_docs.check_shown(path, true.replace("bloom.cpp", "blom.cpp"))))
        self.assertIn("without C++ after it", next(check_docs.check_shown(path, f"<!--example: {file}-->\n")))

    def test_a_kind_without_one_and_one_that_is_too_long_or_not_shown(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "long.cpp").write_text("\n" * 21)
            found = list(check_docs.check_short_examples(["bloom"], "", folder))
            self.assertEqual(3, len(found))
            self.assertIn("bloom.cpp: is missing", found[0])
            self.assertIn("long.cpp: 21 lines", found[1])
            self.assertIn("does not show", found[2])


class Facts(unittest.TestCase):
    def found(self, text, name="docs/x.md"):
        return list(doc_facts.problems(name, text, KNOWN))

    def test_true_ones_pass_also_over_a_line_break(self):
        text = "a <!--=kinds-->14<!--/--> b\n<!--=kinds-erase-->`cuckoo`, `counting`\nand `quotient`<!--/-->\n"
        self.assertEqual([], self.found(text))
        self.assertEqual(text, doc_facts.filled(text, KNOWN))

    def test_an_untrue_one_is_found_with_its_line_and_written(self):
        text = "\n\nTen: <!--=kinds-->10<!--/--> kinds"
        self.assertIn('docs/x.md:3: kinds: written "10", the tree has "14"', self.found(text)[0])
        self.assertEqual("\n\nTen: <!--=kinds-->14<!--/--> kinds", doc_facts.filled(text, KNOWN))

    def test_an_unknown_one(self):
        self.assertIn("no such fact: kindz", self.found("<!--=kindz-->14<!--/-->")[0])

    def test_one_that_does_not_end(self):
        self.assertIn("without its <!--/-->", self.found("<!--=kinds-->14")[0])

    def test_a_table_that_lacks_a_kind(self):
        every = " ".join(f"`{name}` `{doc_facts.type_of(name)}`" for name in doc_facts.groups()["all"])
        self.assertEqual([], self.found(every, "README.md"))
        self.assertEqual(["README.md: `window_bloom` is missing"],
                         self.found(every.replace("`window_bloom`", ""), "README.md"))

    def test_lists(self):
        self.assertEqual("`a`", doc_facts.listed(["a"]))
        self.assertEqual("`a`, `b` and `c`", doc_facts.listed("abc"))

    def test_the_tree_has_some(self):
        for fact in ("kinds", "dialects", "commands", "count-erase", "count-any-hash", "count-forget"):
            self.assertGreater(int(doc_facts.facts()[fact]), 0, fact)

    def test_a_tool_with_another_command(self):
        with tempfile.TemporaryDirectory() as folder:
            tool = pathlib.Path(folder) / "tool"
            kinds = ", ".join(doc_facts.groups()["all"])
            rows = json.dumps([{"name": "native", "variants": []}]
                              + [{"name": name, "variants": [{"name": form} for form in doc_facts.variants()]
                                  if name == "portable" else []} for name in doc_facts.formats()])
            commands = "\n".join(f"  {name}   text" for name in [*doc_facts.commands(), "frobnicate"])
            tool.write_text(f"#!/bin/sh\ncase $1 in\nformats) echo '{rows}';;\n"
                            f"build) echo 'unknown kind; there are: {kinds}';;\n"
                            f"*) echo 'Subcommands:\n{commands}';;\nesac\n")
            tool.chmod(0o755)
            found = list(doc_facts.problems_with(tool))
        self.assertEqual(1, len(found), found)
        self.assertIn("frobnicate", found[0])


class Words(unittest.TestCase):
    def found(self, text, patterns):
        any_of, each = patterns
        return [match[0] for pattern, _ in each for match in pattern.finditer(text)] if any_of.search(text) else []

    def test_phrases_are_found_over_a_line_break_and_in_either_case(self):
        self.assertEqual(["10 bits a\nkey"[3:], "Perhaps"],
                         self.found("10 bits a\nkey. Perhaps so.", check_words.PATTERNS))
        self.assertEqual([], self.found("10 bits per key, the bits a key sets.", check_words.PATTERNS))

    def test_sentences_begin_with_their_subject(self):
        self.assertEqual(["Of kinds", "Of two"],
                         self.found("It is. Of kinds that forget.\n\nOf two.", check_words.SENTENCE_PATTERNS))
        self.assertEqual([], self.found("It is. Of kinds.", check_words.PATTERNS))
        self.assertEqual([], self.found("one of two. Of is a function; Of(x).", check_words.SENTENCE_PATTERNS))

    def planted(self, files):
        """What is found in a tree of these files."""
        with tempfile.TemporaryDirectory() as folder:
            root, check_words.ROOT = check_words.ROOT, pathlib.Path(folder).resolve()
            self.addCleanup(setattr, check_words, "ROOT", root)
            for name in [*check_words.PLAIN, *check_words.SOURCES]:
                path = check_words.ROOT / name
                path.parent.mkdir(parents=True, exist_ok=True)
                if path.suffix:
                    path.write_text("")
                else:
                    path.mkdir(exist_ok=True)
                    (path / "empty.md").write_text("")
            for name, text in files.items():
                (check_words.ROOT / name).parent.mkdir(parents=True, exist_ok=True)
                (check_words.ROOT / name).write_text(text)
            return [" ".join(line.split(":")[:2]) for line in check_words.all_problems()]

    def test_comments_of_all_sources(self):
        bad = {"include/a.hpp": "// Of one generation.\n", "src/a.cpp": "int a;  // It is.  Of all.\n",
               "cli/a.cpp": "//\n// Of\n// lines.\n", "adapters/a.h": "/* Of a. */", "bench/a.py": '"""Of a."""',
               "fuzz/a.cpp": "// 3 ns a call\n", "examples/a.cpp": "// future kinds\n", "ports/a.rs": "/// Of a.\n",
               "tests/unit/a.cpp": "// Of a.\n", "tools/a.sh": "# Of a\n"}
        self.assertEqual(sorted(f"{name} {2 if name == 'cli/a.cpp' else 1}" for name in bad),
                         sorted(self.planted(bad)))

    def test_code_and_builds_are_not_text(self):
        self.assertEqual([], self.planted({"src/a.cpp": "auto Of = 1; f(Of + Of);  // one of a\n",
                                           "ports/rust/target/a.rs": "// Of a.\n", "spec/a.md": "It is. Of a.\n"}))

    def test_phrases_are_for_what_is_plain(self):
        self.assertEqual(["src/a.cpp 1"], self.planted({"src/a.cpp": "// perhaps\n", "tests/a.cpp": "// perhaps\n"}))


class Index(unittest.TestCase):
    def test_a_page_that_it_does_not_list(self):
        with tempfile.TemporaryDirectory() as folder:
            root, check_docs.ROOT = check_docs.ROOT, pathlib.Path(folder).resolve()
            self.addCleanup(setattr, check_docs, "ROOT", root)
            for name in ("a.md", "b.md"):
                (check_docs.ROOT / name).write_text("")
            (check_docs.ROOT / "README.md").write_text("[a](a.md)")
            self.assertEqual(["README.md: does not list b.md"],
                             list(check_docs.check_index("README.md", "*.md")))


def kept(commit, **coverage):
    return {"rows": {"kill": {"test": {"cases": 1, "failures": 0, "commit": commit},
                              "full": {"cases": 1, "failures": 0, "commit": commit}}},
            "coverage": {"commit": coverage.get("coverage", commit)}}


class Age(unittest.TestCase):
    def ages(self, kept_now, ages):
        return list(figure_age.warnings(kept_now, ages.get))

    def test_current_figures(self):
        self.assertEqual([], self.ages(kept("aa"), {"aa": 0}))

    def test_old_ones(self):
        found = self.ages(kept("aa", coverage="bb"), {"aa": 0, "bb": 104})
        self.assertEqual(["docs/reliability.md: coverage of bb: 104 commits to src or include since"], found)

    def test_ones_of_an_unknown_commit_and_of_changes(self):
        self.assertIn("not a commit", self.ages(kept("cc"), {})[0])
        self.assertIn("not committed", self.ages(kept("aa+"), {"aa": 0})[0])

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_only_commits_to_the_library_count(self):
        with tempfile.TemporaryDirectory() as folder:
            def git(*words):
                return subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b.invalid",
                                       *words], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
            git("init", "-q")
            git("commit", "-q", "--allow-empty", "-m", "first")
            first = git("rev-parse", "HEAD")
            for place in ("docs", "src", "include", "src"):
                path = pathlib.Path(folder) / place / "file"
                path.parent.mkdir(exist_ok=True)
                path.write_text(path.read_text() + "x" if path.exists() else "x")
                git("add", ".")
                git("commit", "-q", "-m", place)
            self.assertEqual(3, figure_age.commits_since(first, folder))
            self.assertIsNone(figure_age.commits_since("0" * 40, folder))


class Release(unittest.TestCase):
    def tree(self, changelog, version="1.2.3", load="0.31"):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        for name in release_check.VERSIONS:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(f'version = "{version}"\nports/go/v{version}\n')
        (root / "CMakeLists.txt").write_text("project(bloomery VERSION 1.2.3 LANGUAGES CXX\n")
        (root / "CHANGELOG.md").write_text(changelog)
        (root / "docs").mkdir()
        (root / "docs" / "performance.md").write_text(f"- load average at the start: {load}\n")
        return root

    def test_ready(self):
        root = self.tree("# Changelog\n\n## 1.2.3 - 2026-12-01\n")
        self.assertEqual([], [*release_check.of_versions(root), *release_check.of_loads(root)])

    def test_a_changelog_without_a_date(self):
        found = list(release_check.of_versions(self.tree("## Unreleased: 1.2.3\n")))
        self.assertEqual(1, len(found))
        self.assertIn("Unreleased", found[0])

    def test_versions_that_differ(self):
        found = list(release_check.of_versions(self.tree("## 1.2.3 - 2026-12-01\n", version="1.2.2")))
        self.assertEqual(len(release_check.VERSIONS) - 1, len(found))

    def test_times_of_a_busy_machine(self):
        for load in ("3.05", "unknown"):
            found = list(release_check.of_loads(self.tree("", load=load)))
            self.assertEqual(1, len(found), load)
            self.assertIn(f"docs/performance.md:1: measured at a load average of {load}", found[0])

    def test_figures(self):
        rows = {"kill": {"patterns": [1]}}
        self.assertEqual([], list(release_check.of_figures(kept("aa"), rows, {"aa": 0}.get)))
        without = kept("aa")
        del without["rows"]["kill"]["full"]
        self.assertEqual(["docs/reliability.md: row 'kill' has no run of make test-full"],
                         list(release_check.of_figures(without, rows, {"aa": 0}.get)))
        failed = kept("aa")
        failed["rows"]["kill"]["test"]["failed"] = ["dev:a_test"]
        self.assertIn("failed: kill: dev:a_test", list(release_check.of_figures(failed, rows, {"aa": 0}.get))[0])
