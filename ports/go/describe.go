package bloomery

import (
	"fmt"
	"strings"
)

// Filters print as a short line, with fmt's %v, %s and %#v: kind, size, and what they were sized for. Nothing is counted, so printing
// is cheap whatever the size.

func describe(f Filter, bits uint64) string {
	var s strings.Builder
	shape := f.Shape()
	fmt.Fprintf(&s, "%s filter: ", f.Kind())
	if shape.Profile != 0 && shape.Profile != Split {
		fmt.Fprintf(&s, "%s, ", shape.Profile)
	}
	number := "hashes"
	if named := rowOf(f.Kind()).number; named != "" {
		number = named
	}
	fmt.Fprintf(&s, "%d bits, %d %s, %s", bits, f.Hashes(), number, f.Hasher())
	if n := f.Capacity(); n > 0 {
		fmt.Fprintf(&s, ", sized for %d keys", n)
	}
	if rowOf(f.Kind()).Forgets {
		s.WriteString(", forgets old keys")
	}
	if f.contents().damaged {
		s.WriteString(", damaged")
	}
	return s.String()
}

// String returns the name of the hash function and, where they are not the defaults, its seed and the source of keys. It never
// shows a secret.
func (h Hasher) String() string {
	s := h.ID().String()
	if seed := h.Seed(); seed != 0 {
		s += fmt.Sprintf(" seed %#x", seed)
	}
	if h.source != Bytes {
		s += " of " + h.source.String()
	}
	return s
}

// GoString is String: %#v shows no secret either.
func (h Hasher) GoString() string { return "bloomery.Hasher(" + h.String() + ")" }

// String returns a short description.
func (c *Container) String() string {
	what := c.Info.Kind.String()
	if c.Filter != nil {
		what = describe(c.Filter, c.Filter.Bits())
	}
	return fmt.Sprintf("container of a %s; %d of %d chunks damaged", what, c.Damaged, c.Info.Chunks())
}

// String returns a short description.
func (f *PortableBloom) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *PortableBloom) GoString() string {
	return "bloomery.PortableBloom(" + describe(f, f.Bits()) + ")"
}

// String returns a short description.
func (f *BlockBloom) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *BlockBloom) GoString() string { return "bloomery.BlockBloom(" + describe(f, f.Bits()) + ")" }

// String returns a short description.
func (f *SplitBlockBloom) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *SplitBlockBloom) GoString() string {
	return "bloomery.SplitBlockBloom(" + describe(f, f.Bits()) + ")"
}

// String returns a short description.
func (f *Bloom) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *Bloom) GoString() string { return "bloomery.Bloom(" + describe(f, f.Bits()) + ")" }

// String returns a short description.
func (f *PartitionedBloom) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *PartitionedBloom) GoString() string {
	return "bloomery.PartitionedBloom(" + describe(f, f.Bits()) + ")"
}

// String returns a short description.
func (f *AtomicPortable) String() string { return "atomic " + describe(&f.rule, f.rule.Bits()) }

// GoString returns a short description.
func (f *AtomicPortable) GoString() string { return "bloomery.AtomicPortable(" + f.String() + ")" }

// String returns a short description.
func (f *AtomicBlock) String() string { return "atomic " + describe(&f.rule, 8*f.SizeInBytes()) }

// GoString returns a short description.
func (f *AtomicBlock) GoString() string { return "bloomery.AtomicBlock(" + f.String() + ")" }

// String returns a short description.
func (f *AtomicPartitioned) String() string { return "atomic " + describe(&f.rule, f.rule.Bits()) }

// GoString returns a short description.
func (f *AtomicPartitioned) GoString() string {
	return "bloomery.AtomicPartitioned(" + f.String() + ")"
}
