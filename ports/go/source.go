package bloomery

import "bloomery/internal/fault"

// A Source is what keys are before they are hashed (spec/hash.md 6). A hasher has one, and a file records it, because a number
// that is looked up as another sort of key than it was inserted as is another key: a false negative without a warning.
type Source uint8

// The sources. Those from Int32 on are values that the caller has made bytes of, little-endian or big-endian (BE).
const (
	Bytes    Source = iota // byte strings, the default; text is its UTF-8
	Integers               // values modulo 2^64: HashUint64, InsertUint64, MayContainUint64
	Hashes                 // 64 uniform bits that the caller hashed: FromHash
	Int32
	Int32BE
	Int64BE
	Float32
	Float64
	UTF16

	AnySource Source = 255 // of ReadOptions only: what the file says, or bytes
)

var sourceNames = [...]string{"bytes", "integers", "hashes", "int32", "int32be", "int64be", "float32", "float64", "utf16"}

// String returns the name that files have for the source.
func (s Source) String() string {
	if int(s) < len(sourceNames) {
		return sourceNames[s]
	}
	return "unknown"
}

// ParseSource returns the source of a name.
func ParseSource(name string) (Source, bool) {
	for s, known := range sourceNames {
		if known == name {
			return Source(s), true
		}
	}
	return 0, false
}

// known refuses what is no source.
func (s Source) known() error {
	if int(s) >= len(sourceNames) {
		return fault.New(InvalidArgument, "no such source of keys")
	}
	return nil
}

// mustBeBytes panics where keys come as integers or hashes. It is one comparison, because every lookup makes it.
func (s Source) mustBeBytes() {
	if s-Integers <= Hashes-Integers {
		s.refuse(Bytes)
	}
}

func (s Source) mustBe(sort Source) {
	if s != sort {
		s.refuse(sort)
	}
}

// refuse ends a call that would hash a key of another sort than the filter was made for: it could only be denied.
func (s Source) refuse(sort Source) {
	how := map[Source]string{
		Bytes:    "hash them with a hasher of bytes, or make the filter of bytes",
		Integers: "make the filter with Hasher.Of(Integers), or the key with Hasher.Of(Integers).HashUint64",
		Hashes:   "make the filter with Hasher.Of(Hashes), or call InsertHash and MayContainHash",
	}
	panic("bloomery: the keys of this hasher are " + s.String() + ", not " + sort.String() + "; " + how[sort])
}

// sourceTag is of the note that says what keys are, in all kinds but foreign bytes.
const sourceTag = 0x8002

// A sourceNote is what a file says of its keys, and where.
type sourceNote struct {
	source Source
	at     uint64 // where the record begins; 0: there is none
}

// parseSourceNote reads the record. Bytes are said by saying nothing.
func parseSourceNote(name []byte, at uint64) (sourceNote, error) {
	s, ok := ParseSource(string(name))
	if !ok || s == Bytes {
		return sourceNote{}, fault.At(Unsupported, int(at), "a source of keys that is not known")
	}
	return sourceNote{s, at}, nil
}

// asked is the source of a file for a reader that looks up keys of a source: a file without a record has the source that the
// reader expects.
func (n sourceNote) asked(s Source) (Source, error) {
	switch {
	case n.at == 0 && s == AnySource:
		return Bytes, nil
	case n.at == 0:
		return s, nil
	case s != AnySource && s != n.source:
		return s, fault.At(Incompatible, int(n.at), "its keys are "+n.source.String()+", and "+s.String()+" were to be asked")
	}
	return n.source, nil
}

// withSource are the notes of a file whose keys have a source: those of the caller, with the record that is needed. Notes that
// were read may have it already; one that says something else is refused.
func withSource(notes []Note, s Source) ([]Note, error) {
	for _, n := range notes {
		if n.Tag != sourceTag {
			continue
		}
		if s == Bytes || string(n.Data) != s.String() {
			return nil, fault.New(InvalidArgument, "a note about the keys that contradicts the filter, whose keys are "+s.String())
		}
		return notes, nil
	}
	if s == Bytes {
		return notes, nil
	}
	return append([]Note{{sourceTag, []byte(s.String())}}, notes...), nil
}
