package bloomery

import "bloomery/internal/hash"

var fuseLayouts = slotLayouts{has: []uint64{3, 4}, maxSegmentLog: 16, fits: fuseShardFits, places: fuseSlots}

// fuseKind is its row in the table of kinds. A fuse filter gives each key a fingerprint of some bits and three or four slots in adjacent
// segments, whose exclusive or it is (spec/filters.md 10). It is built of all its keys at once.
var fuseKind = fuseLayouts.row()

// fuseShardFits: a shard is whole segments, as many as a key has slots at least.
func fuseShardFits(s *slots) bool {
	return s.shardSlots%(1<<s.segmentLog) == 0 && s.shardSlots>>s.segmentLog >= s.layout
}

// fuseSlots are one slot in each of as many adjacent segments.
func fuseSlots(s *slots, x uint64) [4]uint64 {
	starts := s.shardSlots - (s.layout-1)<<s.segmentLog
	first := hash.MulHi(x, starts)
	log := s.segmentLog & 63
	segment := uint64(1) << log
	return [4]uint64{
		first, (first + segment) ^ x&(segment-1), (first + 2*segment) ^ x>>16&(segment-1), (first + 3*segment) ^ x>>32&(segment-1),
	}
}
