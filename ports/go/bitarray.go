package bloomery

import (
	"runtime"

	"bloomery/internal/fault"
)

// bitArray is what filters of one array share: m bits, of which a key sets k. Bit i is bit i mod 8 of byte i / 8.
type bitArray struct {
	array
	m        uint64
	k        uint32
	capacity uint64
	hasher   Hasher
}

// Bits returns m, the number of bits.
func (b *bitArray) Bits() uint64 { return b.m }

// Hashes returns k, the number of bits that a key sets.
func (b *bitArray) Hashes() uint32 { return b.k }

// Hasher returns the hasher that makes keys of bytes.
func (b *bitArray) Hasher() Hasher { return b.hasher }

// Capacity returns the number of keys the filter was sized for; 0 if that is not known.
func (b *bitArray) Capacity() uint64 { return b.capacity }

// Clear forgets all keys.
func (b *bitArray) Clear() { b.zero(); runtime.KeepAlive(b) }

// Ones returns the number of set bits; padding does not count.
func (b *bitArray) Ones() uint64 {
	n := onesBelow(b.bits, b.m)
	runtime.KeepAlive(b)
	return n
}

// Fill returns the share of set bits.
func (b *bitArray) Fill() float64 { return float64(b.Ones()) / float64(b.m) }

// combine changes the bits by those of a filter with as many bits and hashes and the same hasher.
func (b *bitArray) combine(other *bitArray, into func(dst, src []byte)) error {
	if b.m != other.m || b.k != other.k || b.hasher != other.hasher {
		return fault.New(Incompatible, "these filters combine only with equal bits, hashes and hasher, source of keys included")
	}
	into(b.bits, other.bits)
	b.damaged = b.damaged || other.damaged
	runtime.KeepAlive(b)
	runtime.KeepAlive(other)
	return nil
}
