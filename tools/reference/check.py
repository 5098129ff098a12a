#!/usr/bin/env python3
"""Fails where a class, concept or enumeration of the reference has no description.

  tools/reference/check.py XML     the folder that Doxygen wrote
"""
import pathlib
import sys
import xml.etree.ElementTree as xml


def described(node):
    return any("".join(node.find(name).itertext()).strip()
               for name in ("briefdescription", "detaileddescription"))


count, missing = 0, []
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.xml")):
    for compound in xml.parse(file).getroot().iter("compounddef"):
        name = compound.findtext("compoundname")
        found = []
        if compound.get("kind") in ("class", "struct", "union", "concept"):
            declared_only = compound.find("sectiondef") is None and compound.get("kind") != "concept"
            if compound.get("prot") == "private" or declared_only:
                continue
            found = [(compound.get("kind"), name, compound)]
        elif compound.get("kind") == "namespace":
            found = [(m.get("kind"), f"{name}::{m.findtext('name')}", m)
                     for m in compound.iter("memberdef") if m.get("kind") == "enum"]
        for kind, full_name, node in found:
            count += 1
            if not described(node):
                missing.append(f"{node.find('location').get('file')}: {kind} {full_name} "
                               "has no description")
print("\n".join(sorted(set(missing))) or
      f"reference: {count} classes, concepts and enumerations, all described")
sys.exit(bool(missing) or count < 50)
