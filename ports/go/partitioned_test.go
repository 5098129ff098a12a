package bloomery_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"testing"

	"bloomery"
)

// The examples of spec/filters.md 6.
func TestPartitionedExamples(t *testing.T) {
	for _, c := range []struct {
		slice     uint64
		k         uint32
		positions string
		bytes     string
	}{
		{16, 6, "[5 24 41 49 76 81]", "200000010002020000100200"},
		{13, 7, "[4 20 33 40 62 65 90]", "100010000201004002000004"},
	} {
		f := made(t, partitioned(c.slice, c.k, bloomery.Hasher{}))
		f.InsertString("k0")
		if h := f.Hasher().HashString("k0"); h != 0xbbb08e672f9190b3 ||
			fmt.Sprint(bloomery.Positions(f.Kind(), f.Shape(), h)) != c.positions {
			t.Errorf("%016x: %v", h, bloomery.Positions(f.Kind(), f.Shape(), h))
		}
		if b := encoded(t, f); hex.EncodeToString(b[128:128+f.SizeInBytes()]) != c.bytes || f.Ones() != uint64(c.k) {
			t.Errorf("%x", b[128:128+f.SizeInBytes()])
		}
	}
}

// A slice's fill is that of its own bits, wherever it begins and ends.
func TestSlices(t *testing.T) {
	for _, slice := range []uint64{1, 2, 3, 7, 8, 9, 13, 63, 64, 65, 300} {
		f := made(t, partitioned(slice, 11, bloomery.Hasher{})).(*bloomery.PartitionedBloom)
		keys := slice/2 + 1
		var set = make([]map[uint64]bool, 11)
		for i := uint64(0); i < keys; i++ {
			h := f.Hasher().Of(bloomery.Integers).HashUint64(i)
			f.InsertHash(h)
			for j, p := range bloomery.Positions(f.Kind(), f.Shape(), h) {
				if p/slice != uint64(j) {
					t.Fatalf("bit %d of a key is %d, in slice %d", j, p, p/slice)
				}
				if set[j] == nil {
					set[j] = map[uint64]bool{}
				}
				set[j][p] = true
			}
		}
		rate, ones := 1.0, 0
		for j := range set {
			if fill := f.SliceFill(uint32(j)); fill != float64(len(set[j]))/float64(slice) {
				t.Errorf("slice %d of %d bits: %v, not %d bits", j, slice, fill, len(set[j]))
			}
			rate *= float64(len(set[j])) / float64(slice)
			ones += len(set[j])
		}
		if math.Abs(f.RealisedFPR()-rate) > 1e-12*rate || f.Ones() != uint64(ones) || f.SliceBits() != slice {
			t.Errorf("slices of %d bits: rate %v, not %v; %d ones, not %d", slice, f.RealisedFPR(), rate, f.Ones(), ones)
		}
	}
}

// The expected rate is the mean of the realised ones.
func TestPartitionedExpectedRate(t *testing.T) {
	const filters, slice, n = 400, 101, 60
	sum := 0.0
	f := made(t, partitioned(slice, 5, bloomery.Hasher{})).(*bloomery.PartitionedBloom)
	for i := uint64(0); i < filters; i++ {
		f.Clear()
		for j := uint64(0); j < n; j++ {
			f.InsertHash(f.Hasher().Of(bloomery.Integers).HashUint64(i*n + j))
		}
		sum += f.RealisedFPR()
	}
	want := math.Pow(1-math.Pow(1-1.0/slice, n), 5)
	if got := f.ExpectedFPR(n); math.Abs(got-want) > 1e-12 || math.Abs(sum/filters-want) > 0.02*want {
		t.Errorf("expected %v, closed form %v, mean of %d filters %v", got, want, filters, sum/filters)
	}
	if f.ExpectedFPR(0) != 0 || f.ExpectedFPR(1<<62) != 1 {
		t.Error(f.ExpectedFPR(0), f.ExpectedFPR(1<<62))
	}
}
