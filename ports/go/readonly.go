package bloomery

import (
	"encoding/binary"
	"runtime"
)

// A readRule is how a filter of a kind that is only read answers from its bytes, and what they show of it.
type readRule interface {
	look(a *array, h uint64) bool // true if a byte that it needs is damaged
	fill(a *array) float64
	keys(a *array) float64
	realised(a *array) float64
}

// readOnly is what filters share that never change here: those that are built of all keys at once, and those that the program fills
// that made them. They come out of containers.
type readOnly struct {
	array
	kind     Kind
	shape    Shape
	capacity uint64
	hasher   Hasher
	rule     readRule
}

func openReadOnly(i *Info, a array, h Hasher, rule readRule) readOnly {
	return readOnly{a, i.Kind, shapeOf(i), i.Capacity, h, rule}
}

// shapeOf is the shape that a header has.
func shapeOf(i *Info) Shape {
	return Shape{Profile: i.Profile, Hashes: i.Hashes, Units: i.Units, Parameters: i.Parameters}
}

// MayContainHash answers false only if the key with these 64 bits is definitely not present.
func (f *readOnly) MayContainHash(h uint64) bool {
	hit := f.rule.look(&f.array, h)
	runtime.KeepAlive(f)
	return hit
}

// MayContain answers false only if the key is definitely not present.
func (f *readOnly) MayContain(key []byte) bool { return f.MayContainHash(f.hasher.Hash(key)) }

// MayContainString is MayContain for a string. It does not allocate.
func (f *readOnly) MayContainString(key string) bool {
	return f.MayContainHash(f.hasher.HashString(key))
}

// MayContainUint64 answers false only if the integer is definitely not present.
func (f *readOnly) MayContainUint64(x uint64) bool { return f.MayContainHash(f.hasher.HashUint64(x)) }

// MayContainMany answers for every key, in out, which must be as long; it returns how many may be there.
func (f *readOnly) MayContainMany(keys [][]byte, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}

// MayContainManyHashes is MayContainMany by the 64 bits of keys.
func (f *readOnly) MayContainManyHashes(hashes []uint64, out []bool) int {
	return countMany(f.MayContainHash, hashes, out)
}

// Kind returns the kind of the filter.
func (f *readOnly) Kind() Kind { return f.kind }

// Hasher returns the hasher that makes keys of bytes.
func (f *readOnly) Hasher() Hasher { return f.hasher }

// Shape returns profile, hashes, units and parameters, as containers have them.
func (f *readOnly) Shape() Shape { return f.shape }

// Bits returns the number of bits of the whole array.
func (f *readOnly) Bits() uint64 { return 8 * uint64(len(f.bits)) }

// Hashes returns what containers keep as the number of hashes: of kinds that compare fingerprints, the bits of one.
func (f *readOnly) Hashes() uint32 { return f.shape.Hashes }

// Capacity returns the number of keys the filter was sized for; 0 if that is not known.
func (f *readOnly) Capacity() uint64 { return f.capacity }

// Ones returns the number of set bits of all its bytes.
func (f *readOnly) Ones() uint64 {
	n := onesIn(f.bits)
	runtime.KeepAlive(f)
	return n
}

// Fill returns the share of its cells that are in use.
func (f *readOnly) Fill() float64 {
	share := f.rule.fill(&f.array)
	runtime.KeepAlive(f)
	return share
}

// EstimatedKeys returns how many distinct keys the filter seems to hold; infinite if its bytes do not tell.
func (f *readOnly) EstimatedKeys() float64 {
	n := f.rule.keys(&f.array)
	runtime.KeepAlive(f)
	return n
}

// RealisedFPR returns the rate that the filter has. Lookups that read a damaged byte count as false positives.
func (f *readOnly) RealisedFPR() float64 {
	rate := f.rule.realised(&f.array)
	runtime.KeepAlive(f)
	return rate
}

// cloned is a copy that shares no memory with f.
func (f *readOnly) cloned() (readOnly, error) {
	a, err := f.array.clone()
	g := *f
	g.array = a
	return g, err
}

// bitsAt is n bits, at most 64, of an array from a bit on; those after its end are 0.
func bitsAt(b []byte, from, n uint64) uint64 {
	var near [16]byte
	copy(near[:], b[from/8:])
	shift := from % 8
	v := binary.LittleEndian.Uint64(near[:])>>shift | binary.LittleEndian.Uint64(near[8:])<<1<<(63-shift)
	return v & (1<<n - 1)
}

// isAmong searches n hashes of 8 bytes. Where they do not ascend, the steps of the search decide (spec/filters.md 9.3 and 10.3).
func isAmong(b []byte, n, h uint64) bool {
	at := func(i uint64) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	low, high := uint64(0), n
	for low < high {
		if mid := (low + high) / 2; at(mid) < h {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < n && at(low) == h
}
