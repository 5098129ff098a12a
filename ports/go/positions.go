package bloomery

import "bloomery/internal/hash"

// Positions returns the bits of a key, given by its 64 bits, in a filter of a kind and shape, without making one: units are
// those of a container's header, bits or blocks; the profile is that of a block filter. It is for tests, and for those who
// write another implementation.
func Positions(kind Kind, profile Profile, units uint64, hashes uint32, h uint64) []uint64 {
	var out []uint64
	switch kind {
	case KindPortable:
		f := portableOf(array{}, units, hashes)
		x, step := f.start(h)
		for i := uint32(0); i < hashes; i++ {
			out = append(out, x)
			if x += step; x >= f.m {
				x -= f.m
			}
		}
	case KindBloom:
		for x := (h | 1) * bloomStep; hashes > 0; hashes-- {
			out = append(out, hash.MulHi(x, units))
			x *= bloomStep
		}
	case KindBlock:
		s, _ := profile.shape()
		for line := 0; line < s.Lines; line++ {
			block := hash.MulHi(h, units) * uint64(s.Lanes*s.Width)
			for j := 0; j < s.Lanes; j++ {
				at, shift := laneBit(h, j, s.Lanes)
				out = append(out, block+8*uint64(at)+uint64(shift))
			}
			h = hash.SplitMix64(h)
		}
	case KindSplitBlock:
		block := (h >> 32) * units >> 32 * splitBlockBytes * 8
		for j, salt := range salts {
			out = append(out, block+32*uint64(j)+uint64(uint32(h)*salt>>27))
		}
	}
	return out
}
