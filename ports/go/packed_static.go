package bloomery

import "encoding/binary"

const memberEntry = 48 // bytes of the directory for each member

// packedStaticKind is its row in the table of kinds. Members are of a kind that is built of all its keys at once.
var packedStaticKind = kindRow{
	load: loadPackedStatic, streamed: true, holds: func(of *kindRow) bool { return of.Built },
	unitsFit:    func(i *Info) bool { return i.Units >= 1 && i.Units <= i.PayloadLength/memberEntry },
	payloadFits: func(i *Info) bool { return i.PayloadLength%8 == 0 },
}

// staticMembers are the members of a packed set of static filters (spec/container.md 6.1).
type staticMembers struct {
	array
	row    *kindRow
	info   Info // of the set
	hasher Hasher
}

func loadPackedStatic(c *Container, a array, h Hasher, _ *damageMap) error {
	c.Packed = &Packed{
		members: c.Info.Units, hasher: h, mem: a.mem,
		static: &staticMembers{a, rowOf(c.Info.Members), c.Info, h},
	}
	return nil
}

// mayContain looks a hash up in a member that exists. Where a byte that says what the member is, or any of its own, is damaged, it
// answers true for every key.
func (s *staticMembers) mayContain(member, h uint64) bool {
	i, ok := s.find(member)
	if !ok || s.damage.touches(i.PayloadOffset, i.PayloadLength) {
		return true
	}
	a := array{bits: s.bits[i.PayloadOffset : i.PayloadOffset+i.PayloadLength]}
	return s.row.open(&i, a, s.hasher).MayContainHash(h)
}

// find is the header that a container of the member alone would have, its payload offset that within the set, if the directory can
// be believed.
func (s *staticMembers) find(member uint64) (i Info, ok bool) {
	le, last := binary.LittleEndian, s.info.Units-1
	directory := s.info.PayloadLength - memberEntry*s.info.Units
	at := directory + memberEntry*member
	var before uint64
	if member > 0 {
		if s.damage.touches(at-memberEntry, memberEntry) {
			return i, false
		}
		before = le.Uint64(s.bits[at-memberEntry:])
	}
	if s.damage.touches(at, memberEntry) {
		return i, false
	}
	entry := s.bits[at : at+memberEntry]
	end := le.Uint64(entry)
	if end > directory || before > end || le.Uint32(entry[20:]) != 0 {
		return i, false
	}
	begin := (before + 7) &^ 7
	if begin > end || member == last && (end+7)&^7 != directory {
		return i, false
	}
	i = Info{
		Kind: s.info.Members, Hash: s.info.Hash, Seed: s.info.Seed, Units: le.Uint64(entry[8:]), Hashes: le.Uint32(entry[16:]),
		PayloadOffset: begin, PayloadLength: end - begin,
	}
	copy(i.Parameters[:], entry[24:])
	return i, s.row.usesOnly(i.Parameters) && s.row.fits(&i) == nil
}
