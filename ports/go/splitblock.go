package bloomery

import (
	"runtime"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
	"bloomery/internal/model"
)

// maxSplitBlocks is the first number of blocks that a split-block filter cannot have: a key has 32 bits to choose with.
const maxSplitBlocks = 1 << 26

const splitBlockBytes = 32

// splitBlockKind is its row in the table of kinds.
var splitBlockKind = kindRow{
	filter: (*SplitBlockBloom)(nil), make: makeSplitBlock, open: openSplitBlock, positions: splitBlockPositions,
	member: inSplitBlocks,
}

// A SplitBlockBloom is Apache Parquet's filter, bit for bit (spec/filters.md 3).
type SplitBlockBloom struct{ blocks }

// SplitBlockOptions say how large a split-block filter is to be: Keys with FPR, or Blocks.
type SplitBlockOptions struct {
	Keys   uint64
	FPR    float64
	Blocks uint64
	Source Source // what keys are; bytes by default
}

// MakeSplitBlock makes an empty filter.
func MakeSplitBlock(o SplitBlockOptions) (*SplitBlockBloom, error) {
	if err := o.Source.known(); err != nil {
		return nil, err
	}
	if (o.FPR != 0) == (o.Blocks != 0) {
		return nil, fault.New(InvalidArgument, "either Keys with FPR, or Blocks, is needed")
	}
	if o.FPR != 0 {
		if o.Keys == 0 || !(o.FPR > 0 && o.FPR < 1) {
			return nil, fault.New(InvalidArgument, "a size needs keys and a rate between 0 and 1")
		}
		s, _ := Split.shape()
		if o.Blocks = model.SizeBlocks(s, o.Keys, o.FPR, maxSplitBlocks-1); o.Blocks == 0 {
			return nil, fault.New(TooLarge, "a split-block filter has fewer than 2^26 blocks")
		}
	}
	if o.Blocks >= maxSplitBlocks {
		return nil, fault.New(TooLarge, "a split-block filter has fewer than 2^26 blocks")
	}
	a, err := newArray(o.Blocks * splitBlockBytes)
	if err != nil {
		return nil, err
	}
	a.asked = o.FPR
	return splitBlockOf(a, o.Blocks, o.Keys, o.Source), nil
}

func makeSplitBlock(s Shape, h Hasher, capacity uint64) (Filter, error) {
	return orNothing(MakeSplitBlock(SplitBlockOptions{Blocks: s.Units, Keys: capacity, Source: h.source}))
}

func splitBlockOf(a array, count, capacity uint64, source Source) *SplitBlockBloom {
	s, _ := Split.shape()
	return &SplitBlockBloom{blocksOf(a, s, count, capacity, NewXXH64(0).Of(source))}
}

// Kind returns KindSplitBlock.
func (f *SplitBlockBloom) Kind() Kind { return KindSplitBlock }

// Shape returns the profile, the bits that a key sets, and the blocks.
func (f *SplitBlockBloom) Shape() Shape {
	return Shape{Profile: Split, Hashes: f.Hashes(), Units: f.count}
}

func (f *SplitBlockBloom) blockAt(h uint64) []byte {
	at := (h >> 32) * f.count >> 32 * splitBlockBytes
	return f.bits[at : at+splitBlockBytes : at+splitBlockBytes]
}

// InsertHash inserts a key by its 64 bits under XXH64 with seed 0.
func (f *SplitBlockBloom) InsertHash(h uint64) {
	setSplit((*[splitBlockBytes]byte)(f.blockAt(h)), uint32(h))
	runtime.KeepAlive(f)
}

// MayContainHash answers false only if the key with these 64 bits was definitely not inserted.
func (f *SplitBlockBloom) MayContainHash(h uint64) bool {
	hit := testSplit(f.blockAt(h), h)
	runtime.KeepAlive(f)
	return hit
}

// hash is the hash of a key of bytes.
func (f *SplitBlockBloom) hash(key []byte) uint64 {
	f.hasher.source.mustBeBytes()
	return hash.XXH64(key, 0)
}

// Insert inserts a key: the bytes of a value in Parquet's plain encoding, without a length in front.
func (f *SplitBlockBloom) Insert(key []byte) { f.InsertHash(f.hash(key)) }

// InsertString inserts a key.
func (f *SplitBlockBloom) InsertString(key string) { f.InsertHash(f.hash(view(key))) }

// InsertMany inserts all keys.
func (f *SplitBlockBloom) InsertMany(keys [][]byte) { insertMany(f.InsertHash, f.hasher, keys) }

// InsertManyHashes inserts keys by their 64 bits.
func (f *SplitBlockBloom) InsertManyHashes(hashes []uint64) {
	for _, h := range hashes {
		f.InsertHash(h)
	}
}

// InsertIfAbsent inserts a key unless it is possibly present, and returns whether it inserted it.
func (f *SplitBlockBloom) InsertIfAbsent(key []byte) bool {
	return insertIfAbsent(f, f.hash(key))
}

// InsertIfAbsentHash is InsertIfAbsent by the 64 bits of a key.
func (f *SplitBlockBloom) InsertIfAbsentHash(h uint64) bool { return insertIfAbsent(f, h) }

// MayContain answers false only if the key was definitely not inserted.
func (f *SplitBlockBloom) MayContain(key []byte) bool {
	f.hasher.source.mustBeBytes()
	return f.MayContainHash(hash.XXH64(key, 0))
}

// MayContainString is MayContain for a string. It does not allocate.
func (f *SplitBlockBloom) MayContainString(key string) bool {
	f.hasher.source.mustBeBytes()
	return f.MayContainHash(hash.XXH64(view(key), 0))
}

// MayContainMany answers for every key, in out, which must be as long; it returns how many may be there.
func (f *SplitBlockBloom) MayContainMany(keys [][]byte, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}

// MayContainManyHashes is MayContainMany by the 64 bits of keys.
func (f *SplitBlockBloom) MayContainManyHashes(hashes []uint64, out []bool) int {
	return countMany(f.MayContainHash, hashes, out)
}

// Merge inserts all keys of another filter, which may have a multiple of the blocks.
func (f *SplitBlockBloom) Merge(other Filter) error {
	g, err := sameKind[*SplitBlockBloom](other)
	if err != nil {
		return err
	}
	return f.merge(&g.blocks)
}

// Intersect keeps the bits that another filter with as many blocks has too.
func (f *SplitBlockBloom) Intersect(other Filter) error {
	g, err := sameKind[*SplitBlockBloom](other)
	if err != nil {
		return err
	}
	return f.intersect(&g.blocks)
}

func openSplitBlock(i *Info, a array, h Hasher) Filter {
	return splitBlockOf(a, i.Units, i.Capacity, h.source)
}

func splitBlockPositions(s Shape, h uint64) (out []uint64) {
	block := (h >> 32) * s.Units >> 32 * splitBlockBytes * 8
	for j, salt := range salts {
		out = append(out, block+32*uint64(j)+uint64(uint32(h)*salt>>27))
	}
	return out
}

// inSplitBlocks looks a key up in so many blocks, a member of a packed set.
func inSplitBlocks(blocks []byte, count uint64, _ model.Shape, h uint64) bool {
	at := (h >> 32) * count >> 32 * splitBlockBytes
	return testSplit(blocks[at:at+splitBlockBytes], h)
}
