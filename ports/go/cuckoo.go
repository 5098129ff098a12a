package bloomery

import (
	"encoding/binary"
	"math"
	"runtime"

	"bloomery/internal/hash"
)

const (
	cuckooSlots   = 4
	maxCuckooBits = 1 << 48
	cuckooStep    = 0x9e3779b97f4a7c15
)

var cuckooIdentity = Field{"identity", 100, 8}

// cuckooKind is its row in the table of kinds.
var cuckooKind = kindRow{
	Facts: Facts{
		Kind: KindCuckoo, Name: "cuckoo", Hashers: anyHash, Seed: true, Profiles: []Profile{0}, K: KRange{Min: 6, Max: 32},
		Units: "buckets", Max: Limit{"bits", maxCuckooBits}, Payload: "buckets", Parameters: []Field{cuckooIdentity},
		Damage: DamagePerhaps,
	},
	filter: (*Cuckoo)(nil), open: openCuckoo, unitBits: func(i *Info) uint64 { return cuckooSlots * uint64(i.Hashes) },
	unitsFit: func(i *Info) bool { return i.Units%2 == 0 }, positions: cuckooPositions,
}

// A Cuckoo filter keeps a tag of some bits of each key, in one of two buckets (spec/filters.md 7). It comes out of a container, and
// is read here: keys are inserted and erased by the program that made it.
type Cuckoo struct {
	array
	buckets  uint64
	tagBits  uint32
	identity uint64
	capacity uint64
	hasher   Hasher
}

func openCuckoo(i *Info, a array, h Hasher) Filter {
	return &Cuckoo{a, i.Units, i.Hashes, i.Parameters.Get(cuckooIdentity), i.Capacity, h}
}

// tags is how many different tags there are.
func (f *Cuckoo) tags() uint64 { return 1<<f.tagBits - 1 }

// places are the tag of a key and its two buckets, which are never the same.
func (f *Cuckoo) places(h uint64) (tag, first, second uint64) {
	tag = 1 + hash.MulHi(h*cuckooStep, f.tags())
	first = hash.MulHi(h, f.buckets)
	return tag, first, f.other(first, tag)
}

// other is the second bucket of a tag that has this one.
func (f *Cuckoo) other(bucket, tag uint64) uint64 {
	x := tag * bloomStep
	x = (x ^ x>>32) * cuckooStep
	d := 2*hash.MulHi(x, f.buckets/2) + 1
	if bucket <= d {
		return d - bucket
	}
	return d + f.buckets - bucket
}

// span is the bytes that a bucket lies in, and the bit of the first where it begins: 0 or 4.
func (f *Cuckoo) span(bucket uint64) (at, n uint64, shift uint) {
	width := uint64(f.tagBits)
	at, shift = bucket*width/2, uint(bucket&width&1)*4
	return at, (uint64(shift) + cuckooSlots*width + 7) / 8, shift
}

// word is the 8 bytes from a place on; those after the array are 0.
func (f *Cuckoo) word(at uint64) uint64 {
	if at+8 <= uint64(len(f.bits)) {
		return binary.LittleEndian.Uint64(f.bits[at:])
	}
	var last [8]byte
	if at < uint64(len(f.bits)) {
		copy(last[:], f.bits[at:])
	}
	return binary.LittleEndian.Uint64(last[:])
}

// slots are the tags of a bucket; 0: empty.
func (f *Cuckoo) slots(bucket uint64) [cuckooSlots]uint64 {
	at, n, shift := f.span(bucket)
	low, high := f.word(at), uint64(0)
	if n > 8 {
		high = f.word(at + 8)
	}
	low, high = low>>shift|high<<1<<(63-shift), high>>shift
	width, mask := uint(f.tagBits), f.tags()
	upper := low>>(2*width) | high<<(64-2*width)
	return [cuckooSlots]uint64{low & mask, low >> width & mask, upper & mask, upper >> width & mask}
}

// copies is how many slots of a bucket hold a tag.
func (f *Cuckoo) copies(bucket, tag uint64) (n uint64) {
	for _, t := range f.slots(bucket) {
		if t == tag {
			n++
		}
	}
	return n
}

// hurt reports whether a bucket has a byte in a damaged chunk.
func (f *Cuckoo) hurt(bucket uint64) bool {
	if f.damage == nil {
		return false
	}
	at, n, _ := f.span(bucket)
	return f.damage.touches(at, n)
}

// MayContainHash answers false only if the key with these 64 bits is definitely not present.
func (f *Cuckoo) MayContainHash(h uint64) bool { return f.CountHash(h) > 0 }

// CountHash is Count by the 64 bits of a key.
func (f *Cuckoo) CountHash(h uint64) uint64 {
	tag, first, second := f.places(h)
	n := uint64(2 * cuckooSlots)
	if !f.hurt(first) && !f.hurt(second) {
		n = f.copies(first, tag) + f.copies(second, tag)
	}
	runtime.KeepAlive(f)
	return n
}

// Count returns how many copies of a key there are, or more, at most 8. Where its buckets are damaged it is 8.
func (f *Cuckoo) Count(key []byte) uint64 { return f.CountHash(f.hasher.Hash(key)) }

// MayContain answers false only if the key is definitely not present.
func (f *Cuckoo) MayContain(key []byte) bool { return f.MayContainHash(f.hasher.Hash(key)) }

