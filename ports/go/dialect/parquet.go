package dialect

import (
	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

// salts are the multipliers of the split-block filter (spec/filters.md 2.1).
var salts = [8]uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31}

const splitBlock = 32

// A parquetSplit is one split-block filter of spec/dialects/parquet.md, with or without its header.
type parquetSplit struct {
	bitCells
	at      uint64 // where the header, if there is one, begins
	header  uint64 // its length
	cells   []byte
	variant string
}

func readParquet(b []byte, o Options) (parsed, error) {
	variant := o.Variant
	if variant == "" {
		variant = "header"
		if isParquetFile(b) {
			variant = "file"
		}
	}
	switch variant {
	case "file":
		return readParquetFile(b, o)
	case "header", "bitset":
		if variant == "bitset" {
			return readBitset(b)
		}
		f, err := readSplit(b, 0)
		if err != nil {
			return nil, err
		}
		if end := int(f.header) + len(f.cells); end != len(b) {
			return nil, fault.At(fault.Corrupt, end, "bytes after the bitset")
		}
		return f, nil
	}
	return nil, fault.New(fault.InvalidArgument, "parquet has the variants header, bitset and file")
}

func readBitset(b []byte) (*parquetSplit, error) {
	if len(b) == 0 || len(b)%splitBlock != 0 {
		return nil, fault.At(fault.Corrupt, len(b)/splitBlock*splitBlock, "not a positive number of whole blocks")
	}
	if len(b) > maxBitset {
		return nil, fault.At(fault.Corrupt, maxBitset, "a bitset larger than a header could say")
	}
	return &parquetSplit{cells: b, variant: "bitset"}, nil
}

const maxBitset = 1<<31 - splitBlock

// maxHeader bounds the header of a filter; those that are written have 15 to 19 bytes.
const maxHeader = 128

// readSplit reads a header and the bitset behind it; at is where b begins in the image. Bytes may follow.
func readSplit(b []byte, at int) (*parquetSplit, error) {
	t := thrift{b: b}
	if len(b) > maxHeader {
		t.b = b[:maxHeader]
	}
	size, sizeAt := int64(0), -1
	var there, known [5]bool
	id := int64(0)
	for kind := t.field(&id); kind != thriftStop; kind = t.field(&id) {
		switch {
		case id == 1 && kind == thriftI32:
			there[id], sizeAt = true, t.at
			size = t.integer()
		case id >= 2 && id <= 4 && kind == thriftStruct:
			there[id] = true
			known[id] = t.onlyMemberOne()
		default:
			t.skip(kind, true, 1)
		}
	}
	switch {
	case t.bad:
		return nil, fault.At(fault.Corrupt, at, "not the header of a filter")
	case !there[1] || !there[2] || !there[3] || !there[4]:
		return nil, fault.At(fault.Corrupt, at+t.at, "a field of the header is missing")
	case size <= 0 || size%splitBlock != 0:
		return nil, fault.At(fault.Corrupt, at+sizeAt, "the bitset's size is not a positive number of whole blocks")
	case size > int64(len(b)-t.at):
		return nil, fault.At(fault.Corrupt, at+len(b), "the bitset is cut short")
	case !known[2] || !known[3] || !known[4]:
		return nil, fault.At(fault.Unsupported, at, "another algorithm, hash or compression")
	}
	return &parquetSplit{at: uint64(at), header: uint64(t.at), cells: b[t.at : t.at+int(size)], variant: "header"}, nil
}

// onlyMemberOne reads a union and reports whether it has exactly member 1, whatever that holds.
func (t *thrift) onlyMemberOne() bool {
	id, ok, n := int64(0), false, 0
	for kind := t.field(&id); kind != thriftStop; kind = t.field(&id) {
		n++
		ok = id == 1
		t.skip(kind, true, 2)
	}
	return ok && n == 1
}

func (f *parquetSplit) Dialect() string { return "parquet" }
func (f *parquetSplit) Variant() string { return f.variant }
func (f *parquetSplit) Bits() uint64    { return 8 * uint64(len(f.cells)) }
func (f *parquetSplit) Hashes() uint32  { return uint32(len(salts)) }
func (f *parquetSplit) Parts() int      { return 1 }

func (f *parquetSplit) MayContain(key []byte) bool { return f.look(hash.XXH64(key, 0)) }

func (f *parquetSplit) look(h uint64) bool {
	at := (h >> 32) * uint64(len(f.cells)/splitBlock) >> 32 * splitBlock
	block := f.cells[at : at+splitBlock]
	hit := byte(1)
	for j := range salts {
		x := uint32(h) * salts[j]
		hit &= block[4*j+int(x>>30)] >> (x >> 27 & 7)
	}
	return hit&1 != 0
}

func (f *parquetSplit) layout() layout {
	bits := f.at + f.header
	return layout{form: []Span{{f.at, bits}}, cells: []Span{{bits, bits + uint64(len(f.cells))}}}
}
