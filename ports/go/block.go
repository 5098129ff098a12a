package bloomery

import (
	"runtime"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
	"bloomery/internal/model"
)

// A Profile is the shape of a block; its number is stored in files.
type Profile uint8

// The profiles. Split is that of split-block filters.
const (
	HalfLine Profile = 1 // 4 lanes of 64 bits, 32 bytes
	Line     Profile = 2 // 8 lanes of 64 bits, 64 bytes
	TwoLines Profile = 3 // the same, in two blocks per key
	Split    Profile = 4 // 8 lanes of 32 bits
	Lanes16  Profile = 5 // 8 lanes of 16 bits, 16 bytes: what a counting filter becomes without its counts
)

// String returns the name of the profile.
func (p Profile) String() string {
	switch p {
	case HalfLine:
		return "half-line"
	case Line:
		return "line"
	case TwoLines:
		return "two-lines"
	case Split:
		return "split"
	case Lanes16:
		return "lanes16"
	}
	return "none"
}

func (p Profile) shape() (s model.Shape, ok bool) {
	switch p {
	case HalfLine:
		return model.Shape{Width: 64, Lanes: 4, Lines: 1}, true
	case Line:
		return model.Shape{Width: 64, Lanes: 8, Lines: 1}, true
	case TwoLines:
		return model.Shape{Width: 64, Lanes: 8, Lines: 2}, true
	case Split:
		return model.Shape{Width: 32, Lanes: 8, Lines: 1}, true
	case Lanes16:
		return model.Shape{Width: 16, Lanes: 8, Lines: 1}, true
	}
	return model.Shape{}, false
}

// maxBlockBytes is the largest array of a block filter.
const maxBlockBytes = 1 << 48

// blockKind is its row in the table of kinds.
var blockKind = kindRow{
	filter: (*BlockBloom)(nil), make: makeBlock, open: openBlock, positions: blockPositions, member: inBlocks,
}

// A BlockBloom reads and writes one cache line per key, or two with the profile TwoLines (spec/filters.md 2).
type BlockBloom struct {
	blocks
	profile Profile
}

// BlockOptions say how large a block filter is to be: Keys with FPR, or Profile with Blocks. The zero Hasher is XXH3
// with seed 0.
type BlockOptions struct {
	Keys    uint64
	FPR     float64
	Profile Profile // 0: the one that suits the rate, which is never Lanes16
	Blocks  uint64
	Hasher  Hasher
}

// MakeBlock makes an empty filter.
func MakeBlock(o BlockOptions) (*BlockBloom, error) {
	if (o.FPR != 0) == (o.Blocks != 0) {
		return nil, fault.New(InvalidArgument, "either Keys with FPR, or Blocks with Profile, is needed")
	}
	if o.FPR != 0 {
		if o.Keys == 0 || !(o.FPR > 0 && o.FPR < 1) {
			return nil, fault.New(InvalidArgument, "a size needs keys and a rate between 0 and 1")
		}
		if o.Profile == 0 {
			o.Profile = profileFor(o.FPR)
		}
	}
	s, ok := o.Profile.shape()
	if !ok || o.Profile == Split {
		return nil, fault.New(InvalidArgument, "no such profile of a block filter")
	}
	size := uint64(s.Lanes * s.Width / 8)
	if o.FPR != 0 {
		if o.Blocks = model.SizeBlocks(s, o.Keys, o.FPR, maxBlockBytes/size); o.Blocks == 0 {
			return nil, fault.New(TooLarge, "so many keys at that rate need more than 2^48 bytes")
		}
	}
	if o.Blocks > maxBlockBytes/size {
		return nil, fault.New(TooLarge, "a block filter has at most 2^48 bytes")
	}
	a, err := newArray(o.Blocks * size)
	if err != nil {
		return nil, err
	}
	a.asked = o.FPR
	return blockOf(a, o.Profile, o.Blocks, o.Keys, o.Hasher), nil
}

func makeBlock(s Shape, h Hasher, capacity uint64) (Filter, error) {
	return orNothing(MakeBlock(BlockOptions{Profile: s.Profile, Blocks: s.Units, Keys: capacity, Hasher: h}))
}

// profileFor is spec/filters.md 2.6.
func profileFor(fpr float64) Profile {
	switch {
	case fpr >= 0.03:
		return HalfLine
	case fpr >= 0.0005:
		return Line
	}
	return TwoLines
}

func blockOf(a array, p Profile, count, capacity uint64, h Hasher) *BlockBloom {
	s, _ := p.shape()
	return &BlockBloom{blocksOf(a, s, count, capacity, h), p}
}

// Profile returns the shape of the blocks.
func (f *BlockBloom) Profile() Profile { return f.profile }

// Kind returns KindBlock.
func (f *BlockBloom) Kind() Kind { return KindBlock }

// Shape returns the profile, the bits that a key sets, and the blocks.
func (f *BlockBloom) Shape() Shape {
	return Shape{Profile: f.profile, Hashes: f.Hashes(), Units: f.count}
}

// blockAt is the block of a key.
func (f *BlockBloom) blockAt(h uint64) []byte {
	at := hash.MulHi(h, f.count) * f.size
	return f.bits[at : at+f.size : at+f.size]
}

