package bloomery

import (
	"encoding/binary"
	"math/bits"
)

// The multipliers of Apache Parquet's split-block filter, one for each lane (spec/filters.md 2.1).
const (
	salt0 = 0x47b6137b
	salt1 = 0x44974d91
	salt2 = 0x8824ad5b
	salt3 = 0xa2b7289d
	salt4 = 0x705495c7
	salt5 = 0x2df1424b
	salt6 = 0x9efc4947
	salt7 = 0x5c6bfb31
)

var salts = [8]uint32{salt0, salt1, salt2, salt3, salt4, salt5, salt6, salt7}

// laneBit is the place of lane j's bit in a block: word j holds the lower half of the lane, word lanes + j the upper. A lane of 16
// bits is word j of that size (spec/filters.md 2.7).
func laneBit(h uint64, j, lanes, width int) (at int, shift uint) {
	x := uint32(h) * salts[j&7]
	if width == 16 {
		return 2*j + int(x>>31), uint(x >> 28 & 7)
	}
	return 4*(j+int(x>>31)*lanes) + int(x>>29&3), uint(x >> 26 & 7)
}

// The tests below are laneBit for all lanes of a block, written out: no loop, no check of bounds, no decision before the last
// lane. A lane of 64 bits is put together of its two words, which is faster than choosing one. The masks change nothing; they show the
// compiler that the places lie in the block.

func inLine(b *[64]byte, j int, x uint32) uint64 {
	le := binary.LittleEndian
	return (uint64(le.Uint32(b[4*j+32:]))<<32 | uint64(le.Uint32(b[4*j:]))) >> (x >> 26)
}

func inHalf(b *[32]byte, j int, x uint32) uint64 {
	le := binary.LittleEndian
	return (uint64(le.Uint32(b[4*j+16:]))<<32 | uint64(le.Uint32(b[4*j:]))) >> (x >> 26)
}

func inLane(b *[16]byte, j, x uint32) byte { return b[(2*j+x>>31)&15] >> (x >> 28 & 7) }

func inWord(b *[32]byte, j int, x uint32) uint32 {
	return binary.LittleEndian.Uint32(b[4*j:]) >> (x >> 27)
}

func testLine(b *[64]byte, h uint32) bool {
	return inLine(b, 0, h*salt0)&inLine(b, 1, h*salt1)&inLine(b, 2, h*salt2)&inLine(b, 3, h*salt3)&
		inLine(b, 4, h*salt4)&inLine(b, 5, h*salt5)&inLine(b, 6, h*salt6)&inLine(b, 7, h*salt7)&1 != 0
}

func testHalf(b *[32]byte, h uint32) bool {
	return inHalf(b, 0, h*salt0)&inHalf(b, 1, h*salt1)&inHalf(b, 2, h*salt2)&inHalf(b, 3, h*salt3)&1 != 0
}

func testLanes(b *[16]byte, h uint32) bool {
	return inLane(b, 0, h*salt0)&inLane(b, 1, h*salt1)&inLane(b, 2, h*salt2)&inLane(b, 3, h*salt3)&
		inLane(b, 4, h*salt4)&inLane(b, 5, h*salt5)&inLane(b, 6, h*salt6)&inLane(b, 7, h*salt7)&1 != 0
}

// testSplit tests a block of a split-block filter: bit x >> 27 of word j.
func testSplit(block []byte, h uint64) bool {
	b, x := (*[splitBlockBytes]byte)(block), uint32(h)
	return inWord(b, 0, x*salt0)&inWord(b, 1, x*salt1)&inWord(b, 2, x*salt2)&inWord(b, 3, x*salt3)&
		inWord(b, 4, x*salt4)&inWord(b, 5, x*salt5)&inWord(b, 6, x*salt6)&inWord(b, 7, x*salt7)&1 != 0
}

// testBlock tests a block of a block filter, whose size tells its lanes.
func testBlock(block []byte, h uint64) bool {
	switch len(block) {
	case 64:
		return testLine((*[64]byte)(block), uint32(h))
	case 32:
		return testHalf((*[32]byte)(block), uint32(h))
	}
	return testLanes((*[16]byte)(block), uint32(h))
}

func setInLine(b *[64]byte, j, x uint32) { setWord(b[(4*j+x>>31<<5)&60:], x>>26) }
func setInHalf(b *[32]byte, j, x uint32) { setWord(b[(4*j+x>>31<<4)&28:], x>>26) }
func setInWord(b *[32]byte, j, x uint32) { setWord(b[4*j&28:], x>>27) }

// setWord sets bit i modulo 32 of a word.
func setWord(word []byte, i uint32) {
	binary.LittleEndian.PutUint32(word, binary.LittleEndian.Uint32(word)|1<<(i&31))
}

func setLine(b *[64]byte, h uint32) {
	setInLine(b, 0, h*salt0)
	setInLine(b, 1, h*salt1)
	setInLine(b, 2, h*salt2)
	setInLine(b, 3, h*salt3)
	setInLine(b, 4, h*salt4)
	setInLine(b, 5, h*salt5)
	setInLine(b, 6, h*salt6)
	setInLine(b, 7, h*salt7)
}

func setHalf(b *[32]byte, h uint32) {
	setInHalf(b, 0, h*salt0)
	setInHalf(b, 1, h*salt1)
	setInHalf(b, 2, h*salt2)
	setInHalf(b, 3, h*salt3)
}

func setSplit(b *[splitBlockBytes]byte, h uint32) {
	setInWord(b, 0, h*salt0)
	setInWord(b, 1, h*salt1)
	setInWord(b, 2, h*salt2)
	setInWord(b, 3, h*salt3)
	setInWord(b, 4, h*salt4)
	setInWord(b, 5, h*salt5)
	setInWord(b, 6, h*salt6)
	setInWord(b, 7, h*salt7)
}

// setBlock sets a key's bit in each lane of a block, whose size tells its lanes unless they have 16 bits.
func setBlock(block []byte, h uint64, lanes, width int) {
	switch len(block) {
	case 64:
		setLine((*[64]byte)(block), uint32(h))
		return
	case 32:
		setHalf((*[32]byte)(block), uint32(h))
		return
	}
	for j := 0; j < lanes; j++ {
		at, shift := laneBit(h, j, lanes, width)
		block[at] |= 1 << shift
	}
}

// onesInLane counts the set bits of lane j of a block.
func onesInLane(block []byte, j, lanes, width int) int {
	le := binary.LittleEndian
	switch width {
	case 16:
		return bits.OnesCount16(le.Uint16(block[2*j:]))
	case 32:
		return bits.OnesCount32(le.Uint32(block[4*j:]))
	}
	return bits.OnesCount32(le.Uint32(block[4*j:])) + bits.OnesCount32(le.Uint32(block[4*(lanes+j):]))
}
