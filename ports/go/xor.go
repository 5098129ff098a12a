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

// xorSlots are one slot in each block.
func xorSlots(s *slots, x uint64, out []uint64) {
	block := s.shardSlots / 3
	for j := range out {
		out[j] = uint64(j)*block + uint64(uint32(bits.RotateLeft64(x, 21*j)))*block>>32
	}
}
