package bloomery_test

import (
	"math"
	"strings"
	"testing"

	"bloomery"
)

// The examples of spec/filters.md 8.3.
func TestCountingExamples(t *testing.T) {
	line, _ := readHere(t, bloomery.KindCounting, bloomery.CountingShape(true, 4, 384, 8, 0), 1)
	want := strings.Repeat("00", 128) + "0001000000000000000000001000000000000000001000000000000000010000" +
		"0000001000000000000100000000000000000000100000000000000000010000"
	if got := payloadOf(t, line); got != want {
		t.Error(got)
	}
	flat, _ := readHere(t, bloomery.KindCounting, bloomery.CountingShape(false, 4, 96, 7, 0), 1)
	want = "000000010001000000000000000000000001000000000000000001001000000000000000000001000000000000000001"
	if got := payloadOf(t, flat); got != want {
		t.Error(got)
	}
}

// Without its counts the filter is one of bits: that of the same keys, of the classic kind or of the profile Lanes16.
func TestCountingIsAFilterOfBits(t *testing.T) {
	for _, width := range []uint64{4, 8, 32} {
		line, hashes := readHere(t, bloomery.KindCounting, bloomery.CountingShape(true, width, 1280, 8, 0), 50)
		flat, _ := readHere(t, bloomery.KindCounting, bloomery.CountingShape(false, width, 1001, 6, 0), 50)
		block := made(t, block(bloomery.Lanes16, 10, bloomery.Hasher{}))
		bloom, err := bloomery.MakeBloom(bloomery.BloomOptions{Bits: 1001, Hashes: 6})
		if err != nil {
			t.Fatal(err)
		}
		block.InsertManyHashes(hashes)
		bloom.InsertManyHashes(hashes)
		for _, pair := range [][2]bloomery.Filter{{line, block}, {flat, bloom}} {
			counting, bits := pair[0], pair[1]
			if counting.RealisedFPR() != bits.RealisedFPR() || counting.EstimatedKeys() != bits.EstimatedKeys() || counting.Fill() != bits.Fill() {
				t.Error(counting, counting.RealisedFPR(), bits.RealisedFPR())
			}
			expected := func(f bloomery.Filter) float64 { return f.(interface{ ExpectedFPR(uint64) float64 }).ExpectedFPR(99) }
			if expected(counting) != expected(bits) {
				t.Error(counting, "expects another rate")
			}
			for n := uint64(0); n < 20000; n++ {
				h := bloomery.NewXXH3(3).Of(bloomery.Integers).HashUint64(n)
				if counting.MayContainHash(h) != bits.MayContainHash(h) {
					t.Fatalf("%v: another answer for %016x", counting, h)
				}
			}
		}
	}
}

// A count is the least of the cells; those that lost count tell nothing.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		width uint64
		value uint32
		want  uint64
	}{
		{4, 1, 1}, {4, 7, 7}, {4, 8, math.MaxUint64}, {4, 15, math.MaxUint64}, {8, 127, 127}, {8, 128, math.MaxUint64},
		{8, 255, math.MaxUint64}, {32, 1<<31 - 1, 1<<31 - 1}, {32, 1 << 31, math.MaxUint64}, {32, math.MaxUint32, math.MaxUint64}, {32, 0, 0},
	} {
		for _, line := range []bool{true, false} {
			f, _ := readHere(t, bloomery.KindCounting, bloomery.CountingShape(line, c.width, 256, 8, 0), 0)
			counting := f.(*bloomery.Counting)
			h := f.Hasher().HashString("k0")
			counting.SetCells(h, c.value)
			if got := counting.CountHash(h); got != c.want || f.MayContainHash(h) != (c.value != 0) {
				t.Error(c.width, c.value, got)
			}
			stuck := uint64(0)
			if c.want == math.MaxUint64 {
				stuck = uint64(len(bloomery.Positions(bloomery.KindCounting, f.Shape(), h)))
			}
			if counting.StuckCells() != stuck {
				t.Error(counting.StuckCells(), "stuck cells")
			}
		}
	}
}

// Of a key that has cells in an intact chunk too, a 0 there is still believed (spec/filters.md 8.4), and so is the least count.
func TestDamagedCells(t *testing.T) {
	f, _ := readHere(t, bloomery.KindCounting, bloomery.CountingShape(false, 32, 2048, 8, 0), 40)
	b := encoded(t, f)
	b[128+4096] ^= 1
	c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if err != nil || c.Damaged != 1 {
		t.Fatal(err)
	}
	denied := 0
	for n := uint64(0); n < 5000; n++ {
		h := bloomery.NewXXH3(8).Of(bloomery.Integers).HashUint64(n)
		want := true
		for _, cell := range bloomery.Positions(bloomery.KindCounting, f.Shape(), h) {
			if at := 128 + 4*cell; cell < 1024 && b[at] == 0 {
				want = false
			}
		}
		if c.Filter.MayContainHash(h) != want {
			t.Fatalf("%016x: not %v", h, want)
		}
		if !want {
			denied++
		}
	}
	if denied < 4000 {
		t.Error(denied, "were denied")
	}
}
