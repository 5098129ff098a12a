package conform

import (
	"encoding/binary"
	"math/bits"

	"bloomery/internal/hash"
)

// The MurmurHash functions of spec/hash.md 5 (A. Appleby). They make no keys, and no dialect that is read here uses them; they
// are here because hash.json has them.

// murmur3 is MurmurHash3 x64_128 with seed 0.
func murmur3(key []byte) (h1, h2 uint64) {
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	mix1 := func(k uint64) uint64 { return bits.RotateLeft64(k*c1, 31) * c2 }
	mix2 := func(k uint64) uint64 { return bits.RotateLeft64(k*c2, 33) * c1 }
	length := uint64(len(key))
	for ; len(key) >= 16; key = key[16:] {
		h1 ^= mix1(binary.LittleEndian.Uint64(key))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= mix2(binary.LittleEndian.Uint64(key[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var tail [16]byte
	copy(tail[:], key)
	h2 ^= mix2(binary.LittleEndian.Uint64(tail[8:]))
	h1 ^= mix1(binary.LittleEndian.Uint64(tail[:]))
	h1, h2 = h1^length, h2^length
	h1 += h2
	h2 += h1
	h1, h2 = hash.Fmix64(h1), hash.Fmix64(h2)
	h1 += h2
	return h1, h2 + h1
}

// murmur64A is MurmurHash64A.
func murmur64A(key []byte, seed uint64) uint64 {
	const m = 0xc6a4a7935bd1e995
	h := seed ^ uint64(len(key))*m
	for ; len(key) >= 8; key = key[8:] {
		k := binary.LittleEndian.Uint64(key) * m
		h = (h ^ (k^k>>47)*m) * m
	}
	if len(key) > 0 {
		var tail [8]byte
		copy(tail[:], key)
		h = (h ^ binary.LittleEndian.Uint64(tail[:])) * m
	}
	h = (h ^ h>>47) * m
	return h ^ h>>47
}