// MayContainString is MayContain for a string. It does not allocate.
func (f *Cuckoo) MayContainString(key string) bool {
	return f.MayContainHash(f.hasher.HashString(key))
}

// MayContainUint64 answers false only if the integer is definitely not present.
func (f *Cuckoo) MayContainUint64(x uint64) bool { return f.MayContainHash(f.hasher.HashUint64(x)) }

// MayContainMany answers for every key, in out, which must be as long; it returns how many may be there.
func (f *Cuckoo) MayContainMany(keys [][]byte, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}

// MayContainManyHashes is MayContainMany by the 64 bits of keys.
func (f *Cuckoo) MayContainManyHashes(hashes []uint64, out []bool) int {
	return countMany(f.MayContainHash, hashes, out)
}

// Kind returns KindCuckoo.
func (f *Cuckoo) Kind() Kind { return KindCuckoo }

// Hasher returns the hasher that makes keys of bytes.
func (f *Cuckoo) Hasher() Hasher { return f.hasher }

// Shape returns the bits of a tag, as Hashes, the buckets, and the identity.
func (f *Cuckoo) Shape() Shape {
	s := Shape{Hashes: f.tagBits, Units: f.buckets}
	s.Parameters.Put(cuckooIdentity, f.identity)
	return s
}

// Buckets returns the number of buckets, of four slots each.
func (f *Cuckoo) Buckets() uint64 { return f.buckets }

// TagBits returns the bits of a tag.
func (f *Cuckoo) TagBits() uint32 { return f.tagBits }

// Identity returns the number that its maker chose to tell filters of one shape apart; 0 if none.
func (f *Cuckoo) Identity() uint64 { return f.identity }

// Bits returns the number of bits of all slots.
func (f *Cuckoo) Bits() uint64 { return 8 * uint64(len(f.bits)) }

// Hashes returns the bits of a tag, which containers keep in the place of a number of hashes.
func (f *Cuckoo) Hashes() uint32 { return f.tagBits }

// Capacity returns the number of keys the filter was sized for; 0 if that is not known.
func (f *Cuckoo) Capacity() uint64 { return f.capacity }

// Ones returns the number of set bits.
func (f *Cuckoo) Ones() uint64 {
	n := onesIn(f.bits)
	runtime.KeepAlive(f)
	return n
}

// Fill returns the share of slots that are taken.
func (f *Cuckoo) Fill() float64 {
	return math.Min(1, f.EstimatedKeys()/(cuckooSlots*float64(f.buckets)))
}

// damagedShare is the share of the buckets that have a byte in a damaged chunk.
func (f *Cuckoo) damagedShare() float64 {
	n := uint64(0)
	for b := uint64(0); f.damage != nil && b < f.buckets; b++ {
		if f.hurt(b) {
			n++
		}
	}
	return float64(n) / float64(f.buckets)
}

// EstimatedKeys returns how many keys the filter holds, copies included: the slots that are taken. Damaged buckets count as filled
// like the others; infinite if all are damaged.
func (f *Cuckoo) EstimatedKeys() float64 {
	share := f.damagedShare()
	if share == 1 {
		return math.Inf(1)
	}
	taken := uint64(0)
	for b := uint64(0); b < f.buckets; b++ {
		if !f.hurt(b) {
			taken += cuckooSlots - f.copies(b, 0)
		}
	}
	runtime.KeepAlive(f)
	return float64(taken) / (1 - share)
}

// ExpectedFPR returns the rate of a filter of this shape that holds n keys.
func (f *Cuckoo) ExpectedFPR(n uint64) float64 {
	classes := float64(f.buckets) * float64(f.tags()) / 2
	return -math.Expm1(float64(n) * math.Log1p(-1/classes))
}

// RealisedFPR returns the rate that the filter has, from its tags: the share of pairs of a bucket and a tag that a lookup finds, of
// those that a key can have (spec/model.md 9).
func (f *Cuckoo) RealisedFPR() float64 {
	once, both := uint64(0), uint64(0)
	for b := uint64(0); b < f.buckets; b++ {
		if f.hurt(b) {
			continue
		}
		tags := f.slots(b)
		for s, tag := range tags {
			if tag == 0 || contains(tags[:s], tag) {
				continue
			}
			if o := f.other(b, tag); !f.hurt(o) {
				once++
				if f.copies(o, tag) > 0 {
					both++
				}
			}
		}
	}
	runtime.KeepAlive(f)
	intact := 1 - f.damagedShare()
	found := float64(2*once-both) / (float64(f.buckets) * float64(f.tags()))
	return math.Min(1, 1-intact*intact+found)
}

// cuckooPositions are the tag of a key and its two buckets.
func cuckooPositions(s Shape, h uint64) []uint64 {
	tag, first, second := (&Cuckoo{buckets: s.Units, tagBits: s.Hashes}).places(h)
	return []uint64{tag, first, second}
}

// Clone returns a copy that shares no memory with f.
func (f *Cuckoo) Clone() (*Cuckoo, error) {
	a, err := f.array.clone()
	if err != nil {
		return nil, err
	}
	g := *f
	g.array = a
	return &g, nil
}

// String returns a short description.
func (f *Cuckoo) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *Cuckoo) GoString() string { return "bloomery.Cuckoo(" + f.String() + ")" }
