// Package hash has the hash functions of spec/hash.md. All of them read words of their input as little-endian.
package hash

import "math/bits"

// SplitMix64 is one step of the generator with state x, the addition included (spec/hash.md section 1).
func SplitMix64(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// SplitMix64OfZero is SplitMix64(0).
const SplitMix64OfZero = 0xe220a8397b1dcdaf

// Fmix64 is the bijection that makes keys of integers under XXH3 (spec/hash.md section 6).
func Fmix64(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// MulHi is the upper half of the 128-bit product.
func MulHi(a, b uint64) uint64 {
	hi, _ := bits.Mul64(a, b)
	return hi
}
