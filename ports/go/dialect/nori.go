package dialect

import (
	"encoding/binary"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

// readNori reads the four variants of spec/dialects/nori.md. Bytes with the mark of a table are a table; a quotient filter
// must be named.
func readNori(b []byte, o Options) (parsed, error) {
	variant := o.Variant
	if variant == "" && hasTableMark(b) {
		variant = "sstable"
	}
	switch variant {
	case "sstable":
		return readNoriTable(b, o)
	case "", "current", "old-mod":
		return readNoriBloom(b, 0, variant)
	case "quotient":
		return readQuotient(b, 0)
	}
	return nil, fault.New(fault.InvalidArgument, "nori has the variants current, old-mod, sstable and quotient")
}

const noriHeader = 12

// A noriBloom is a Bloom section, which begins at a place of the image.
type noriBloom struct {
	bitCells
	at      uint64
	k, m    uint64
	cells   []byte
	variant string
}

func readNoriBloom(b []byte, at int, variant string) (*noriBloom, error) {
	if len(b) < noriHeader {
		return nil, fault.At(fault.Corrupt, at+len(b), "shorter than the header of a Bloom section")
	}
	k, m := uint64(binary.LittleEndian.Uint32(b)), binary.LittleEndian.Uint64(b[4:])
	size, cells := m/8, b[noriHeader:]
	if m%8 != 0 {
		size++
	}
	power := m&(m-1) == 0
	switch {
	case k == 0 && m > 0:
		return nil, fault.At(fault.Corrupt, at, "no hashes")
	case variant == "current" && !power:
		return nil, fault.At(fault.Corrupt, at+4, "the bits are no power of two")
	case uint64(len(cells)) < size:
		return nil, fault.At(fault.Corrupt, at+len(b), "fewer bytes than the bits take")
	case uint64(len(cells)) > size:
		return nil, fault.At(fault.Corrupt, at+noriHeader+int(size), "bytes after the bits")
	}
	if variant == "" {
		if variant = "old-mod"; power {
			variant = "current"
		}
	}
	return &noriBloom{at: uint64(at), k: k, m: m, cells: cells, variant: variant}, nil
}

func (f *noriBloom) Dialect() string { return "nori" }
func (f *noriBloom) Variant() string { return f.variant }
func (f *noriBloom) Bits() uint64    { return f.m }
func (f *noriBloom) Hashes() uint32  { return uint32(f.k) }
func (f *noriBloom) Parts() int      { return 1 }

func (f *noriBloom) MayContain(key []byte) bool {
	if f.m == 0 {
		return false
	}
	return probe(f.cells, f.m, f.k, hash.XXH64(key, 0), hash.XXH64(key, 1))
}

func (f *noriBloom) layout() layout {
	bits := f.at + noriHeader
	return layout{form: []Span{{f.at, bits}}, cells: []Span{{bits, bits + uint64(len(f.cells))}}}
}
