// A source for the target of the precompiled headers: it needs one.
