"""spec/conformance.md: vectors and scripts, by which an implementation shows that it keeps the contract."""
