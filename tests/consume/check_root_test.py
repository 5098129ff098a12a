"""The root of the tree: a stray file is found, with git and in an archive without it."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_root  # noqa: E402


class Root(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in check_root.ENTRIES - {".gitignore"}:
            (self.root / name).mkdir()
            (self.root / name / "file").write_text("")
        (self.root / ".gitignore").write_text("build/\n*.bloom\n")

    def git(self, *words):
        subprocess.run(["git", "-C", self.root, *words], check=True, stdout=subprocess.DEVNULL)

    def test_an_archive_has_the_list(self):
        (self.root / "build").mkdir()
        (self.root / "users.bloom").write_text("")
        self.assertEqual([], list(check_root.problems(self.root)))

    def test_a_stray_file_in_an_archive(self):
        (self.root / "k[0..39]").write_text("")
        found = list(check_root.problems(self.root))
        self.assertEqual(1, len(found))
        self.assertIn("k[0..39]: not an entry", found[0])

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_a_tracked_stray_file(self):
        (self.root / "block").write_text("")
        self.git("init", "-q")
        self.git("add", ".")
        self.assertEqual(["block"], [line.split(":")[0] for line in check_root.problems(self.root)])

    @unittest.skipUnless(shutil.which("git"), "there is no git")
    def test_an_untracked_file_is_the_users(self):
        self.git("init", "-q")
        self.git("add", ".")
        (self.root / "notes.txt").write_text("")
        self.assertEqual([], list(check_root.problems(self.root)))

    def test_a_lost_entry(self):
        (self.root / "LICENSE" / "file").unlink()
        (self.root / "LICENSE").rmdir()
        self.assertIn("LICENSE: in ENTRIES", next(check_root.problems(self.root)))