// InsertHash inserts a key by its 64 bits under the filter's hasher.
func (f *BlockBloom) InsertHash(h uint64) {
	if f.profile == Line {
		setLine((*[64]byte)(f.bits[hash.MulHi(h, f.count)*64:]), uint32(h))
	} else {
		f.insertOtherwise(h)
	}
	runtime.KeepAlive(f)
}

// insertOtherwise is InsertHash for the other profiles.
func (f *BlockBloom) insertOtherwise(h uint64) {
	setBlock(f.blockAt(h), h, f.lanes, f.width)
	if f.lines == 2 {
		h = hash.SplitMix64(h)
		setBlock(f.blockAt(h), h, f.lanes, f.width)
	}
}

// MayContainHash answers false only if the key with these 64 bits was definitely not inserted.
func (f *BlockBloom) MayContainHash(h uint64) bool {
	var hit bool
	if f.profile == Line {
		hit = testLine((*[64]byte)(f.bits[hash.MulHi(h, f.count)*64:]), uint32(h))
	} else {
		hit = f.testOtherwise(h)
	}
	runtime.KeepAlive(f)
	return hit
}

// testOtherwise is MayContainHash for the other profiles.
func (f *BlockBloom) testOtherwise(h uint64) bool {
	hit := testBlock(f.blockAt(h), h)
	if hit && f.lines == 2 {
		h = hash.SplitMix64(h)
		hit = testBlock(f.blockAt(h), h)
	}
	return hit
}

// Insert inserts a key.
func (f *BlockBloom) Insert(key []byte) { f.InsertHash(f.hasher.Hash(key)) }

// InsertString inserts a key.
func (f *BlockBloom) InsertString(key string) { f.InsertHash(f.hasher.HashString(key)) }

// InsertMany inserts all keys.
func (f *BlockBloom) InsertMany(keys [][]byte) { insertMany(f.InsertHash, f.hasher, keys) }

// InsertManyHashes inserts keys by their 64 bits.
func (f *BlockBloom) InsertManyHashes(hashes []uint64) {
	for _, h := range hashes {
		f.InsertHash(h)
	}
}

// InsertIfAbsent inserts a key unless it is possibly present, and returns whether it inserted it.
func (f *BlockBloom) InsertIfAbsent(key []byte) bool { return insertIfAbsent(f, f.hasher.Hash(key)) }

// InsertIfAbsentHash is InsertIfAbsent by the 64 bits of a key.
func (f *BlockBloom) InsertIfAbsentHash(h uint64) bool { return insertIfAbsent(f, h) }

// MayContain answers false only if the key was definitely not inserted.
func (f *BlockBloom) MayContain(key []byte) bool { return f.MayContainHash(f.hasher.Hash(key)) }

// MayContainString is MayContain for a string. It does not allocate.
func (f *BlockBloom) MayContainString(key string) bool {
	return f.MayContainHash(f.hasher.HashString(key))
}

// MayContainMany answers for every key, in out, which must be as long; it returns how many may be there.
func (f *BlockBloom) MayContainMany(keys [][]byte, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}

// MayContainManyHashes is MayContainMany by the 64 bits of keys.
func (f *BlockBloom) MayContainManyHashes(hashes []uint64, out []bool) int {
	out = out[:len(hashes)]
	n := 0
	for i, h := range hashes {
		hit := f.MayContainHash(h)
		out[i] = hit
		if hit {
			n++
		}
	}
	return n
}

// Merge inserts all keys of another filter of the same profile and hasher, which may have a multiple of the blocks.
func (f *BlockBloom) Merge(other Filter) error {
	g, err := sameKind[*BlockBloom](other)
	if err != nil {
		return err
	}
	return f.merge(&g.blocks)
}

// Intersect keeps the bits that another filter of the same profile and hasher with as many blocks has too.
func (f *BlockBloom) Intersect(other Filter) error {
	g, err := sameKind[*BlockBloom](other)
	if err != nil {
		return err
	}
	return f.intersect(&g.blocks)
}

func openBlock(i *Info, a array, h Hasher) Filter {
	return blockOf(a, i.Profile, i.Units, i.Capacity, h)
}

func blockPositions(s Shape, h uint64) (out []uint64) {
	p, _ := s.Profile.shape()
	for line := 0; line < p.Lines; line++ {
		block := hash.MulHi(h, s.Units) * uint64(p.Lanes*p.Width)
		for j := 0; j < p.Lanes; j++ {
			at, shift := laneBit(h, j, p.Lanes, p.Width)
			out = append(out, block+8*uint64(at)+uint64(shift))
		}
		h = hash.SplitMix64(h)
	}
	return out
}

// inBlocks looks a key up in so many blocks, a member of a packed set.
func inBlocks(blocks []byte, count uint64, s model.Shape, h uint64) bool {
	size := uint64(s.Lanes * s.Width / 8)
	for line := 0; line < s.Lines; line++ {
		at := hash.MulHi(h, count) * size
		if !testBlock(blocks[at:at+size], h) {
			return false
		}
		h = hash.SplitMix64(h)
	}
	return true
}
