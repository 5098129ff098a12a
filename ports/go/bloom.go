package bloomery

import (
	"math"
	"runtime"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
	"bloomery/internal/model"
)

const (
	maxBloomBits   = 1 << 48
	maxBloomHashes = 64
	bloomStep      = 0xf1357aea2e62a9c5 // Steele and Vigna, 2022
)

// bloomKind is its row in the table of kinds.
var bloomKind = kindRow{
	filter: (*Bloom)(nil), make: makeBloom, open: openBloom, positions: bloomPositions,
}

// A Bloom is the classic filter: the fewest bits at low rates (spec/filters.md 4).
type Bloom struct{ bitArray }

// BloomOptions say how large a classic filter is to be: Keys with FPR, or Bits with Hashes. The zero Hasher is XXH3 with
// seed 0.
type BloomOptions struct {
	Keys   uint64
	FPR    float64
	Bits   uint64
	Hashes uint32
	Hasher Hasher
}

// MakeBloom makes an empty filter.
func MakeBloom(o BloomOptions) (*Bloom, error) {
	if (o.FPR != 0) == (o.Bits != 0 || o.Hashes != 0) {
		return nil, fault.New(InvalidArgument, "either Keys with FPR, or Bits with Hashes, is needed")
	}
	if o.FPR != 0 {
		if o.Keys == 0 || !(o.FPR > 0 && o.FPR < 1) {
			return nil, fault.New(InvalidArgument, "a size needs keys and a rate between 0 and 1")
		}
		bits, k := model.SizeClassic(o.Keys, o.FPR)
		if bits > maxBloomBits {
			return nil, fault.New(TooLarge, "a classic filter has at most 2^48 bits")
		}
		o.Bits, o.Hashes = uint64(bits), uint32(k)
	}
	if o.Bits == 0 || o.Hashes == 0 {
		return nil, fault.New(InvalidArgument, "a filter has at least one bit and one hash")
	}
	if o.Bits > maxBloomBits || o.Hashes > maxBloomHashes {
		return nil, fault.New(TooLarge, "a classic filter has at most 2^48 bits and 64 hashes")
	}
	a, err := newArray(bytesFor(o.Bits))
	if err != nil {
		return nil, err
	}
	a.asked = o.FPR
	return &Bloom{bitArray{a, o.Bits, o.Hashes, o.Keys, o.Hasher}}, nil
}

func makeBloom(s Shape, h Hasher, capacity uint64) (Filter, error) {
	return orNothing(MakeBloom(BloomOptions{Bits: s.Units, Hashes: s.Hashes, Keys: capacity, Hasher: h}))
}

// InsertHash inserts a key by its 64 bits under the filter's hasher.
func (f *Bloom) InsertHash(h uint64) {
	x := h | 1
	for i := f.k; i > 0; i-- {
		x *= bloomStep
		at := hash.MulHi(x, f.m)
		f.bits[at>>3] |= 1 << (at & 7)
	}
	runtime.KeepAlive(f)
}

// MayContainHash answers false only if the key with these 64 bits was definitely not inserted.
func (f *Bloom) MayContainHash(h uint64) bool {
	x := h | 1
	hit := byte(1)
	for i := f.k; i > 0 && hit != 0; i-- {
		x *= bloomStep
		at := hash.MulHi(x, f.m)
		hit = f.bits[at>>3] >> (at & 7) & 1
	}
	runtime.KeepAlive(f)
	return hit != 0
}

// Insert inserts a key.
func (f *Bloom) Insert(key []byte) { f.InsertHash(f.hasher.Hash(key)) }

// InsertString inserts a key.
func (f *Bloom) InsertString(key string) { f.InsertHash(f.hasher.HashString(key)) }

// InsertMany inserts all keys.
func (f *Bloom) InsertMany(keys [][]byte) { insertMany(f.InsertHash, f.hasher, keys) }

// InsertManyHashes inserts keys by their 64 bits.
func (f *Bloom) InsertManyHashes(hashes []uint64) {
	for _, h := range hashes {
		f.InsertHash(h)
	}
}

// InsertIfAbsent inserts a key unless it is possibly present, and returns whether it inserted it.
func (f *Bloom) InsertIfAbsent(key []byte) bool { return insertIfAbsent(f, f.hasher.Hash(key)) }

// InsertIfAbsentHash is InsertIfAbsent by the 64 bits of a key.
func (f *Bloom) InsertIfAbsentHash(h uint64) bool { return insertIfAbsent(f, h) }

// MayContain answers false only if the key was definitely not inserted.
func (f *Bloom) MayContain(key []byte) bool { return f.MayContainHash(f.hasher.Hash(key)) }

// MayContainString is MayContain for a string. It does not allocate.
func (f *Bloom) MayContainString(key string) bool { return f.MayContainHash(f.hasher.HashString(key)) }

// MayContainMany answers for every key, in out, which must be as long; it returns how many may be there.
func (f *Bloom) MayContainMany(keys [][]byte, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}

// MayContainManyHashes is MayContainMany by the 64 bits of keys.
func (f *Bloom) MayContainManyHashes(hashes []uint64, out []bool) int {
	return countMany(f.MayContainHash, hashes, out)
}

// Kind returns KindBloom.
func (f *Bloom) Kind() Kind { return KindBloom }

// Shape returns the number of hashes and bits.
func (f *Bloom) Shape() Shape { return Shape{Hashes: f.k, Units: f.m} }

// EstimatedKeys returns how many distinct keys the filter seems to hold; infinite if every bit is set.
func (f *Bloom) EstimatedKeys() float64 {
	return model.ClassicKeys(float64(f.m), float64(f.k), float64(f.Ones()))
}

// ExpectedFPR returns the rate that the filter will have once it holds n keys.
func (f *Bloom) ExpectedFPR(n uint64) float64 {
	return math.Min(1, model.ClassicFPR(float64(f.m), float64(f.k), float64(n))+float64(n)/math.Exp2(63))
}

// RealisedFPR returns the rate that the filter has, from its bits, and keys that start their walk as one of them does.
func (f *Bloom) RealisedFPR() float64 {
	return model.WithCollisions(math.Pow(f.Fill(), float64(f.k)), f.EstimatedKeys(), 63)
}

// Merge inserts all keys of another filter with equal bits, hashes and hasher; others are refused (Incompatible).
func (f *Bloom) Merge(other Filter) error { return f.with(other, orInto) }

// Intersect keeps the bits that another filter has too, under the conditions of Merge.
func (f *Bloom) Intersect(other Filter) error { return f.with(other, andInto) }

func (f *Bloom) with(other Filter, into func(dst, src []byte)) error {
	g, err := sameKind[*Bloom](other)
	if err != nil {
		return err
	}
	return f.combine(&g.bitArray, into)
}

func openBloom(i *Info, a array, h Hasher) Filter {
	return &Bloom{bitArray{a, i.Units, i.Hashes, i.Capacity, h}}
}

func bloomPositions(s Shape, h uint64) (out []uint64) {
	x := h | 1
	for i := uint32(0); i < s.Hashes; i++ {
		x *= bloomStep
		out = append(out, hash.MulHi(x, s.Units))
	}
	return out
}
