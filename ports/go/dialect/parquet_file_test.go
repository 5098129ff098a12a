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
	b := []byte("PAR1\x15\x40\x1c\x1c\x00\x00\x1c\x1c\x00\x00\x1c\x1c\x00\x00\x00")
	b = append(b, bytes.Repeat([]byte{0xff}, splitBlock)...)
	column := []byte{0x3c, 0xe6, 8, 0, 0} // field 3: its field 14, offset 4
	foot := append([]byte{0x49, 0x1c, 0x19, byte(columns)<<4 | thriftStruct}, bytes.Repeat(column, columns)...)
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
