package bloomery

import "math/bits"

var xorLayouts = slotLayouts{has: []uint64{3}, fits: xorShardFits, places: xorSlots}

// xorKind is its row in the table of kinds. A xor filter is as a fuse filter, with one slot of a key in each of three blocks
// (spec/filters.md 11). It needs more slots.
var xorKind = xorLayouts.row()

// xorShardFits: a shard is three blocks of at most 2^32 - 1 slots.
func xorShardFits(s *slots) bool {
	block := s.shardSlots / 3
	return s.shardSlots%3 == 0 && 1 <= block && block < 1<<32
}

// xorSlots are one slot in each of three blocks.
func xorSlots(s *slots, x uint64) [4]uint64 {
	block := s.shardSlots / 3
	return [4]uint64{
		uint64(uint32(x)) * block >> 32,
		block + uint64(uint32(bits.RotateLeft64(x, 21)))*block>>32,
		2*block + uint64(uint32(bits.RotateLeft64(x, 42)))*block>>32,
	}
}
