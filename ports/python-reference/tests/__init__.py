"""What must hold: the vectors, the scripts, and laws that no vector can show."""

import os
import unittest

SPEC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "spec")

# make test runs the conformance kit on this port, too: what both would do, the kit does.
not_twice = unittest.skipIf(os.environ.get("BLOOMERY_CONFORMANCE_RUNS"), "the test conformance runs it")
