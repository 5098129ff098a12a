package hash

import "encoding/binary"

const (
	stripe          = 64
	stripesPerBlock = (192 - stripe) / 8
	xxh3Block       = stripe * stripesPerBlock
)

// xxh3Long is for more than 240 bytes: eight accumulators eat stripes of 64 bytes and are scrambled after each block.
func xxh3Long(key []byte, seed uint64) uint64 {
	secret := xxh3Secret
	if seed != 0 {
		for i := 0; i < len(secret); i += 16 {
			binary.LittleEndian.PutUint64(secret[i:], secretAt(i)+seed)
			binary.LittleEndian.PutUint64(secret[i+8:], secretAt(i+8)-seed)
		}
	}
	acc := [8]uint64{prime32x3, prime64x1, prime64x2, prime64x3, prime64x4, prime32x2, prime64x5, prime32x1}
	rest := key
	for len(rest) > xxh3Block {
		for s := 0; s < stripesPerBlock; s++ {
			accumulate(&acc, rest[s*stripe:], secret[8*s:])
		}
		scramble(&acc, secret[192-stripe:])
		rest = rest[xxh3Block:]
	}
	for s := 0; s < (len(rest)-1)/stripe; s++ {
		accumulate(&acc, rest[s*stripe:], secret[8*s:])
	}
	accumulate(&acc, key[len(key)-stripe:], secret[192-stripe-7:])

	var p1 uint64 = prime64x1
	h := uint64(len(key)) * p1
	for i := 0; i < 8; i += 2 {
		h += fold(acc[i]^le64(secret[11+8*i:]), acc[i+1]^le64(secret[19+8*i:]))
	}
	return xxh3Avalanche(h)
}

func accumulate(acc *[8]uint64, key, secret []byte) {
	for i := 0; i < 8; i++ {
		word := le64(key[8*i:])
		mixed := word ^ le64(secret[8*i:])
		acc[i^1] += word
		acc[i] += (mixed & 0xffffffff) * (mixed >> 32)
	}
}

func scramble(acc *[8]uint64, secret []byte) {
	for i := range acc {
		acc[i] = (acc[i] ^ acc[i]>>47 ^ le64(secret[8*i:])) * prime32x1
	}
}
