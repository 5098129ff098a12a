// Package engine makes and queries the filters that storage engines keep in their tables: blocks of a block filter and a trailer of 13
// bytes (spec/table_filter.md). A lookup reads the trailer and one block, two above 18 bits per key, and allocates nothing; 10 bits per
// key give 1.05 % false positives. For one filter per table; sets of some tens of keys lose too much to whole blocks.
//
// Bytes that no writer makes answer "possibly present". Bytes of the right form whose bits were changed cannot be recognised in a
// lookup: engines have checksums for that, and Open checks ours.
package engine

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"bloomery"
	"bloomery/internal/fault"
)

// Name is the name of these filters in the files of engines that record one. It changes if their bytes do.
const Name = "bloomery.Block1"

const (
	trailerBytes = 13
	maxBlocks    = math.MaxUint32
)

// ending is the last three bytes. With the zero before the profile, filters of LevelDB, RocksDB and pebble that meet these bytes
// answer "possibly present".
var ending = [3]byte{'b', 'l', 'm'}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// hasher makes the keys of all these filters.
var hasher = bloomery.NewXXH3(0)

// A Writer collects the keys of one table after another. The zero Writer is of no use: see NewWriter.
type Writer struct {
	bitsPerKey float64
	hashes     []uint64
}

// NewWriter makes filters of so many bits per key: 1 to 100, what is outside counts as the nearer bound.
func NewWriter(bitsPerKey float64) *Writer {
	if !(bitsPerKey > 1) { // not a number either
		bitsPerKey = 1
	}
	return &Writer{bitsPerKey: math.Min(bitsPerKey, 100)}
}

// Add takes a key. Engines add versions of a key one after another: they count once.
func (w *Writer) Add(key []byte) {
	h := hasher.Hash(key)
	if n := len(w.hashes); n == 0 || w.hashes[n-1] != h {
		w.hashes = append(w.hashes, h)
	}
}

// Append appends the filter of the keys added since the last call, and forgets them.
func (w *Writer) Append(dst []byte) []byte {
	profile, blocks := layout(len(w.hashes), w.bitsPerKey)
	size := int(blocks) * profile.BlockBytes()
	dst = append(dst, make([]byte, size+trailerBytes)...)
	filter := dst[len(dst)-size-trailerBytes:]
	for _, h := range w.hashes {
		profile.Insert(filter[:size], h)
	}
	w.hashes = w.hashes[:0]
	trailer := filter[size:]
	binary.LittleEndian.PutUint32(trailer[4:], uint32(blocks))
	trailer[9] = byte(profile)
	copy(trailer[10:], ending[:])
	binary.LittleEndian.PutUint32(trailer, checksum(filter))
	return dst
}

// checksum is that of all other bytes of a filter.
func checksum(filter []byte) uint32 {
	size := len(filter) - trailerBytes
	return crc32.Update(crc32.Checksum(filter[:size], castagnoli), castagnoli, filter[size+4:])
}

// Size returns the length of the filter of so many distinct keys.
func Size(keys int, bitsPerKey float64) int {
	profile, blocks := layout(keys, NewWriter(bitsPerKey).bitsPerKey)
	return int(blocks)*profile.BlockBytes() + trailerBytes
}

// layout is the profile with the lowest rate at so many bits per key (spec/model.md 8), and the fewest blocks that give every key
// its bits.
func layout(keys int, bitsPerKey float64) (bloomery.Profile, uint64) {
	profile := bloomery.Line
	switch {
	case bitsPerKey < 8.5:
		profile = bloomery.HalfLine
	case bitsPerKey > 18:
		profile = bloomery.TwoLines
	}
	blocks := math.Ceil(float64(keys) * bitsPerKey / float64(8*profile.BlockBytes()))
	return profile, uint64(math.Max(1, math.Min(blocks, maxBlocks)))
}

// split is the blocks of a filter, if its bytes are of the right form.
func split(filter []byte) (profile bloomery.Profile, blocks []byte, ok bool) {
	if len(filter) < trailerBytes {
		return 0, nil, false
	}
	size := len(filter) - trailerBytes
	trailer := (*[trailerBytes]byte)(filter[size:])
	if trailer[8] != 0 || [3]byte{trailer[10], trailer[11], trailer[12]} != ending || trailer[9] > byte(bloomery.TwoLines) {
		return 0, nil, false
	}
	profile = bloomery.Profile(trailer[9])
	each := uint64(profile.BlockBytes())
	count := uint64(binary.LittleEndian.Uint32(trailer[4:]))
	if each == 0 || count == 0 || count*each != uint64(size) {
		return 0, nil, false
	}
	return profile, filter[:size], true
}

// MayContain answers false only if the key was definitely not added: true for every key where the bytes are no such filter.
func MayContain(filter, key []byte) bool {
	profile, blocks, ok := split(filter)
	return !ok || profile.MayContain(blocks, hasher.Hash(key))
}

// Open checks all bytes of a filter and returns it, its bits not copied: for its rate, its fill, or to write it as a container.
// Bytes that are no such filter, or whose checksum differs, are refused (Corrupt).
func Open(filter []byte) (*bloomery.BlockBloom, error) {
	profile, blocks, ok := split(filter)
	if !ok {
		return nil, fault.New(bloomery.Corrupt, "these bytes are not a table's filter")
	}
	if checksum(filter) != binary.LittleEndian.Uint32(filter[len(blocks):]) {
		return nil, fault.New(bloomery.Corrupt, "the checksum of a table's filter differs")
	}
	return bloomery.OverBlocks(profile, blocks, hasher)
}
