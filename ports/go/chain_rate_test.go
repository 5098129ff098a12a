package bloomery_test

import (
	"encoding/hex"
	"math"
	"math/bits"
	"strings"
	"testing"

	"bloomery"
)

// rateOfAny is spec/model.md 12 and 14, interval by interval of hashes: which block of a part it lies in, its first hash tells.
func rateOfAny(t *testing.T, parts []*bloomery.BlockBloom) (rate float64) {
	t.Helper()
	var lines []*bloomery.BlockBloom
	for _, p := range parts {
		if p.Profile() == bloomery.TwoLines {
			rate += p.RealisedFPR()
		} else {
			lines = append(lines, p)
		}
	}
	if len(lines) == 0 {
		return math.Min(1, rate)
	}
	passing, keys := 0.0, 0.0
	last := lines[len(lines)-1].Blocks()
	payloads := make([][]byte, len(lines))
	for i, p := range lines {
		payloads[i], _ = hex.DecodeString(payloadOf(t, p))
		keys += p.EstimatedKeys() / float64(p.Blocks())
	}
	for n := uint64(0); n < last; n++ {
		first, rest := bits.Div64(n, 0, last)
		if rest != 0 {
			first++
		}
		none := 1.0
		for i, p := range lines {
			block, _ := bits.Mul64(first, p.Blocks())
			none *= 1 - passesBlock(payloads[i], int(block), int(p.Hashes()))
		}
		passing += (1 - none) / float64(last)
	}
	return math.Min(1, rate+passing+(1-passing)*math.Min(1, keys/(1<<32)))
}

// passesBlock is the product of the shares of the lanes: words j and L + j of 32 bits.
func passesBlock(payload []byte, block, lanes int) float64 {
	product := 1.0
	for j := 0; j < lanes; j++ {
		ones := 0
		for _, word := range []int{j, lanes + j} {
			for _, b := range payload[8*lanes*block+4*word:][:4] {
				ones += bits.OnesCount8(b)
			}
		}
		product *= float64(ones) / 64
	}
	return product
}

// Damage that no key meets twice: the last 36 of the 100 blocks of one generation, and the first 28 of the other.
func TestRateOfDamageInTwoGenerations(t *testing.T) {
	const asked = 100000
	f, _ := readHere(t, bloomery.KindWindow, bloomery.WindowShape(bloomery.Line, 2, 100, 1000), 0)
	b := encoded(t, f)
	i, _ := bloomery.Inspect(b, int64(len(b)))
	b[i.PayloadOffset+5000] ^= 1
	read, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if err != nil || read.Damaged != 1 {
		t.Fatal(err)
	}
	if rate := read.Filter.RealisedFPR(); math.Abs(rate-0.64) > 1e-6 {
		t.Error(rate)
	}
	if seen := passing(read.Filter, asked); math.Abs(seen-0.64) > 6*math.Sqrt(0.64*0.36/asked) {
		t.Error(seen)
	}
}

// Without damage the rate is what keys that are not in see; of one line a key nothing but chance is between the two.
func TestRatesOfChainsAreThoseOfAbsentKeys(t *testing.T) {
	const asked = 400000
	for _, c := range []struct {
		kind bloomery.Kind
		s    bloomery.Shape
		keys int
	}{
		{bloomery.KindScalable, bloomery.ScalableShape(20, 4, 0.01, 2, bloomery.GrowEqually, 9, 2, 9), 9000},
		{bloomery.KindScalable, bloomery.ScalableShape(3, 3, 0.01, 16, bloomery.GrowEqually, 9, 1, 9), 9000},
		{bloomery.KindWindow, bloomery.WindowShape(bloomery.HalfLine, 5, 100, 1500), 6800},
		{bloomery.KindWindow, bloomery.WindowShape(bloomery.Line, 3, 100, 5000), 20000},
	} {
		f, _ := readHere(t, c.kind, c.s, c.keys)
		rate := f.RealisedFPR()
		if seen := passing(f, asked); rate < 0.01 || math.Abs(seen-rate) > 5*math.Sqrt(rate*(1-rate)/asked) {
			t.Error(f, rate, seen)
		}
	}
}

// Of no bits, of all, and of all in one part alone.
func TestRatesOfEmptyAndFullChains(t *testing.T) {
	for _, c := range []struct {
		kind        bloomery.Kind
		s           bloomery.Shape
		first, last int // bytes
	}{
		{bloomery.KindScalable, bloomery.ScalableShape(3, 4, 0.01, 4, bloomery.GrowGeometrically, 0, 1, 3), 192, 12288},
		{bloomery.KindScalable, bloomery.ScalableShape(3, 3, 0.01, 2, bloomery.GrowGeometrically, 0, 1, 48), 192, 768},
		{bloomery.KindScalable, bloomery.ScalableShape(3, 2, 0.01, 2, bloomery.GrowGeometrically, 0, 0, 0), 192, 384},
		{bloomery.KindWindow, bloomery.WindowShape(bloomery.HalfLine, 1024, 2, 9), 64, 64},
		{bloomery.KindWindow, bloomery.WindowShape(bloomery.Line, 3, 7, 9), 448, 448},
		{bloomery.KindWindow, bloomery.WindowShape(bloomery.TwoLines, 3, 7, 9), 448, 448},
	} {
		f, _ := readHere(t, c.kind, c.s, 0)
		if f.RealisedFPR() != 0 || f.EstimatedKeys() != 0 {
			t.Error(f, f.RealisedFPR())
		}
		size := int(f.SizeInBytes())
		for _, full := range [][2]int{{0, size}, {0, c.first}, {size - c.last, size}} {
			payload := strings.Repeat("00", full[0]) + strings.Repeat("ff", full[1]-full[0]) + strings.Repeat("00", size-full[1])
			g := decodePayload(t, f, payload).Filter
			if g.RealisedFPR() != 1 || !math.IsInf(g.EstimatedKeys(), 1) {
				t.Error(f, full, g.RealisedFPR())
			}
		}
	}
}
