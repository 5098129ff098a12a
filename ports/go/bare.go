package bloomery

import (
	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

// Blocks without a filter around them: for bytes that belong to another program, such as the filter of a table in a storage engine
// (package engine). A lookup is that of a BlockBloom, and allocates nothing.

// BlockBytes returns the size of a block in bytes; 0 where p is no profile of a block filter.
func (p Profile) BlockBytes() int {
	switch p {
	case Line, TwoLines:
		return 64
	case HalfLine:
		return 32
	case Lanes16:
		return 16
	}
	return 0
}

// Insert inserts a key, by its 64 bits, into blocks that the caller keeps. It panics unless they hold a whole block of this profile.
func (p Profile) Insert(blocks []byte, h uint64) {
	s, _ := p.shape()
	block, count := p.blockOf(blocks, h)
	setBlock(block, h, s.Lanes, s.Width)
	if p == TwoLines {
		h = hash.SplitMix64(h)
		at := hash.MulHi(h, count) * 64
		setBlock(blocks[at:at+64], h, s.Lanes, s.Width)
	}
}

// MayContain answers false only if the key with these 64 bits was definitely not inserted into blocks that the caller keeps. It panics
// unless they hold a whole block of this profile.
func (p Profile) MayContain(blocks []byte, h uint64) bool {
	block, count := p.blockOf(blocks, h)
	hit := testBlock(block, h)
	if hit && p == TwoLines {
		h = hash.SplitMix64(h)
		at := hash.MulHi(h, count) * 64
		hit = testBlock(blocks[at:at+64], h)
	}
	return hit
}

// blockOf is the first block of a key, and how many there are.
func (p Profile) blockOf(blocks []byte, h uint64) (block []byte, count uint64) {
	size := uint64(p.BlockBytes())
	if size == 0 || uint64(len(blocks)) < size {
		panic("bloomery: no whole block of this profile")
	}
	count = uint64(len(blocks)) / size
	at := hash.MulHi(h, count) * size
	return blocks[at : at+size], count
}

// OverBlocks returns a filter whose bits are those of the caller, not copied: for its rates, or to write it as a container. They must
// be whole blocks, at least one (InvalidArgument).
func OverBlocks(p Profile, blocks []byte, h Hasher) (*BlockBloom, error) {
	size := p.BlockBytes()
	if size == 0 || len(blocks) == 0 || len(blocks)%size != 0 {
		return nil, fault.New(InvalidArgument, "these bytes are not whole blocks of a profile")
	}
	return blockOf(array{bits: blocks}, p, uint64(len(blocks)/size), 0, h), nil
}
