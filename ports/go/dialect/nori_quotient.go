package dialect

import (
	"encoding/binary"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

const (
	quotientHeader = 11
	takenSlot      = 7
)

// A quotient is a quotient filter, which begins at a place of the image. Slots are 1 or 7 bytes long, so that a slot can be
// found only by walking; they are unpacked once, into memory that the bytes themselves account for.
type quotient struct {
	at, end uint64
	q, r    uint
	slots   []uint64 // 0: empty; else the fingerprint, plus one
	full    bool     // nothing is denied
}

func readQuotient(b []byte, at int, damaged []Span) (*quotient, error) {
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
	prints, count := binary.LittleEndian.Uint32(b[3:]), binary.LittleEndian.Uint32(b[7:])
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
	if touches(damaged, Span{f.at + quotientHeader, f.end}) {
		f.full = true
		f.slots = make([]uint64, count)
		return f, nil
	}
	place, taken := quotientHeader, uint32(0)
	for i := uint32(0); i < count; i++ {
		if place >= len(b) {
			return fail(fault.Corrupt, len(b), "fewer slots than there should be")
		}
		print := uint64(0)
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
			print = q<<f.r | r + 1
			place += takenSlot
			taken++
		default:
			return fail(fault.Corrupt, place, "a slot is neither empty nor taken")
		}
		f.slots = append(f.slots, print)
	}
	switch {
	case place < len(b):
		return fail(fault.Corrupt, place, "bytes after the slots")
	case taken != prints:
		return fail(fault.Corrupt, 3, "the fingerprints are not as many as the taken slots")
	}
	f.full = count > 0 && taken == count
	return f, nil
}

func (f *quotient) Dialect() string { return "nori" }
func (f *quotient) Variant() string { return "quotient" }
func (f *quotient) Bits() uint64    { return uint64(len(f.slots)) }
func (f *quotient) Parts() int      { return 1 }

// MayContain looks from the slot of the key's quotient to the first empty one. One slot is empty, or nothing is denied.
func (f *quotient) MayContain(key []byte) bool {
	if f.full {
		return true
	}
	if len(f.slots) == 0 {
		return false
	}
	h := hash.XXH64(key, 0)
	print := h>>(64-f.q-f.r) + 1
	mask := uint64(len(f.slots) - 1)
	for i := h >> (64 - f.q); f.slots[i&mask] != 0; i++ {
		if f.slots[i&mask] == print {
			return true
		}
	}
	return false
}

func (f *quotient) layout() layout { return layout{form: []Span{{f.at, f.at + quotientHeader}}} }
