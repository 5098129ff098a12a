package bloomery

import (
	"encoding/binary"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

const (
	maxSlotBits   = 1 << 48 // of all slots
	maxDenseSlots = 1 << 16 // of a shard
	maxResidue    = 1 << 40
	denseLayout   = 0
	roundStep     = 0xd1342543de82ef95
)

// Fuse and xor filters have the same parameters.
var (
	slotShards  = parameter(KindFuse, "shards")
	slotResidue = parameter(KindFuse, "residue")
	slotLayout  = parameter(KindFuse, "layout")
	slotSegment = parameter(KindFuse, "segment_log")
)

// slots are the rule of fuse and xor filters (spec/filters.md 10 and 11): the exclusive or of the slots of a key is its fingerprint.
// They differ in which slots those are, but for the dense layout, which both have.
type slots struct {
	*slotLayouts
	width       uint64 // bits of a slot
	shards      uint64
	shardSlots  uint64
	layout      uint64
	segmentLog  uint64
	residue     uint64 // hashes that the slots have no place for
	residueHurt bool   // a byte of them is damaged
}

// slotLayouts are the layouts of a kind, beside the dense one.
type slotLayouts struct {
	has           []uint64 // those with as many slots per key
	maxSegmentLog uint64
	fits          func(s *slots) bool                // whether there are shards of that many slots
	places        func(s *slots, x uint64) [4]uint64 // the first perKey of them
}

// slots is the rule of a shape.
func (of *slotLayouts) slots(s Shape) slots {
	p := &s.Parameters
	out := slots{
		slotLayouts: of, width: uint64(s.Hashes), shards: p.Get(slotShards), layout: p.Get(slotLayout), segmentLog: p.Get(slotSegment),
		residue: p.Get(slotResidue),
	}
	if out.shards > 0 {
		out.shardSlots = s.Units / out.shards
	}
	return out
}

// row is that of a kind with these layouts in the table of kinds.
func (of *slotLayouts) row() kindRow {
	return kindRow{lookup: of.lookup, check: of.check, payloadFits: of.payloadFits, number: "bits per slot"}
}

func (of *slotLayouts) lookup(shape Shape, a *array) lookup {
	s := of.slots(shape)
	s.residueHurt = a.damage.touches(s.residueAt(), 8*s.residue)
	return &s
}

// check refuses what cannot be, in the order of spec/container.md 8.
func (of *slotLayouts) check(i *Info) error {
	s := of.slots(shapeOf(i))
	dense := s.layout == denseLayout
	switch {
	case s.shards == 0:
		return fault.At(Corrupt, slotShards.Offset, "no shards")
	case !dense && !contains(of.has, s.layout):
		return fault.At(Corrupt, slotLayout.Offset, "a layout that the kind does not have")
	case s.segmentLog > of.maxSegmentLog || dense && s.segmentLog != 0:
		return fault.At(Corrupt, slotSegment.Offset, "segments of an impossible length")
	case i.Units > maxSlotBits/s.width || i.Units%s.shards != 0 || dense && s.shardSlots > maxDenseSlots || !dense && !of.fits(&s):
		return fault.At(Corrupt, 24, "impossible number of slots")
	case s.residue > maxResidue:
		return fault.At(Corrupt, slotResidue.Offset, "a residue that is too long")
	}
	return nil
}

func (of *slotLayouts) payloadFits(i *Info) bool {
	s := of.slots(shapeOf(i))
	return i.PayloadLength == s.size()
}

func (s *slots) count() uint64     { return s.shards * s.shardSlots }
func (s *slots) roundsAt() uint64  { return bytesFor(s.width * s.count()) }
func (s *slots) residueAt() uint64 { return s.roundsAt() + s.shards }
func (s *slots) size() uint64      { return s.residueAt() + 8*s.residue }

// perKey is the slots of a key.
func (s *slots) perKey() int {
	if s.layout == denseLayout {
		return 4
	}
	return int(s.layout)
}

// of is the fingerprint of a key and its slots, numbers of the whole array, in a round of its shard.
func (s *slots) of(h uint64, round byte) (print uint64, at [4]uint64) {
	y := (h + uint64(round)*roundStep) * cuckooStep
	x := (y ^ y>>32) * bloomStep
	if s.layout == denseLayout {
		for j := range at {
			at[j] = (x >> (16 * j) & 0xffff) * s.shardSlots >> 16
		}
	} else {
		at = s.places(s, x)
	}
	if s.shards > 1 {
		first := s.shard(h) * s.shardSlots
		for j := range at {
			at[j] += first
		}
	}
	return y >> (64 - s.width), at
}

// SlotsOf returns the fingerprint and the slots of a key, given by its 64 bits, in a fuse or xor filter of a shape whose shards are in
// a round; no slots, if the shape is not one of the kind. It is for tests, and for writing another implementation.
func SlotsOf(kind Kind, shape Shape, h uint64, round uint8) (fingerprint uint64, at []uint64) {
	of := map[Kind]*slotLayouts{KindFuse: &fuseLayouts, KindXor: &xorLayouts}[kind]
	if i := (Info{Hashes: shape.Hashes, Units: shape.Units, Parameters: shape.Parameters}); of == nil || shape.Units == 0 ||
		!rowOf(kind).K.has(i.Hashes, 0) || of.check(&i) != nil {
		return 0, nil
	}
	s := of.slots(shape)
	fingerprint, all := s.of(h, round)
	return fingerprint, all[:s.perKey()]
}

func (s *slots) shard(h uint64) uint64 { return hash.MulHi(h, s.shards) }

// value is what a slot holds: a byte, or bits of the word that begins at a byte, for slots have at most 32.
func (s *slots) value(a *array, slot uint64) uint64 {
	if s.width == 8 {
		return uint64(a.bits[slot])
	}
	from := slot * s.width
	if near := a.bits[from/8:]; len(near) >= 8 {
		return binary.LittleEndian.Uint64(near) >> (from % 8) & (1<<s.width - 1)
	}
	return bitsAt(a.bits, from, s.width)
}

// hurt reports whether a slot has a byte in a damaged chunk.
func (s *slots) hurt(a *array, slot uint64) bool {
	if a.damage == nil {
		return false
	}
	first, last := slot*s.width/8, (slot*s.width+s.width-1)/8
	return a.damage.touches(first, last-first+1)
}

func (s *slots) mayContain(a *array, h uint64) bool {
	if s.residueHurt {
		return true
	}
	if s.shardSlots > 0 {
		round := s.roundsAt() + s.shard(h)
		if a.damage.touches(round, 1) {
			return true
		}
		print, at := s.of(h, a.bits[round])
		for j, slot := range at {
			if j == s.perKey() {
				break
			}
			if s.hurt(a, slot) {
				return true
			}
			print ^= s.value(a, slot)
		}
		if print == 0 {
			return true
		}
	}
	return s.residue > 0 && isAmong(a.bits[s.residueAt():], s.residue, h)
}
