package hash

import "math/bits"

type sip struct{ a, b, c, d uint64 }

func (s *sip) round() {
	s.a += s.b
	s.b = bits.RotateLeft64(s.b, 13) ^ s.a
	s.a = bits.RotateLeft64(s.a, 32)
	s.c += s.d
	s.d = bits.RotateLeft64(s.d, 16) ^ s.c
	s.a += s.d
	s.d = bits.RotateLeft64(s.d, 21) ^ s.a
	s.c += s.b
	s.b = bits.RotateLeft64(s.b, 17) ^ s.c
	s.c = bits.RotateLeft64(s.c, 32)
}

func (s *sip) word(w uint64) {
	s.d ^= w
	s.round()
	s.a ^= w
}

// SipHash13 is SipHash-1-3 (Aumasson and Bernstein, 2012) under the secret whose halves are k0 and k1.
func SipHash13(key []byte, k0, k1 uint64) uint64 {
	s := sip{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573}
	last := uint64(len(key)) << 56
	for ; len(key) >= 8; key = key[8:] {
		s.word(le64(key))
	}
	for i, b := range key {
		last |= uint64(b) << (8 * i)
	}
	s.word(last)
	s.c ^= 0xff
	s.round()
	s.round()
	s.round()
	return s.a ^ s.b ^ s.c ^ s.d
}
