package bloomery

import (
	"math"

	"bloomery/internal/fault"
)

// ln2 is the double nearest to the natural logarithm of 2; products of it must not be folded by the compiler, which
// computes with more digits than the contract has.
var ln2 = math.Float64frombits(0x3fe62e42fefa39ef)

const (
	maxPortableBits   = 1 << 63
	maxPortableHashes = 30
)

// SizePortableByRate returns the bits and hashes of a portable filter for so many keys at a rate. They are part of the
// contract (spec/filters.md 1.4): every writer takes the same.
func SizePortableByRate(keys uint64, fpr float64) (m uint64, k uint32, err error) {
	if !(fpr > 0 && fpr < 1) {
		return 0, 0, fault.New(InvalidArgument, "the rate is not between 0 and 1")
	}
	n := float64(keys)
	return sizePortable(keys, math.Ceil(float64(float64(-n*math.Log(fpr))/float64(ln2*ln2))))
}

// SizePortableByBitsPerKey is SizePortableByRate for bits per key.
func SizePortableByBitsPerKey(keys uint64, bitsPerKey float64) (m uint64, k uint32, err error) {
	if !(bitsPerKey > 0) {
		return 0, 0, fault.New(InvalidArgument, "the bits per key are not above 0")
	}
	return sizePortable(keys, math.Ceil(float64(keys)*bitsPerKey))
}

// SizePortableByMemory is SizePortableByRate for a number of bytes.
func SizePortableByMemory(keys, bytes uint64) (m uint64, k uint32, err error) {
	if bytes == 0 {
		return 0, 0, fault.New(InvalidArgument, "no memory is no filter")
	}
	if bytes > maxPortableBits/8 {
		return 0, 0, fault.New(TooLarge, "a portable filter has at most 2^63 bits")
	}
	if keys == 0 {
		return 0, 0, fault.New(InvalidArgument, "a filter for no keys has no size")
	}
	m = 8 * bytes
	return m, portableHashes(float64(m), float64(keys)), nil
}

func sizePortable(keys uint64, bits float64) (uint64, uint32, error) {
	if keys == 0 {
		return 0, 0, fault.New(InvalidArgument, "a filter for no keys has no size")
	}
	if bits > maxPortableBits {
		return 0, 0, fault.New(TooLarge, "a portable filter has at most 2^63 bits")
	}
	m := uint64(bits)
	if m == 0 {
		m = 1
	}
	return m, portableHashes(float64(m), float64(keys)), nil
}

// portableHashes is round((m / n) * ln2) within 1 .. 30.
func portableHashes(m, n float64) uint32 {
	k := math.Round(float64(m/n) * ln2)
	return uint32(math.Max(1, math.Min(maxPortableHashes, k)))
}
