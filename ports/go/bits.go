package bloomery

import (
	"encoding/binary"
	"math/bits"
)

// onesIn counts the set bits.
func onesIn(b []byte) uint64 {
	var n int
	for ; len(b) >= 32; b = b[32:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(b)) + bits.OnesCount64(binary.LittleEndian.Uint64(b[8:])) +
			bits.OnesCount64(binary.LittleEndian.Uint64(b[16:])) + bits.OnesCount64(binary.LittleEndian.Uint64(b[24:]))
	}
	for _, v := range b {
		n += bits.OnesCount8(v)
	}
	return uint64(n)
}

// orInto sets in dst the bits of src, which is as long.
func orInto(dst, src []byte) {
	src = src[:len(dst)]
	for ; len(dst) >= 8; dst, src = dst[8:], src[8:] {
		binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(dst)|binary.LittleEndian.Uint64(src))
	}
	for i := range dst {
		dst[i] |= src[i]
	}
}

// andInto clears in dst the bits that src, which is as long, does not have.
func andInto(dst, src []byte) {
	src = src[:len(dst)]
	for ; len(dst) >= 8; dst, src = dst[8:], src[8:] {
		binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(dst)&binary.LittleEndian.Uint64(src))
	}
	for i := range dst {
		dst[i] &= src[i]
	}
}

// fill sets every byte.
func fill(b []byte, v byte) {
	if len(b) == 0 {
		return
	}
	b[0] = v
	for n := 1; n < len(b); n *= 2 {
		copy(b[n:], b[:n])
	}
}

func allZero(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b) != 0 {
			return false
		}
	}
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}

// bytesFor is the bytes of so many bits, without overflow.
func bytesFor(m uint64) uint64 {
	n := m / 8
	if m%8 != 0 {
		n++
	}
	return n
}

// onesBelow counts the set bits among the first m.
func onesBelow(b []byte, m uint64) uint64 {
	n := onesIn(b[:m/8])
	if r := m % 8; r != 0 {
		n += uint64(bits.OnesCount8(b[m/8] & (1<<r - 1)))
	}
	return n
}

// paddingOf is the bits of the last byte beyond the first m.
func paddingOf(b []byte, m uint64) byte {
	if r := m % 8; r != 0 {
		return b[m/8] >> r
	}
	return 0
}
