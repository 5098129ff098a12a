package dialect

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"bloomery/internal/fault"
)

// parquetWith is a Parquet file with one filter of a block and as many columns that name it.
func parquetWith(columns int) []byte {
	return parquetOf(0xff, bytes.Repeat([]byte{0x3c, 0xe6, 8, 0, 0}, columns), columns) // field 3: its field 14, offset 4
}

// parquetOf has a bitset of such bytes, and these column chunks.
func parquetOf(bits byte, chunks []byte, columns int) []byte {
	b := []byte("PAR1\x15\x40\x1c\x1c\x00\x00\x1c\x1c\x00\x00\x1c\x1c\x00\x00\x00")
	b = append(b, bytes.Repeat([]byte{bits}, splitBlock)...)
	foot := append([]byte{0x49, 0x1c, 0x19, byte(columns)<<4 | thriftStruct}, chunks...)
	foot = append(foot, 0, 0)
	b = append(b, foot...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(foot)))
	return append(b, parquetMark...)
}

// A filter is shared by columns only as far as there is data for all of them.
func TestFiltersTogetherLargerThanTheData(t *testing.T) {
	f, err := Read("parquet", parquetWith(1), Options{})
	if err != nil || f.Parts() != 1 || !f.MayContain(nil) {
		t.Fatal(err)
	}
	if _, err := Read("parquet", parquetWith(2), Options{}); !errors.Is(err, fault.Corrupt) {
		t.Error(err)
	}
	if _, err := Read("parquet", parquetWith(0), Options{}); !errors.Is(err, fault.Unsupported) {
		t.Error(err)
	}
}

// A footer that nests deeper than 32 is refused, however long it is.
func TestDeepNesting(t *testing.T) {
	for _, depth := range []int{20, 1000, 100000} {
		foot := append(bytes.Repeat([]byte{0x1c}, depth), bytes.Repeat([]byte{0}, depth+1)...)
		b := append([]byte("PAR1"), foot...)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(foot)))
		_, err := Read("parquet", append(b, parquetMark...), Options{})
		want := fault.Corrupt
		if depth < thriftDepth {
			want = fault.Unsupported // no filter
		}
		if !errors.Is(err, want) {
			t.Error(depth, err)
		}
	}
}

// A column that names another file is no part; one that names none is.
func TestColumnsElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		chunk []byte
		code  fault.Code
	}{
		"no path":          {[]byte{0x3c, 0xe6, 8, 0, 0}, 0},
		"an empty path":    {[]byte{0x18, 0, 0x2c, 0xe6, 8, 0, 0}, 0},
		"a path":           {[]byte{0x18, 1, 'f', 0x2c, 0xe6, 8, 0, 0}, fault.Unsupported},
		"a path of a list": {[]byte{0x19, 0x08, 0x2c, 0xe6, 8, 0, 0}, 0},
		"encrypted":        {[]byte{0x3c, 0xe6, 8, 0, 0x68, 0, 0}, fault.Unsupported},
	} {
		_, err := Read("parquet", parquetOf(0xff, c.chunk, 1), Options{})
		if c.code == 0 && err != nil || c.code != 0 && !errors.Is(err, c.code) {
			t.Error(name, err)
		}
	}
}

// One damaged byte of a part of a file makes the part answer "possibly present".
func TestDamagedPart(t *testing.T) {
	image := parquetOf(0, []byte{0x3c, 0xe6, 8, 0, 0}, 1)
	f, err := Read("parquet", image, Options{})
	if err != nil || f.MayContain([]byte("k")) {
		t.Fatal(err)
	}
	f, err = Read("parquet", image, Options{Damaged: []Span{{30, 31}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"", "k", "another", "x1", "x2", "x3"} {
		if !f.MayContain([]byte(k)) {
			t.Errorf("%q is denied", k)
		}
	}
}
