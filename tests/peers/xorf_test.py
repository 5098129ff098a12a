"""Files of the dialect fastfilter that the tool writes, read by xorf: every key is found,
and of the others exactly those that the tool finds too.

One of the full tests, because xorf takes 20 s to compile; skipped where it is neither on the
machine nor can be fetched."""

import os
import pathlib
import random
import subprocess
import tempfile
import unittest

here = pathlib.Path(__file__).resolve().parent
crate = here / "xorf"
built = pathlib.Path(os.environ["BLOOMERY_XORF_BUILD"])


def cargo(*args):
    # A copy: cargo writes its lock file beside the manifest.
    folder = built / "crate"
    (folder / "src").mkdir(parents=True, exist_ok=True)
    for name in ("Cargo.toml", "src/main.rs"):
        text = (crate / name).read_bytes()
        if not (folder / name).exists() or (folder / name).read_bytes() != text:
            (folder / name).write_bytes(text)
    environment = {**os.environ, "CARGO_TARGET_DIR": str(built / "target"), "CARGO_NET_RETRY": "1"}
    return subprocess.run(["cargo", *args], cwd=folder, env=environment, capture_output=True,
                          timeout=300)


def fetched():
    try:
        return any(cargo("fetch", "--quiet", *how).returncode == 0 for how in (["--offline"], []))
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return False


class ReadByXorf(unittest.TestCase):
    def setUp(self):
        if os.environ.get("BLOOMERY_TEST_FULL") != "1":
            raise unittest.SkipTest("xorf takes 20 s to compile; BLOOMERY_TEST_FULL=1 runs it")
        if not fetched():
            raise unittest.SkipTest("xorf is not on this machine and could not be fetched")
        done = cargo("build", "--quiet", "--offline", "--release")
        assert done.returncode == 0, done.stderr.decode()

    def ask(self, command, numbers):
        text = "".join(f"{n}\n" for n in numbers).encode()
        done = subprocess.run(command, input=text, capture_output=True)
        self.assertIn(done.returncode, (0, 1), done.stderr.decode())
        return [int(line) for line in done.stdout.split()]

    def test_every_variant_that_it_has(self):
        draw = random.Random(1)
        for variant in ("fuse8", "fuse16", "xor8", "xor16"):
            for count in (1, 2, 100, 20_000):
                keys = [draw.getrandbits(64) for _ in range(count)]
                others = [draw.getrandbits(64) for _ in range(50_000)]
                with self.subTest(variant=variant, keys=count), \
                        tempfile.TemporaryDirectory() as folder:
                    file = os.path.join(folder, "f.bin")
                    text = "".join(f"{n}\n" for n in keys).encode()
                    subprocess.run([os.environ["BLOOMERY"], "build", "--quiet", "--dialect",
                                    "fastfilter", "--variant", variant, "--key-type", "u64",
                                    "-o", file], input=text, check=True)
                    theirs = [str(built / "target/release/bloomery_xorf_reader"), file, variant]
                    ours = [os.environ["BLOOMERY"], "query", "--dialect", "fastfilter",
                            "--variant", variant, "--key-type", "u64", file]
                    self.assertEqual(self.ask(theirs, keys), keys)
                    self.assertEqual(self.ask(theirs, others), self.ask(ours, others))


if __name__ == "__main__":
    unittest.main()
