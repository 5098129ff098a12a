package dialect

import (
	"encoding/binary"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

const (
	parquetMark      = "PAR1"
	parquetEncrypted = "PARE"
	parquetLeast     = 12 // two marks and the length of the footer
	parquetInt32     = 1  // the physical type
)

// isParquetFile reports whether the marks of a file, or of one with an encrypted footer, stand at both ends.
func isParquetFile(b []byte) bool {
	if len(b) < parquetLeast {
		return false
	}
	first, last := string(b[:4]), string(b[len(b)-4:])
	return first == last && (last == parquetMark || last == parquetEncrypted)
}

// A parquetFile is the filters of a whole file.
type parquetFile struct {
	parts []parquetPart
	asked []parquetPart // a part of parts
	form  Form
	foot  Span
}

type parquetPart struct {
	*parquetSplit
	int32s  bool
	doubted bool // it answers every key
}

// A parquetColumn is what the footer says of a column chunk.
type parquetColumn struct {
	elsewhere, encrypted, hasFilter, hasLength bool
	physical, offset, length                   int64
	offsetAt, lengthAt                         int
}

func readParquetFile(b []byte, o Options) (*parquetFile, error) {
	if len(b) < parquetLeast {
		return nil, fault.At(fault.Corrupt, len(b), "shorter than any Parquet file")
	}
	last := len(b) - 4
	switch {
	case !isParquetFile(b):
		return nil, fault.At(fault.Corrupt, 0, "not the marks of a Parquet file")
	case string(b[last:]) == parquetEncrypted:
		return nil, fault.At(fault.Unsupported, last, "the footer is encrypted")
	}
	size := uint64(binary.LittleEndian.Uint32(b[last-4:]))
	if size > uint64(last-4-4) {
		return nil, fault.At(fault.Corrupt, last-4, "the footer is longer than the file")
	}
	from := last - 4 - int(size)
	f := &parquetFile{form: o.Form, foot: Span{uint64(from), uint64(len(b))}}
	columns, ok := parquetColumns(b[from : last-4])
	room := int64(from - 4)
	for _, c := range columns {
		if c.offset < 4 || c.offset >= int64(from) {
			return nil, fault.At(fault.Corrupt, from+c.offsetAt, "a filter lies outside the data")
		}
		s, err := readSplit(b[c.offset:from], int(c.offset))
		if err != nil {
			return nil, err
		}
		whole := int64(s.header) + int64(len(s.cells))
		if c.hasLength && c.length != whole {
			return nil, fault.At(fault.Corrupt, from+c.lengthAt, "the length is not that of header and bitset")
		}
		if room -= whole; room < 0 {
			return nil, fault.At(fault.Corrupt, from+c.offsetAt, "the filters together are larger than the data")
		}
		f.parts = append(f.parts, parquetPart{parquetSplit: s, int32s: c.physical == parquetInt32})
	}
	if !ok {
		return nil, fault.At(fault.Corrupt, from, "the footer is not one")
	}
	if len(f.parts) == 0 {
		return nil, fault.At(fault.Unsupported, from, "no filter of the file can be read")
	}
	f.asked = f.parts
	if o.Part != nil && *o.Part < uint64(len(f.parts)) {
		f.asked = f.parts[*o.Part : *o.Part+1]
	}
	return f, nil
}

// parquetColumns walks through a footer for the columns whose filter can be read: field 4 lists row groups, whose field 1
// lists column chunks.
func parquetColumns(footer []byte) (columns []parquetColumn, ok bool) {
	t := thrift{b: footer}
	id := int64(0)
	for kind := t.field(&id); kind != thriftStop; kind = t.field(&id) {
		if id != 4 || kind != thriftList {
			t.skip(kind, true, 1)
			continue
		}
		for n := t.elements(thriftStruct, 2); n > 0 && !t.bad; n-- {
			columns = append(columns, t.rowGroup()...)
		}
	}
	return columns, !t.bad
}

func (t *thrift) rowGroup() (columns []parquetColumn) {
	id := int64(0)
	for kind := t.field(&id); kind != thriftStop; kind = t.field(&id) {
		if id != 1 || kind != thriftList {
			t.skip(kind, true, 3)
			continue
		}
		for n := t.elements(thriftStruct, 4); n > 0 && !t.bad; n-- {
			if c := t.columnChunk(); c.hasFilter && !c.elsewhere && !c.encrypted && !t.bad {
				columns = append(columns, c)
			}
		}
	}
	return columns
}

// columnChunk reads a chunk: field 1, if not empty, names another file, 8 and 9 say that it is encrypted, 3 is its meta data.
func (t *thrift) columnChunk() (c parquetColumn) {
	id := int64(0)
	for kind := t.field(&id); kind != thriftStop; kind = t.field(&id) {
		switch {
		case id == 3 && kind == thriftStruct:
			t.columnMeta(&c)
		case id == 1 && kind == thriftBinary:
			n := t.varint()
			c.elsewhere = n > 0
			t.bytes(n)
		case id == 8 || id == 9:
			c.encrypted = true
			t.skip(kind, true, 5)
		default:
			t.skip(kind, true, 5)
		}
	}
	return c
}

func (t *thrift) columnMeta(c *parquetColumn) {
	id := int64(0)
	for kind := t.field(&id); kind != thriftStop; kind = t.field(&id) {
		at := t.at
		switch {
		case id == 1 && kind == thriftI32:
			c.physical = t.integer()
		case id == 14 && kind == thriftI64:
			c.hasFilter, c.offsetAt, c.offset = true, at, t.integer()
		case id == 15 && kind == thriftI32:
			c.hasLength, c.lengthAt, c.length = true, at, t.integer()
		default:
			t.skip(kind, true, 6)
		}
	}
}

func (f *parquetFile) Dialect() string { return "parquet" }
func (f *parquetFile) Variant() string { return "file" }
func (f *parquetFile) Hashes() uint32  { return uint32(len(salts)) }
func (f *parquetFile) Parts() int      { return len(f.parts) }

func (f *parquetFile) Bits() uint64 {
	n := uint64(0)
	for _, p := range f.parts {
		n += p.Bits()
	}
	return n
}

// MayContain looks in every filter, or in the selected one. An integer is hashed in the width of the column.
func (f *parquetFile) MayContain(key []byte) bool {
	whole := hash.XXH64(key, 0)
	for _, p := range f.asked {
		h := whole
		if f.form == Integer && p.int32s && len(key) > 4 {
			h = hash.XXH64(key[:4], 0)
		}
		if p.doubted || p.look(h) {
			return true
		}
	}
	return false
}

func (f *parquetFile) layout() layout {
	l := layout{form: []Span{f.foot, {0, 4}}}
	for _, p := range f.parts {
		l.parts = append(l.parts, Span{p.at, p.at + p.header + uint64(len(p.cells))})
	}
	return l
}

func (f *parquetFile) doubt(i int) { f.parts[i].doubted = true }
