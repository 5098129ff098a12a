package bloomery

import "math/bits"

var xorLayouts = slotLayouts{has: []uint64{3}, fits: xorShardFits, places: xorSlots}

// xorKind is its row in the table of kinds.
var xorKind = kindRow{
	Facts:  slotFacts(KindXor, "xor"),
	filter: (*Xor)(nil), static: true, open: openXor, check: xorLayouts.check, payloadFits: xorLayouts.payloadFits,
}

// A Xor filter is as a Fuse filter, with one slot of a key in each of three blocks (spec/filters.md 11). It needs more slots.
type Xor struct{ slotFilter }

func openXor(i *Info, a array, h Hasher) Filter { return &Xor{xorLayouts.open(i, a, h)} }

// xorShardFits: a shard is three blocks of at most 2^32 - 1 slots.
func xorShardFits(s *slots) bool {
	block := s.shardSlots / 3
	return s.shardSlots%3 == 0 && 1 <= block && block < 1<<32
}

// xorSlots are one slot in each block.
func xorSlots(s *slots, x uint64, out []uint64) {
	block := s.shardSlots / 3
	for j := range out {
		out[j] = uint64(j)*block + uint64(uint32(bits.RotateLeft64(x, 21*j)))*block>>32
	}
}

// Clone returns a copy that shares no memory with f.
func (f *Xor) Clone() (*Xor, error) {
	b, err := f.cloned()
	if err != nil {
		return nil, err
	}
	return &Xor{slotFilter{b, f.slots}}, nil
}

// String returns a short description.
func (f *Xor) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *Xor) GoString() string { return "bloomery.Xor(" + f.String() + ")" }
