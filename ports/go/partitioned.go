package bloomery

import (
	"math/bits"
	"runtime"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
	"bloomery/internal/model"
)

const (
	maxPartitionedBits   = 1 << 48
	maxPartitionedHashes = 64
)

// partitionedKind is its row in the table of kinds.
var partitionedKind = kindRow{
	filter: (*PartitionedBloom)(nil), make: makePartitioned, open: openPartitioned, positions: partitionedPositions,
}

// A PartitionedBloom has a slice of the array for each of the k bits of a key (spec/filters.md 6). The slices are independent: its
// expected rate has an exact closed form. It takes hardly more bits than the classic filter. A slice may have any number of them.
type PartitionedBloom struct {
	bitArray
	slice uint64 // bits of a slice; m = k * slice
}

// PartitionedOptions say how large a partitioned filter is to be: Keys with FPR, or Slice, the bits of one slice, with Hashes, the
// number of slices. The zero Hasher is XXH3 with seed 0.
type PartitionedOptions struct {
	Keys   uint64
	FPR    float64
	Slice  uint64
	Hashes uint32
	Hasher Hasher
}

// MakePartitioned makes an empty filter.
func MakePartitioned(o PartitionedOptions) (*PartitionedBloom, error) {
	tooLarge := fault.New(TooLarge, "a partitioned filter has at most 2^48 bits and 64 hashes")
	if (o.FPR != 0) == (o.Slice != 0 || o.Hashes != 0) {
		return nil, fault.New(InvalidArgument, "either Keys with FPR, or Slice with Hashes, is needed")
	}
	if o.FPR != 0 {
		if o.Keys == 0 || !(o.FPR > 0 && o.FPR < 1) {
			return nil, fault.New(InvalidArgument, "a size needs keys and a rate between 0 and 1")
		}
		slice, k := model.SizePartitioned(o.Keys, o.FPR)
		if slice > maxPartitionedBits {
			return nil, tooLarge
		}
		o.Slice, o.Hashes = uint64(slice), uint32(k)
	}
	if o.Slice == 0 || o.Hashes == 0 {
		return nil, fault.New(InvalidArgument, "a filter has at least one bit and one hash")
	}
	if o.Hashes > maxPartitionedHashes || o.Slice > maxPartitionedBits/uint64(o.Hashes) {
		return nil, tooLarge
	}
	a, err := newArray(bytesFor(o.Slice * uint64(o.Hashes)))
	if err != nil {
		return nil, err
	}
	a.asked = o.FPR
	return partitionedOf(a, o.Slice, o.Hashes, o.Keys, o.Hasher), nil
}

func partitionedOf(a array, slice uint64, k uint32, capacity uint64, h Hasher) *PartitionedBloom {
	return &PartitionedBloom{bitArray{a, uint64(k) * slice, k, capacity, h}, slice}
}

func makePartitioned(s Shape, h Hasher, capacity uint64) (Filter, error) {
	return orNothing(MakePartitioned(PartitionedOptions{Slice: s.Units, Hashes: s.Hashes, Keys: capacity, Hasher: h}))
}

func openPartitioned(i *Info, a array, h Hasher) Filter {
	return partitionedOf(a, i.Units, i.Hashes, i.Capacity, h)
}

// InsertHash inserts a key by its 64 bits under the filter's hasher.
func (f *PartitionedBloom) InsertHash(h uint64) {
	x := h | 1
	for from := uint64(0); from < f.m; from += f.slice {
		x *= bloomStep
		at := from + hash.MulHi(x, f.slice)
		f.bits[at>>3] |= 1 << (at & 7)
	}
	runtime.KeepAlive(f)
}

// MayContainHash answers false only if the key with these 64 bits was definitely not inserted.
func (f *PartitionedBloom) MayContainHash(h uint64) bool {
	x := h | 1
	hit := byte(1)
	for from := uint64(0); from < f.m && hit != 0; from += f.slice {
		x *= bloomStep
		at := from + hash.MulHi(x, f.slice)
		hit = f.bits[at>>3] >> (at & 7) & 1
	}
	runtime.KeepAlive(f)
	return hit != 0
}

// Insert inserts a key.
func (f *PartitionedBloom) Insert(key []byte) { f.InsertHash(f.hasher.Hash(key)) }

// InsertString inserts a key.
func (f *PartitionedBloom) InsertString(key string) { f.InsertHash(f.hasher.HashString(key)) }

// InsertMany inserts all keys.
func (f *PartitionedBloom) InsertMany(keys [][]byte) { insertMany(f.InsertHash, f.hasher, keys) }

