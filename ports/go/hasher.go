package bloomery

import (
	"encoding/binary"

	"bloomery/internal/hash"
)

// A HashID is the number of a hash function in files (spec/hash.md). Numbers are never reused.
type HashID uint8

// The hash functions that make keys.
const (
	XXH3         HashID = 1
	FNVSplitMix  HashID = 2
	XXH64        HashID = 3
	SipHash13    HashID = 4
	lastHashID          = SipHash13
	checkedBytes        = "bloomery"
)

// String returns the name of the function.
func (id HashID) String() string {
	switch id {
	case XXH3:
		return "xxh3"
	case FNVSplitMix:
		return "fnv1a-splitmix"
	case XXH64:
		return "xxh64"
	case SipHash13:
		return "siphash13"
	}
	return "unknown"
}

// A Hasher is a hash function with its seed or secret, and the source of its keys. It is a value: == reports whether two filters can
// share hashed keys. The zero Hasher is XXH3 with seed 0 for keys of bytes, the default of filters that take any hasher.
//
// A key of another source than the hasher's would be a permanent false negative, so the calls that hash panic on it; bytes that
// are read cannot cause that, because a reader says which keys it will look up (ReadOptions). To mix sources on purpose, say so:
//
//	f.InsertHash(f.Hasher().Of(bloomery.Integers).HashUint64(42))
type Hasher struct {
	id     HashID // 0 stands for XXH3, so that the zero value is useful
	seed   uint64 // or the first half of the secret
	second uint64 // or of XXH3 what the seed adds to integers, which is 0 if the seed is
	source Source
}

// NewXXH3 is XXH3 with a seed.
func NewXXH3(seed uint64) Hasher {
	return Hasher{seed: seed, second: hash.SplitMix64(seed) ^ hash.SplitMix64OfZero}
}

// NewXXH64 is XXH64 with a seed.
func NewXXH64(seed uint64) Hasher { return Hasher{id: XXH64, seed: seed} }

// NewFNVSplitMix is the hash of the portable filter.
func NewFNVSplitMix() Hasher { return Hasher{id: FNVSplitMix} }

// NewSipHash13 is SipHash-1-3 under a secret, for keys that an attacker may choose. The secret is never written to a
// file; Check stands for it there.
func NewSipHash13(secret [16]byte) Hasher {
	return Hasher{id: SipHash13, seed: binary.LittleEndian.Uint64(secret[:8]), second: binary.LittleEndian.Uint64(secret[8:])}
}

// secret is what NewSipHash13 was given.
func (h Hasher) secret() (secret [16]byte) {
	binary.LittleEndian.PutUint64(secret[:8], h.seed)
	binary.LittleEndian.PutUint64(secret[8:], h.second)
	return secret
}

// ID returns the number of the hash function.
func (h Hasher) ID() HashID {
	if h.id == 0 {
		return XXH3
	}
	return h.id
}

// Seed returns the seed that a file stores: 0 where there is none, and for SipHash.
func (h Hasher) Seed() uint64 {
	if h.id == SipHash13 {
		return 0
	}
	return h.seed
}

// Of is the same hash of other keys. It panics on what is no source.
func (h Hasher) Of(s Source) Hasher {
	if int(s) >= len(sourceNames) {
		panic("bloomery: no such source of keys")
	}
	h.source = s
	return h
}

// Source returns what keys are before they are hashed.
func (h Hasher) Source() Source { return h.source }

// Hash turns the bytes of a key into the 64 bits that a filter sees. It panics under Integers and Hashes.
func (h Hasher) Hash(key []byte) uint64 {
	h.source.mustBeBytes()
	switch h.id {
	case 0:
		return hash.XXH3(key, h.seed)
	case FNVSplitMix:
		return hash.FNVSplitMix(key)
	case XXH64:
		return hash.XXH64(key, h.seed)
	case SipHash13:
		return hash.SipHash13(key, h.seed, h.second)
	}
	return hash.XXH3(key, h.seed)
}

// hash is Hash whatever the source is.
func (h Hasher) hash(key []byte) uint64 { return h.Of(Bytes).Hash(key) }

// HashString is Hash of the bytes of a string. It does not allocate.
func (h Hasher) HashString(key string) uint64 { return h.Hash(view(key)) }

// HashUint64 is the key of an integer, which is not that of its eight bytes under XXH3 (spec/hash.md section 6). A signed one is
// converted. It panics unless the source is Integers.
func (h Hasher) HashUint64(x uint64) uint64 {
	if v, ok := h.mixed(x); ok {
		return v
	}
	h.source.mustBe(Integers)
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], x)
	return h.hash(b[:])
}

// mixed is HashUint64 under the default hash; false: the hash, or the source, is another. It is inlined, and what depends on the seed
// is known.
func (h *Hasher) mixed(x uint64) (v uint64, ok bool) {
	return hash.Fmix64(x ^ h.second ^ hash.SplitMix64OfZero), h.id == 0 && h.source == Integers
}

// FromHash is the key that a caller has hashed, to 64 uniform bits: those bits. It panics unless the source is Hashes.
func (h Hasher) FromHash(x uint64) uint64 {
	h.source.mustBe(Hashes)
	return x
}

// Check is the hash of "bloomery", whatever the source: it stands for the hasher, and for a secret, in files.
func (h Hasher) Check() uint64 { return h.hash(view(checkedBytes)) }

// HashMany hashes keys into out, which must be as long. The portable hash takes four keys at a time.
func (h Hasher) HashMany(keys [][]byte, out []uint64) { hashMany(h, keys, out) }

// HashManyStrings is HashMany for strings.
func (h Hasher) HashManyStrings(keys []string, out []uint64) { hashMany(h, keys, out) }

func hashMany[K string | []byte](h Hasher, keys []K, out []uint64) {
	h.source.mustBeBytes()
	out = out[:len(keys)]
	i := 0
	if h.id == FNVSplitMix {
		for ; i+4 <= len(keys); i += 4 {
			k := keys[i : i+4 : i+4]
			o := out[i : i+4 : i+4]
			o[0], o[1], o[2], o[3] = hash.FNVSplitMix4(bytesOf(k[0]), bytesOf(k[1]), bytesOf(k[2]), bytesOf(k[3]))
		}
	}
	for ; i < len(keys); i++ {
		out[i] = h.Hash(bytesOf(keys[i]))
	}
}

// hasherOf makes the hasher that the fields of a file name. The secret of SipHash comes from elsewhere.
func hasherOf(id HashID, seed uint64, secret *[16]byte) Hasher {
	switch {
	case id == XXH3:
		return NewXXH3(seed)
	case id == SipHash13 && secret != nil:
		return NewSipHash13(*secret)
	case id == SipHash13:
		return NewSipHash13([16]byte{})
	}
	return Hasher{id: id, seed: seed}
}
