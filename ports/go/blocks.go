package bloomery

import (
	"runtime"

	"bloomery/internal/fault"
	"bloomery/internal/model"
)

// blocks is what block and split-block filters share: an array of blocks of equal size, each with lanes.
type blocks struct {
	array
	count    uint64
	capacity uint64
	width    int // bits of a lane
	lanes    int
	lines    int // blocks of a key
	size     uint64
	hasher   Hasher
}

func blocksOf(a array, s model.Shape, count, capacity uint64, h Hasher) blocks {
	return blocks{a, count, capacity, s.Width, s.Lanes, s.Lines, uint64(s.Lanes*s.Width) / 8, h}
}

// blockBytes is the bytes of a block.
func (b *blocks) blockBytes() uint64 { return b.size }

// Blocks returns the number of blocks.
func (b *blocks) Blocks() uint64 { return b.count }

// Hasher returns the hasher that makes keys of bytes.
func (b *blocks) Hasher() Hasher { return b.hasher }

// Capacity returns the number of keys the filter was sized for; 0 if that is not known.
func (b *blocks) Capacity() uint64 { return b.capacity }

// Bits returns the number of bits of all blocks.
func (b *blocks) Bits() uint64 { return 8 * uint64(len(b.bits)) }

// Hashes returns the number of bits that a key sets.
func (b *blocks) Hashes() uint32 { return uint32(b.lanes * b.lines) }

// Clear forgets all keys.
func (b *blocks) Clear() { b.zero(); runtime.KeepAlive(b) }

// Ones returns the number of set bits.
func (b *blocks) Ones() uint64 {
	n := onesIn(b.bits)
	runtime.KeepAlive(b)
	return n
}

// Fill returns the share of set bits.
func (b *blocks) Fill() float64 { return float64(b.Ones()) / float64(b.Bits()) }

func (b *blocks) modelShape() model.Shape {
	return model.Shape{Width: b.width, Lanes: b.lanes, Lines: b.lines}
}

// EstimatedKeys returns how many distinct keys the filter seems to hold; infinite if every bit is set.
func (b *blocks) EstimatedKeys() float64 { return model.BlockKeys(b.modelShape(), b.count, b.Ones()) }

// ExpectedFPR returns the rate that the filter will have once it holds n keys.
func (b *blocks) ExpectedFPR(n uint64) float64 { return model.BlockFPR(b.modelShape(), b.count, n) }

// RealisedFPR returns the rate that the filter has, from its bits: the mean over the blocks of the chance that a random
// key finds its bits there, and keys that share the low 32 bits of one in their block (spec/model.md 7).
func (b *blocks) RealisedFPR() float64 {
	sum, all := 0.0, 0
	for block := uint64(0); block < b.count; block++ {
		chance, ones := b.passing(block)
		sum += chance
		all += ones
	}
	runtime.KeepAlive(b)
	return model.RealisedBlocks(b.modelShape(), b.count, sum/float64(b.count), uint64(all))
}

// passing is the chance that a random key finds its bits in a block, and how many are set there.
func (b *blocks) passing(block uint64) (chance float64, all int) {
	size := b.blockBytes()
	bits := b.bits[block*size : (block+1)*size]
	chance = 1
	for j := 0; j < b.lanes; j++ {
		ones := onesInLane(bits, j, b.lanes, b.width)
		chance *= float64(ones) / float64(b.width)
		all += ones
	}
	return chance, all
}

// Fold makes one block of each group of adjacent blocks. The result is, to the bit, the filter of the same keys with
// as many blocks fewer (spec/filters.md 2.4). groups must divide the number of blocks.
func (b *blocks) Fold(groups uint64) error {
	if groups == 0 || b.count%groups != 0 {
		return fault.New(InvalidArgument, "only a divisor of the number of blocks folds")
	}
	smaller, err := newArray(b.count / groups * b.blockBytes())
	if err != nil {
		return err
	}
	foldInto(smaller.bits, b.bits, int(b.blockBytes()), groups)
	old := b.array
	b.array, b.count = smaller, b.count/groups
	b.damaged, b.noted = old.damaged, old.noted
	return old.Close()
}

// foldInto sets in block i of dst the bits of the i-th group of blocks of src.
func foldInto(dst, src []byte, size int, groups uint64) {
	for at := 0; at < len(dst); at += size {
		for g := uint64(0); g < groups; g++ {
			orInto(dst[at:at+size], src[:size])
			src = src[size:]
		}
	}
}

// fits refuses a filter of another profile or hasher.
func (b *blocks) fits(other *blocks) error {
	switch {
	case b.width != other.width || b.lanes != other.lanes || b.lines != other.lines:
		return fault.New(Incompatible, "filters of different profiles do not combine")
	case b.hasher != other.hasher:
		return fault.New(Incompatible, "filters of different hashers, or of keys of different sources, do not combine")
	}
	return nil
}

// merge inserts all keys of another filter of the same profile and hasher; if that has a multiple of the blocks it is
// folded on the way (spec/filters.md 2.5).
func (b *blocks) merge(other *blocks) error {
	if err := b.fits(other); err != nil {
		return err
	}
	if other.count%b.count != 0 {
		return fault.New(Incompatible, "the other filter's blocks are no multiple of this one's")
	}
	foldInto(b.bits, other.bits, int(b.blockBytes()), other.count/b.count)
	b.damaged = b.damaged || other.damaged
	runtime.KeepAlive(b)
	runtime.KeepAlive(other)
	return nil
}

// intersect keeps the bits that another filter of the same profile and hasher and as many blocks has too.
func (b *blocks) intersect(other *blocks) error {
	if err := b.fits(other); err != nil {
		return err
	}
	if other.count != b.count {
		return fault.New(Incompatible, "the other filter has another number of blocks")
	}
	andInto(b.bits, other.bits)
	b.damaged = b.damaged || other.damaged
	runtime.KeepAlive(b)
	runtime.KeepAlive(other)
	return nil
}

// blockBits is the bits of a block of a header's profile.
func blockBits(i *Info) uint64 {
	s, _ := i.Profile.shape()
	return uint64(s.Lanes * s.Width)
}
