"""Bloomery's contract in plain Python, written from `spec/` alone: to be read, and to check other ports against.

Every module names the section of `spec/` that it follows. Nothing here is fast, and nothing needs to be.
"""
