"""Files to compare implementations on: drawn from spec/vectors, made anew with odd parts, and mutated."""
