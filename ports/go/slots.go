package bloomery

import (
	"math"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

const (
	maxFingerprintBits = 32
	maxSlotBits        = 1 << 48 // of all slots
	maxDenseSlots      = 1 << 16 // of a shard
	maxResidue         = 1 << 40
	denseLayout        = 0
	roundStep          = 0xd1342543de82ef95
)

var (
	slotShards  = Field{"shards", 100, 4}
	slotResidue = Field{"residue", 104, 8}
	slotLayout  = Field{"layout", 112, 1}
	slotSegment = Field{"segment_log", 113, 1}
)

// slotFacts is what the rows of fuse and xor filters share.
func slotFacts(kind Kind, name string) Facts {
	return Facts{
		Kind: kind, Name: name, Hashers: anyHash, Seed: true, Profiles: []Profile{0}, K: KRange{Min: 1, Max: maxFingerprintBits},
		Units: "slots", Max: Limit{"bits", maxSlotBits}, Payload: "slots",
		Parameters: []Field{slotShards, slotResidue, slotLayout, slotSegment}, Damage: DamagePerhaps, Sentinels: true, Keys: true,
	}
}

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
	fits          func(s *slots) bool // whether there are shards of that many slots
	places        func(s *slots, x uint64, out []uint64)
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

// slotFilter is what fuse and xor filters share.
type slotFilter struct {
	readOnly
	slots *slots
}

// open makes the filter of a header that was checked.
func (of *slotLayouts) open(i *Info, a array, h Hasher) slotFilter {
	s := of.slots(shapeOf(i))
	s.residueHurt = a.damage.touches(s.residueAt(), 8*s.residue)
	return slotFilter{openReadOnly(i, a, h, &s), &s}
}

// Bits returns the number of bits of all slots.
func (f *slotFilter) Bits() uint64 { return f.slots.count() * f.slots.width }

// Slots returns the number of slots.
func (f *slotFilter) Slots() uint64 { return f.slots.count() }

// SlotsPerKey returns the number of slots that a key has.
func (f *slotFilter) SlotsPerKey() int { return f.slots.perKey() }

// ExpectedFPR returns the rate of a filter with such fingerprints that holds n keys.
func (f *slotFilter) ExpectedFPR(n uint64) float64 {
	if n == 0 {
		return 0
	}
	return math.Min(1, math.Exp2(-float64(f.slots.width))+float64(n)/math.Exp2(64))
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
	own := at[:s.perKey()]
	if s.layout == denseLayout {
		for j := range own {
			own[j] = (x >> (16 * j) & 0xffff) * s.shardSlots >> 16
		}
	} else {
		s.places(s, x, own)
	}
	for j := range own {
		own[j] += s.shard(h) * s.shardSlots
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

// value is what a slot holds.
func (s *slots) value(a *array, slot uint64) uint64 { return bitsAt(a.bits, slot*s.width, s.width) }

// hurt reports whether a slot has a byte in a damaged chunk.
func (s *slots) hurt(a *array, slot uint64) bool {
	first, last := slot*s.width/8, (slot*s.width+s.width-1)/8
	return a.damage != nil && a.damage.touches(first, last-first+1)
}

func (s *slots) look(a *array, h uint64) bool {
	if s.residueHurt {
		return true
	}
	if s.shardSlots > 0 {
		round := s.roundsAt() + s.shard(h)
		if a.damage.touches(round, 1) {
			return true
		}
		print, at := s.of(h, a.bits[round])
		for _, slot := range at[:s.perKey()] {
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

// census counts the slots that are not 0, damaged ones aside, and the damaged ones.
func (s *slots) census(a *array) (taken, hurt uint64) {
	for slot := uint64(0); slot < s.count(); slot++ {
		switch {
		case s.hurt(a, slot):
			hurt++
		case s.value(a, slot) != 0:
			taken++
		}
	}
	return taken, hurt
}

// keysBy is the estimate of spec/model.md 11: each key but those in the residue determines a slot, whose value is uniform.
func (s *slots) keysBy(taken, hurt uint64) float64 {
	switch n := s.count(); {
	case n == 0:
		return float64(s.residue)
	case hurt == n:
		return math.Inf(1)
	default:
		intact := 1 - float64(hurt)/float64(n)
		return float64(taken)/((1-math.Exp2(-float64(s.width)))*intact) + float64(s.residue)
	}
}

func (s *slots) keys(a *array) float64 { return s.keysBy(s.census(a)) }

func (s *slots) fill(a *array) float64 {
	keys := s.keys(a)
	if keys == 0 {
		return 0
	}
	return math.Min(1, keys/float64(s.count()))
}

// byChance is the rate of so many keys, damage aside.
func (s *slots) byChance(keys float64) float64 {
	rate := keys / math.Exp2(64)
	if s.shardSlots > 0 {
		rate += math.Exp2(-float64(s.width))
	}
	return math.Min(1, rate)
}

// intactShare is the share of keys that read no damaged byte (spec/model.md 11). The slots of a key are independent of each other, each in
// its part of the shard; damage is not, so that the parts are counted one by one.
func (s *slots) intactShare(a *array) float64 {
	parts, starts := s.parts()
	length := s.shardSlots / parts
	known := make([]float64, parts)
	sum := 0.0
	for shard := uint64(0); shard < s.shards; shard++ {
		if a.damage.touches(s.roundsAt()+shard, 1) {
			continue
		}
		for part := range known {
			known[part] = s.intactOf(a, shard*s.shardSlots+uint64(part)*length, length)
		}
		for first := uint64(0); first < starts; first++ {
			share := 1.0
			for j := 0; j < s.perKey(); j++ {
				share *= known[(first+uint64(j))%parts]
			}
			sum += share / float64(starts)
		}
	}
	return sum / float64(s.shards)
}

// parts returns the parts of a shard, in adjacent ones of which the slots of a key are, and in how many of them its first slot may be.
// All slots of a dense filter are in one.
func (s *slots) parts() (parts, starts uint64) {
	switch {
	case s.layout == denseLayout:
		return 1, 1
	case s.maxSegmentLog == 0:
		return s.layout, 1
	default:
		parts = s.shardSlots >> s.segmentLog
		return parts, parts - s.layout + 1
	}
}

func (s *slots) intactOf(a *array, first, length uint64) float64 {
	intact := uint64(0)
	for slot := first; slot < first+length; slot++ {
		if !s.hurt(a, slot) {
			intact++
		}
	}
	return float64(intact) / float64(length)
}

func (s *slots) realised(a *array) float64 {
	if s.residueHurt {
		return 1
	}
	rate := s.byChance(s.keys(a))
	if s.shardSlots == 0 || a.damage == nil {
		return rate
	}
	return 1 - s.intactShare(a)*(1-rate)
}
