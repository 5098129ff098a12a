package bloomery

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"runtime"
	"sort"

	"bloomery/internal/fault"
)

// A Meta is what a container says about a filter beside the filter itself; all of it may be left out.
type Meta struct {
	AskedFPR  float64  // the rate that was requested
	Keys      uint64   // distinct keys that were inserted
	Sentinels []uint64 // SentinelsOf all keys
	Notes     []Note   // that of the source of the keys need not be among them
}

// MetaOf returns what a filter itself knows: the rate that it was made for, or that the file had from which it was read.
func MetaOf(f Filter) Meta { return Meta{AskedFPR: f.contents().asked} }

// SentinelsOf returns the sentinels of a container: the smallest of the hashes of all keys, at most 8, ascending. A reader
// that does not find one of them refuses the file, which catches what checksums cannot.
func SentinelsOf(hashes []uint64) []uint64 {
	sorted := append([]uint64(nil), hashes...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i] < sorted[j] })
	var out []uint64
	for i, h := range sorted {
		if len(out) < maxSentinels && (i == 0 || h != sorted[i-1]) {
			out = append(out, h)
		}
	}
	return out
}

// EncodeContainer returns the container of a filter. The same filter with the same meta always gives the same bytes.
func EncodeContainer(f Filter, meta Meta) ([]byte, error) {
	var b bytes.Buffer
	_, err := WriteContainer(&b, f, meta)
	if err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// WriteContainer writes the container of a filter. What a reader would refuse, a rate outside [0, 1) or sentinels that are not in the
// filter, is refused (InvalidArgument) before the first byte. A filter that was read with damaged chunks is refused (Corrupt): it
// would come out as if it were whole.
func WriteContainer(w io.Writer, f Filter, meta Meta) (int64, error) {
	s, h := f.Shape(), f.Hasher()
	if f.contents().bits == nil { // kinds that are built may have no units, and no bytes
		return 0, fault.New(InvalidArgument, "a filter that was not made, or was closed, has nothing to write")
	}
	if f.contents().damaged {
		return 0, fault.New(Corrupt, "parts of the filter are damaged; it is not written as if it were whole")
	}
	i := Info{
		Kind: f.Kind(), Profile: s.Profile, Hash: h.ID(), Hashes: s.Hashes, Units: s.Units, Seed: h.Seed(), Check: h.Check(),
		AskedFPR: meta.AskedFPR, Capacity: f.Capacity(), Keys: meta.Keys, Ones: onesIn(f.contents().bits),
		Parameters: s.Parameters,
	}
	if err := meta.check(rowOf(i.Kind), f); err != nil {
		return 0, err
	}
	notes, err := withReceipts(meta.Notes, f)
	if err == nil {
		notes, err = withSource(notes, h.source)
	}
	if err != nil {
		return 0, err
	}
	n, err := writeContainer(w, i, f.contents().bits, meta.Sentinels, notes)
	runtime.KeepAlive(f)
	return n, err
}

// check refuses what readers would, before anything is written (spec/container.md 8).
func (m *Meta) check(row *kindRow, f Filter) error {
	switch {
	case !recordableRate(m.AskedFPR):
		return fault.New(InvalidArgument, "the rate is not between 0 and 1")
	case len(m.Sentinels) > 0 && !row.Sentinels || m.Keys > 0 && !row.Keys:
		return fault.New(InvalidArgument, "files of "+row.Name+" filters carry no sentinels and no number of distinct keys")
	case len(m.Sentinels) > maxSentinels:
		return fault.New(InvalidArgument, "a container has at most 8 sentinels")
	}
	for i := 1; i < len(m.Sentinels); i++ {
		if m.Sentinels[i-1] >= m.Sentinels[i] {
			return fault.New(InvalidArgument, "sentinels ascend, and none comes twice: SentinelsOf makes them")
		}
	}
	if firstMissing(f, m.Sentinels) < len(m.Sentinels) {
		return fault.New(InvalidArgument, "a sentinel is not in the filter")
	}
	return nil
}

// firstMissing is the number of the first sentinel that a filter denies; that of all if it denies none.
func firstMissing(f Filter, sentinels []uint64) int {
	n := 0
	for n < len(sentinels) && f.MayContainHash(sentinels[n]) {
		n++
	}
	return n
}

func writeContainer(w io.Writer, i Info, payload []byte, sentinels []uint64, notes []Note) (int64, error) {
	noted := appendNotes(nil, notes)
	if uint64(len(noted)) > math.MaxUint32 {
		return 0, fault.New(TooLarge, "the notes are too long")
	}
	if _, _, err := parseNotes(noted, 0, i.Kind); err != nil {
		return 0, fault.New(InvalidArgument, err.(*Error).What)
	}
	i.Sentinels, i.NotesLength, i.PayloadLength = len(sentinels), uint32(len(noted)), uint64(len(payload))
	i.PayloadOffset = i.properOffset()

	head := headerOf(&i)
	gap := make([]byte, i.PayloadOffset-headerBytes)
	padding := make([]byte, i.padded()-i.PayloadLength)
	var tail []byte
	for _, s := range sentinels {
		tail = binary.LittleEndian.AppendUint64(tail, s)
	}
	for at := 0; at < len(payload) || at < int(i.padded()); at += chunkBytes {
		tail = binary.LittleEndian.AppendUint32(tail, chunkSum(payload, at, int(i.padded())))
	}
	tail = append(tail, noted...)
	tail = binary.LittleEndian.AppendUint32(tail, Checksum(append(gap[:len(gap):len(gap)], tail...)))

	var n int64
	for _, part := range [][]byte{head, gap, payload, padding, tail} {
		wrote, err := w.Write(part)
		n += int64(wrote)
		if err != nil {
			return n, fault.Wrap("the container could not be written", err)
		}
	}
	return n, nil
}

// chunkSum is the checksum of the chunk that begins at a place of the payload; padded is the length with padding, which
// is zero.
func chunkSum(payload []byte, at, padded int) uint32 {
	end := at + chunkBytes
	if end > padded {
		end = padded
	}
	if end <= len(payload) {
		return Checksum(payload[at:end])
	}
	chunk := make([]byte, end-at)
	copy(chunk, payload[at:])
	return Checksum(chunk)
}

func headerOf(i *Info) []byte {
	b := make([]byte, headerBytes)
	le := binary.LittleEndian
	copy(b, containerMagic)
	le.PutUint16(b[8:], 1)
	b[10], b[11] = byte(i.Kind), byte(i.Profile)
	le.PutUint32(b[12:], i.Flags)
	b[16], b[17], b[18], b[19] = byte(i.Hash), chunkLog, byte(i.Sentinels), byte(i.Members)
	le.PutUint32(b[20:], i.Hashes)
	le.PutUint64(b[24:], i.Units)
	le.PutUint64(b[32:], i.Seed)
	le.PutUint64(b[40:], i.Check)
	le.PutUint64(b[48:], math.Float64bits(i.AskedFPR))
	le.PutUint64(b[56:], i.Capacity)
	le.PutUint64(b[64:], i.Keys)
	le.PutUint64(b[72:], i.PayloadOffset)
	le.PutUint64(b[80:], i.PayloadLength)
	le.PutUint64(b[88:], i.Ones)
	le.PutUint32(b[96:], i.NotesLength)
	copy(b[parametersAt:], i.Parameters[:])
	le.PutUint32(b[124:], Checksum(b[:124]))
	return b
}
