#!/usr/bin/env python3
"""Waits until the load average of the last minute is low enough for figures that go into a document.

  tools/wait_idle.py [MINUTES]     10 at most, unless another number is given; then exit status 1

A measurement leaves a load of its own behind, which takes one to two minutes to go.
"""
import os
import sys
import time

QUIET = 0.5  # as in bench/kit/machine.hpp


def wait(minutes):
    end = time.monotonic() + 60 * minutes
    said = False
    while (load := os.getloadavg()[0]) > QUIET:
        if time.monotonic() > end:
            print(f"wait_idle: the load average is still {load:.2f} after {minutes:g} minutes, above {QUIET}: "
                  "other programs are running", file=sys.stderr)
            return 1
        if not said:
            print(f"wait_idle: the load average is {load:.2f}: waiting until it is {QUIET}", file=sys.stderr)
            said = True
        time.sleep(2)
    return 0


if __name__ == "__main__":
    sys.exit(wait(float(sys.argv[1]) if len(sys.argv) > 1 else 10))