// InsertManyHashes inserts keys by their 64 bits.
func (f *PartitionedBloom) InsertManyHashes(hashes []uint64) {
	for _, h := range hashes {
		f.InsertHash(h)
	}
}

// InsertIfAbsent inserts a key unless it is possibly present, and returns whether it inserted it.
func (f *PartitionedBloom) InsertIfAbsent(key []byte) bool {
	return insertIfAbsent(f, f.hasher.Hash(key))
}

// InsertIfAbsentHash is InsertIfAbsent by the 64 bits of a key.
func (f *PartitionedBloom) InsertIfAbsentHash(h uint64) bool { return insertIfAbsent(f, h) }

// MayContain answers false only if the key was definitely not inserted.
func (f *PartitionedBloom) MayContain(key []byte) bool { return f.MayContainHash(f.hasher.Hash(key)) }

// MayContainString is MayContain for a string. It does not allocate.
func (f *PartitionedBloom) MayContainString(key string) bool {
	return f.MayContainHash(f.hasher.HashString(key))
}

// MayContainMany answers for every key, in out, which must be as long; it returns how many may be there.
func (f *PartitionedBloom) MayContainMany(keys [][]byte, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}

// MayContainManyHashes is MayContainMany by the 64 bits of keys.
func (f *PartitionedBloom) MayContainManyHashes(hashes []uint64, out []bool) int {
	return countMany(f.MayContainHash, hashes, out)
}

// Kind returns KindPartitioned.
func (f *PartitionedBloom) Kind() Kind { return KindPartitioned }

// Shape returns the number of slices and the bits of one.
func (f *PartitionedBloom) Shape() Shape { return Shape{Hashes: f.k, Units: f.slice} }

// SliceBits returns the number of bits of a slice.
func (f *PartitionedBloom) SliceBits() uint64 { return f.slice }

// SliceFill returns the share of set bits of slice j, which is below Hashes.
func (f *PartitionedBloom) SliceFill(j uint32) float64 {
	from := uint64(j) * f.slice
	n := onesBetween(f.bits, from, from+f.slice)
	runtime.KeepAlive(f)
	return float64(n) / float64(f.slice)
}

// onesBetween counts the set bits from one place up to, not including, another.
func onesBetween(b []byte, from, to uint64) uint64 {
	first, last := bytesFor(from), to/8 // the whole bytes
	if first > last {
		return uint64(bits.OnesCount8(b[last] >> (from % 8) & (1<<(to-from) - 1)))
	}
	n := onesIn(b[first:last])
	if r := from % 8; r != 0 {
		n += uint64(bits.OnesCount8(b[first-1] >> r))
	}
	if r := to % 8; r != 0 {
		n += uint64(bits.OnesCount8(b[last] & (1<<r - 1)))
	}
	return n
}

// EstimatedKeys returns how many distinct keys the filter seems to hold; infinite if every bit is set.
func (f *PartitionedBloom) EstimatedKeys() float64 {
	return model.PartitionedKeys(float64(f.slice), float64(f.k), float64(f.Ones()))
}

// ExpectedFPR returns the rate that the filter will have once it holds n keys.
func (f *PartitionedBloom) ExpectedFPR(n uint64) float64 {
	return model.PartitionedFPR(float64(f.slice), float64(f.k), float64(n))
}

// RealisedFPR returns the rate that the filter has, from its bits: the product of the fills of its slices, and
// keys that differ from one of them in the lowest bit only.
func (f *PartitionedBloom) RealisedFPR() float64 {
	rate := 1.0
	for j := uint32(0); j < f.k; j++ {
		rate *= f.SliceFill(j)
	}
	return model.WithCollisions(rate, f.EstimatedKeys(), 63)
}

// Merge inserts all keys of another filter with equal slices and hasher; others are refused (Incompatible).
func (f *PartitionedBloom) Merge(other Filter) error { return f.with(other, orInto) }

// Intersect keeps the bits that another filter has too, under the conditions of Merge.
func (f *PartitionedBloom) Intersect(other Filter) error { return f.with(other, andInto) }

func (f *PartitionedBloom) with(other Filter, into func(dst, src []byte)) error {
	g, err := sameKind[*PartitionedBloom](other)
	if err != nil {
		return err
	}
	return f.combine(&g.bitArray, into)
}

func partitionedPositions(s Shape, h uint64) (out []uint64) {
	x := h | 1
	for j := uint64(0); j < uint64(s.Hashes); j++ {
		x *= bloomStep
		out = append(out, j*s.Units+hash.MulHi(x, s.Units))
	}
	return out
}
