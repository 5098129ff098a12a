package dialect

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"sort"

	"bloomery/internal/fault"
)

const (
	tableFooter = 64
	leastBlock  = 6 // bytes, without a filter
	tableMark   = "NORISSTL"
)

func hasTableMark(b []byte) bool {
	return len(b) >= tableFooter && string(b[len(b)-12:len(b)-4]) == tableMark
}

// A noriTable is a whole table: one Bloom section, or a quotient filter for each block.
type noriTable struct {
	bloom  *noriBloom // formats 0 and 1
	blocks []noriBlock
	part   *uint64
	forms  []Span
}

// A noriBlock is a block of format 2. Without a filter it denies nothing.
type noriBlock struct {
	first  []byte
	filter *quotient
	place  Span // of the filter and of its size
}

func readNoriTable(b []byte, o Options) (*noriTable, error) {
	if len(b) < tableFooter {
		return nil, fault.At(fault.Corrupt, len(b), "shorter than the footer of a table")
	}
	at := len(b) - tableFooter
	foot := b[at:]
	le := binary.LittleEndian
	switch {
	case string(foot[52:60]) != tableMark:
		return nil, fault.At(fault.Corrupt, at+52, "not the mark of a table")
	case crc32.Checksum(foot[:60], crc32.MakeTable(crc32.Castagnoli)) != le.Uint32(foot[60:]):
		return nil, fault.At(fault.Corrupt, at+60, "the footer's checksum differs")
	}
	t := &noriTable{part: o.Part, forms: []Span{{uint64(at), uint64(len(b))}}}
	if foot[45] < 2 {
		section, ok := section(b[:at], foot[16:])
		if !ok {
			return nil, fault.At(fault.Corrupt, at+16, "the Bloom section does not lie before the footer")
		}
		var err error
		if t.bloom, err = readNoriBloom(b[section.From:section.To], int(section.From), ""); err != nil {
			return nil, err
		}
		return t, nil
	}
	if foot[45] > 2 {
		return nil, fault.At(fault.Unsupported, at+45, "a later format of tables")
	}
	if foot[32] != 0 {
		return nil, fault.At(fault.Unsupported, at+32, "the blocks are compressed, and their filters with them")
	}
	index, ok := section(b[:at], foot)
	if !ok || index.To-index.From < 4 {
		return nil, fault.At(fault.Corrupt, at, "the index is too short, or does not lie before the footer")
	}
	if err := t.readIndex(b, index); err != nil {
		return nil, err
	}
	return t, nil
}

// section is the part of a table that two numbers of its footer name, if it lies in the body.
func section(body, field []byte) (Span, bool) {
	from, size := binary.LittleEndian.Uint64(field), binary.LittleEndian.Uint64(field[8:])
	if from > uint64(len(body)) || size > uint64(len(body))-from {
		return Span{}, false
	}
	return Span{from, from + size}, true
}

// readIndex reads the entries of format 2, whose number ends the index.
func (t *noriTable) readIndex(b []byte, index Span) error {
	t.forms = append(t.forms, index)
	end := int(index.To) - 4
	place, free := int(index.From), uint64(0)
	for count := binary.LittleEndian.Uint32(b[end:]); count > 0; count-- {
		key, at, ok := indexEntry(b[:end], place)
		if !ok {
			return fault.At(fault.Corrupt, at, "an entry ends after the index does")
		}
		place = at + 12
		from, size := binary.LittleEndian.Uint64(b[at:]), uint64(binary.LittleEndian.Uint32(b[at+8:]))
		if n := len(t.blocks); n > 0 && bytes.Compare(t.blocks[n-1].first, key) >= 0 {
			return fault.At(fault.Corrupt, at, "first keys do not ascend")
		}
		if size < leastBlock || from < free || from > index.From || size > index.From-from {
			return fault.At(fault.Corrupt, at, "a block is too short, overlaps another or reaches into the index")
		}
		free = from + size
		block, err := readBlock(b, Span{from, free})
		if err != nil {
			return err
		}
		block.first = key
		t.blocks = append(t.blocks, block)
	}
	if place != end {
		return fault.At(fault.Corrupt, place, "bytes after the entries of the index")
	}
	return nil
}

// indexEntry reads a varint length and the first key; offset and size of the block stand at the place it returns. If
// something does not fit, the place is behind the last field that does.
func indexEntry(b []byte, place int) (key []byte, at int, ok bool) {
	length, n := binary.Uvarint(b[place:])
	if n <= 0 {
		return nil, place, false
	}
	place += n
	if length > uint64(len(b)-place) {
		return nil, place, false
	}
	key = b[place : place+int(length)]
	place += int(length)
	switch left := len(b) - place; {
	case left < 8:
		return nil, place, false
	case left < 12:
		return nil, place + 8, false
	}
	return key, place, true
}

// readBlock reads the filter at the end of a block, behind which its size stands.
func readBlock(b []byte, block Span) (found noriBlock, err error) {
	end := block.To - 2
	size := uint64(binary.LittleEndian.Uint16(b[end:]))
	if size > end-block.From {
		return found, fault.At(fault.Corrupt, int(end), "a filter is longer than its block")
	}
	found.place = Span{end - size, block.To}
	if size > 0 {
		found.filter, err = readQuotient(b[end-size:end], int(end-size))
	}
	return found, err
}

func (t *noriTable) Dialect() string { return "nori" }
func (t *noriTable) Variant() string { return "sstable" }

func (t *noriTable) Bits() uint64 {
	if t.bloom != nil {
		return t.bloom.Bits()
	}
	n := uint64(0)
	for _, b := range t.blocks {
		if b.filter != nil {
			n += b.filter.Bits()
		}
	}
	return n
}

func (t *noriTable) Hashes() uint32 {
	if t.bloom != nil {
		return t.bloom.Hashes()
	}
	return 1
}

func (t *noriTable) Parts() int {
	if t.bloom != nil {
		return 1
	}
	return len(t.blocks)
}

// MayContain looks in the last block whose first key is not above the key, as the owner does, or the part that was selected.
func (t *noriTable) MayContain(key []byte) bool {
	if t.bloom != nil {
		return t.bloom.MayContain(key)
	}
	var block noriBlock
	if t.part != nil {
		block = t.blocks[*t.part]
	} else {
		after := sort.Search(len(t.blocks), func(i int) bool { return bytes.Compare(t.blocks[i].first, key) > 0 })
		if after == 0 {
			return false
		}
		block = t.blocks[after-1]
	}
	return block.filter == nil || block.filter.MayContain(key)
}

func (t *noriTable) layout() layout {
	l := layout{form: t.forms}
	if t.bloom != nil {
		inner := t.bloom.layout()
		l.form, l.cells = append(l.form, inner.form...), inner.cells
	}
	for _, b := range t.blocks {
		l.parts = append(l.parts, b.place)
	}
	return l
}

func (t *noriTable) doubt(i int) {
	if f := t.blocks[i].filter; f != nil {
		f.doubt(0)
	}
}
