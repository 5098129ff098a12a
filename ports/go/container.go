package bloomery

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"bloomery/internal/fault"
)

// The native container (spec/container.md): one file for every kind of filter, with checksums a damaged part
// answers "possibly present".
const (
	headerBytes    = 128
	containerMagic = "\x89BLM\r\n\x1a\n"
	chunkLog       = 12
	chunkBytes     = 1 << chunkLog
	maxSentinels   = 8
	pageOffset     = 4096  // where the payload begins in long files,
	longPayload    = 65536 // that is from this length on
	dialectTag     = 0x8001
	parametersAt   = 100
	parameterBytes = 24
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum is CRC-32C, the checksum of containers.
func Checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// An Info is the header of a container.
type Info struct {
	Kind          Kind
	Profile       Profile
	Flags         uint32
	Hash          HashID
	Sentinels     int
	Members       Kind // of a packed set
	Hashes        uint32
	Units         uint64 // what they are is Facts.Units of the kind
	Seed          uint64
	Check         uint64  // the hash of "bloomery"
	AskedFPR      float64 // 0: not recorded
	Capacity      uint64  // keys it was sized for; 0: not recorded
	Keys          uint64  // distinct keys; 0: unknown
	PayloadOffset uint64
	PayloadLength uint64
	Ones          uint64
	NotesLength   uint32
	Parameters    Parameters
}

// padded is the length of payload and padding.
func (i *Info) padded() uint64 { return (i.PayloadLength + 63) / 64 * 64 }

// Chunks returns the number of chunks, each with its own checksum.
func (i *Info) Chunks() uint64 { return (i.padded() + chunkBytes - 1) / chunkBytes }

// tail is where the sentinels begin.
func (i *Info) tail() uint64      { return i.PayloadOffset + i.padded() }
func (i *Info) checksums() uint64 { return i.tail() + 8*uint64(i.Sentinels) }
func (i *Info) notes() uint64     { return i.checksums() + 4*i.Chunks() }

// Length returns the length of the whole file.
func (i *Info) Length() uint64 { return i.notes() + uint64(i.NotesLength) + 4 }

// properOffset is where a payload of this kind and length begins.
func (i *Info) properOffset() uint64 {
	if rowOf(i.Kind).streamed || i.PayloadLength >= longPayload {
		return pageOffset
	}
	return headerBytes
}

// recordableRate reports whether a header may hold a rate: not NaN. 0 means not recorded.
func recordableRate(fpr float64) bool { return fpr >= 0 && fpr < 1 }

// Inspect reads the header of a container, from its first 128 bytes, and nothing else. length is that of the whole file,
// which must be what the header adds up to; negative if it is not known. Nothing is allocated on the header's word.
func Inspect(head []byte, length int64) (Info, error) {
	if length < 0 {
		return parseHeader(head, math.MaxUint64)
	}
	return parseHeader(head, uint64(length))
}

// parseHeader refuses in the order of spec/container.md 8. length is that of the file; the largest uint64 if it is not known.
func parseHeader(b []byte, length uint64) (Info, error) {
	if len(b) < headerBytes {
		return Info{}, fault.At(Corrupt, len(b), "shorter than the header of a container")
	}
	b = b[:headerBytes]
	if string(b[:8]) != containerMagic {
		return Info{}, fault.At(Corrupt, 0, "not a container")
	}
	le := binary.LittleEndian
	if Checksum(b[:124]) != le.Uint32(b[124:]) {
		return Info{}, fault.At(Corrupt, 124, "the header's checksum differs")
	}
	i := Info{
		Kind: Kind(b[10]), Profile: Profile(b[11]), Flags: le.Uint32(b[12:]), Hash: HashID(b[16]), Sentinels: int(b[18]),
		Members: Kind(b[19]), Hashes: le.Uint32(b[20:]), Units: le.Uint64(b[24:]), Seed: le.Uint64(b[32:]),
		Check: le.Uint64(b[40:]), AskedFPR: math.Float64frombits(le.Uint64(b[48:])), Capacity: le.Uint64(b[56:]),
		Keys: le.Uint64(b[64:]), PayloadOffset: le.Uint64(b[72:]), PayloadLength: le.Uint64(b[80:]),
		Ones: le.Uint64(b[88:]), NotesLength: le.Uint32(b[96:]),
	}
	copy(i.Parameters[:], b[parametersAt:])
	// Nothing that depends on the kind is looked at before its number is known.
	for _, c := range [...]struct {
		wrong  bool
		offset int
		what   string
	}{
		{le.Uint16(b[8:]) != 1, 8, "an unknown version"},
		{i.Flags&0xffff != 0, 12, "an unknown flag"},
		{rowOf(i.Kind) == nil, 10, "an unknown kind"},
		{i.Hash < 1 || i.Hash > lastHashID, 16, "an unknown hash"},
	} {
		if c.wrong {
			return i, fault.At(Unsupported, c.offset, c.what)
		}
	}
	row := rowOf(i.Kind)
	members := i.Members == 0
	if row.holds != nil {
		of := rowOf(i.Members)
		members = of != nil && row.holds(of)
	}
	for _, c := range [...]struct {
		wrong  bool
		offset int
		what   string
	}{
		{i.Flags == 0 && !row.usesOnly(i.Parameters), parametersAt, "bytes that the kind does not use are not zero"},
		{!members, 19, "an impossible kind of members"},
		{b[17] != chunkLog, 17, "another size of chunks"},
		{i.Sentinels > maxSentinels, 18, "too many sentinels"},
		{!recordableRate(i.AskedFPR), 48, "the rate is not between 0 and 1"},
		{i.PayloadLength > length, int(length), "the payload is longer than the file"},
		{i.PayloadLength > math.MaxInt64/2, 80, "the payload is longer than any file"},
		{i.PayloadOffset != i.properOffset(), 72, "the payload begins elsewhere"},
	} {
		if c.wrong {
			return i, fault.At(Corrupt, c.offset, c.what)
		}
	}
	if sum := i.Length(); length != math.MaxUint64 && sum != length {
		if sum > length {
			sum = length
		}
		return i, fault.At(Corrupt, int(sum), "the file is not as long as its header says")
	}
	if !row.streamed && i.Ones > 8*i.PayloadLength {
		return i, fault.At(Corrupt, 88, "more ones than bits")
	}
	return i, row.fits(&i)
}
