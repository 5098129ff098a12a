"""What must hold: the vectors, the scripts, and laws that no vector can show."""

import os

SPEC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "spec")
