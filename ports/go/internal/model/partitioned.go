package model

import "math"

// PartitionedFPR is the expected rate after n keys of k slices of s bits each (spec/model.md 8): exact, because slices are
// independent. The last term is the chance that two keys differ in their lowest bit only.
func PartitionedFPR(s, k, n float64) float64 {
	if n == 0 {
		return 0
	}
	return math.Min(1, math.Pow(-math.Expm1(n*math.Log1p(-1/s)), k)+n/math.Exp2(63))
}

// PartitionedKeys is the number of keys that leaves ones of the bits of k slices of s bits set (spec/model.md 6).
func PartitionedKeys(s, k, ones float64) float64 {
	switch {
	case ones == 0:
		return 0
	case ones >= k*s:
		return math.Inf(1)
	}
	return math.Log1p(-ones/(k*s)) / math.Log1p(-1/s)
}

// SizePartitioned is the slices of the fewest bits in all, and their number, whose expected rate for n keys is at most p.
func SizePartitioned(n uint64, p float64) (slice float64, k int) {
	around := math.Log2(1 / p)
	for _, c := range [...]float64{math.Floor(around), math.Ceil(around)} {
		c = math.Max(1, math.Min(64, c))
		low, high := 0.0, 1.0
		for PartitionedFPR(high, c, float64(n)) > p {
			if low, high = high, high*2; high > 1<<62 {
				return high, int(c)
			}
		}
		for low+1 < high {
			if middle := math.Floor((low + high) / 2); PartitionedFPR(middle, c, float64(n)) > p {
				low = middle
			} else {
				high = middle
			}
		}
		if slice == 0 || high*c < slice*float64(k) {
			slice, k = high, int(c)
		}
	}
	return slice, k
}
