package hash

import (
	"encoding/binary"
	"math/bits"
)

// The primes of the xxHash family (Y. Collet, doc/xxhash_spec.md of the xxHash project).
const (
	prime32x1 = 0x9e3779b1
	prime32x2 = 0x85ebca77
	prime32x3 = 0xc2b2ae3d

	prime64x1 = 0x9e3779b185ebca87
	prime64x2 = 0xc2b2ae3d27d4eb4f
	prime64x3 = 0x165667b19e3779f9
	prime64x4 = 0x85ebca77c2b2ae63
	prime64x5 = 0x27d4eb2f165667c5
)

func le32(b []byte) uint64 { return uint64(binary.LittleEndian.Uint32(b)) }
func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

func xxh64Round(acc, word uint64) uint64 {
	return bits.RotateLeft64(acc+word*prime64x2, 31) * prime64x1
}

func xxh64Merge(acc, lane uint64) uint64 {
	return (acc^xxh64Round(0, lane))*prime64x1 + prime64x4
}

func xxh64Avalanche(h uint64) uint64 {
	h = (h ^ h>>33) * prime64x2
	h = (h ^ h>>29) * prime64x3
	return h ^ h>>32
}

// XXH64 is XXH64 with a seed.
func XXH64(key []byte, seed uint64) uint64 {
	length := uint64(len(key))
	h := seed + prime64x5
	if len(key) >= 32 {
		var p1, p2 uint64 = prime64x1, prime64x2
		a, b, c, d := seed+p1+p2, seed+p2, seed, seed-p1
		for len(key) >= 32 {
			a = xxh64Round(a, le64(key))
			b = xxh64Round(b, le64(key[8:]))
			c = xxh64Round(c, le64(key[16:]))
			d = xxh64Round(d, le64(key[24:]))
			key = key[32:]
		}
		h = bits.RotateLeft64(a, 1) + bits.RotateLeft64(b, 7) + bits.RotateLeft64(c, 12) + bits.RotateLeft64(d, 18)
		h = xxh64Merge(xxh64Merge(xxh64Merge(xxh64Merge(h, a), b), c), d)
	}
	h += length
	for ; len(key) >= 8; key = key[8:] {
		h = bits.RotateLeft64(h^xxh64Round(0, le64(key)), 27)*prime64x1 + prime64x4
	}
	if len(key) >= 4 {
		h = bits.RotateLeft64(h^le32(key)*prime64x1, 23)*prime64x2 + prime64x3
		key = key[4:]
	}
	for _, b := range key {
		h = bits.RotateLeft64(h^uint64(b)*prime64x5, 11) * prime64x1
	}
	return xxh64Avalanche(h)
}
