package dialect

import (
	"encoding/binary"
	"sort"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

const (
	quotientHeader = 11
	takenSlot      = 7
)

// A quotient is a quotient filter, which begins at a place of the image. A key is found in whichever slot its fingerprint is,
// so that fingerprints are kept sorted, in memory that the bytes themselves account for.
type quotient struct {
	at, end uint64
	q, r    uint
	slots   uint64
	prints  []uint64
	full    bool // nothing is denied
}

func readQuotient(b []byte, at int) (*quotient, error) {
	fail := func(code fault.Code, offset int, what string) (*quotient, error) {
		return nil, fault.At(code, at+offset, what)
	}
	switch {
	case len(b) < quotientHeader:
		return fail(fault.Corrupt, len(b), "shorter than the header of a quotient filter")
	case b[0] == 2:
		return fail(fault.Unsupported, 0, "the compact form of a quotient filter, which no table holds")
	case b[0] != 1:
		return fail(fault.Corrupt, 0, "another version of a quotient filter")
	}
	f := &quotient{at: uint64(at), end: uint64(at + len(b)), q: uint(b[1]), r: uint(b[2])}
	taken, count := binary.LittleEndian.Uint32(b[3:]), binary.LittleEndian.Uint32(b[7:])
	want := uint64(1) << (f.q & 63)
	if f.q == 0 {
		want = 0
	}
	switch {
	case f.q > 31:
		return fail(fault.Corrupt, 1, "too many bits of quotient")
	case f.r > 16:
		return fail(fault.Corrupt, 2, "too many bits of remainder")
	case uint64(count) != want:
		return fail(fault.Corrupt, 7, "the slots are not as many as the quotients")
	case uint64(count) > uint64(len(b)-quotientHeader):
		return fail(fault.Corrupt, len(b), "fewer slots than there should be")
	}
	place := quotientHeader
	for i := uint32(0); i < count; i++ {
		if place >= len(b) {
			return fail(fault.Corrupt, len(b), "fewer slots than there should be")
		}
		switch b[place] {
		case 0:
			place++
		case 1:
			if len(b)-place < takenSlot {
				return fail(fault.Corrupt, len(b), "a slot is cut short")
			}
			q, r := uint64(binary.LittleEndian.Uint32(b[place+1:])), uint64(binary.LittleEndian.Uint16(b[place+5:]))
			if q>>f.q != 0 || r>>f.r != 0 {
				return fail(fault.Corrupt, place+1, "a fingerprint has too many bits")
			}
			f.prints = append(f.prints, q<<f.r|r)
			place += takenSlot
		default:
			return fail(fault.Corrupt, place, "a slot is neither empty nor taken")
		}
	}
	switch {
	case place < len(b):
		return fail(fault.Corrupt, place, "bytes after the slots")
	case int64(taken) != int64(len(f.prints)):
		return fail(fault.Corrupt, 3, "the fingerprints are not as many as the taken slots")
	}
	sort.Slice(f.prints, func(i, j int) bool { return f.prints[i] < f.prints[j] })
	f.slots, f.full = uint64(count), count > 0 && taken == count
	return f, nil
}

func (f *quotient) Dialect() string { return "nori" }
func (f *quotient) Variant() string { return "quotient" }
func (f *quotient) Bits() uint64    { return f.slots }
func (f *quotient) Hashes() uint32  { return 1 }
func (f *quotient) Parts() int      { return 1 }

func (f *quotient) MayContain(key []byte) bool {
	if f.full {
		return true
	}
	if f.slots == 0 {
		return false
	}
	print := hash.XXH64(key, 0) >> (64 - f.q - f.r)
	at := sort.Search(len(f.prints), func(i int) bool { return f.prints[i] >= print })
	return at < len(f.prints) && f.prints[at] == print
}

func (f *quotient) layout() layout {
	slots := f.at + quotientHeader
	return layout{form: []Span{{f.at, slots}}, parts: []Span{{slots, f.end}}}
}

func (f *quotient) doubt(int) { f.full = true }
