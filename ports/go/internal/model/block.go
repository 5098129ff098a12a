package model

import "math"

// A Shape is the lanes of a block and how many blocks a key has.
type Shape struct{ Width, Lanes, Lines int }

// BlockFPR is the expected rate of a filter of blocks after n keys (spec/model.md 8).
func BlockFPR(s Shape, blocks, n uint64) float64 {
	if n == 0 {
		return 0
	}
	keys, mean := float64(n)*float64(s.Lines), float64(n)*float64(s.Lines)/float64(blocks)
	reach := 12*math.Sqrt(mean) + 30
	first := math.Max(0, math.Floor(mean-reach))
	last := math.Min(keys, math.Ceil(mean+reach))
	clear := math.Log1p(-1 / float64(s.Width))
	sum := 0.0
	for i := first; i <= last; i++ {
		sum += chance(i, keys, blocks, mean) * withLowBits(math.Pow(-math.Expm1(i*clear), float64(s.Lanes)), i)
	}
	return math.Min(1, math.Pow(sum, float64(s.Lines))+float64(n)/math.Exp2(64))
}

// withLowBits is the chance that a random key passes a block of i keys if its bits are all set by chance with probability
// p: equal low 32 bits are equal bits (spec/model.md 7).
func withLowBits(p, i float64) float64 { return p + (1-p)*math.Min(1, i/math.Exp2(32)) }

// WithCollisions is the rate p of bits that are set by chance, with keys added that are one of n in so many bits.
func WithCollisions(p, n float64, bits int) float64 {
	return p + (1-p)*math.Min(1, n/math.Exp2(float64(bits)))
}

// RealisedBlocks is the rate that the bits of a filter of blocks have (spec/model.md 7). passing is the mean over the blocks
// of the product over lanes of their fill.
func RealisedBlocks(s Shape, blocks uint64, passing float64, ones uint64) float64 {
	n := BlockKeys(s, blocks, ones)
	one := withLowBits(passing, n*float64(s.Lines)/float64(blocks))
	if s.Lines == 1 {
		return one
	}
	return WithCollisions(one*one, n, 64)
}

// chance is that of i keys in one block: binomial, and Poisson's where the two hardly differ.
func chance(i, keys float64, blocks uint64, mean float64) float64 {
	lgi, _ := math.Lgamma(i + 1)
	if blocks >= 4096 {
		return math.Exp(i*math.Log(mean) - mean - lgi)
	}
	if blocks == 1 {
		if i == keys {
			return 1
		}
		return 0
	}
	lgn, _ := math.Lgamma(keys + 1)
	lgr, _ := math.Lgamma(keys - i + 1)
	p := 1 / float64(blocks)
	return math.Exp(lgn - lgi - lgr + i*math.Log(p) + (keys-i)*math.Log1p(-p))
}

// SizeBlocks is the fewest blocks whose expected rate for n keys is at most p, or 0 if that takes more than limit. For two
// lines some blocks are added, because correlations of the loads are not in the model.
func SizeBlocks(s Shape, n uint64, p float64, limit uint64) uint64 {
	// So many keys fall into a block of this low that every bit is set: the rate is above p there.
	low := n / uint64(64*s.Width) * uint64(s.Lines)
	high := low + 1
	for BlockFPR(s, high, n) > p {
		if high > limit {
			return 0
		}
		low, high = high, high*2
	}
	for low+1 < high {
		if middle := low + (high-low)/2; BlockFPR(s, middle, n) > p {
			low = middle
		} else {
			high = middle
		}
	}
	if s.Lines > 1 {
		high++
	}
	if s.Lines > 1 && high < 1024 {
		high += high / 64
	}
	if high > limit {
		return 0
	}
	return high
}

// BlockKeys is the number of keys that leaves ones of the bits of so many blocks set (spec/model.md 6).
func BlockKeys(s Shape, blocks, ones uint64) float64 {
	m := float64(blocks) * float64(s.Width) * float64(s.Lanes)
	switch {
	case ones == 0:
		return 0
	case float64(ones) >= m:
		return math.Inf(1)
	}
	n := math.Log1p(-float64(ones)/m) / math.Log1p(-1/(float64(s.Width)*float64(blocks)))
	return n / float64(s.Lines)
}

// SizeClassic is the fewest bits, and their k, whose expected rate for n keys is at most p.
func SizeClassic(n uint64, p float64) (bits float64, k int) {
	around := math.Log2(1 / p)
	for _, c := range [...]float64{math.Floor(around), math.Ceil(around)} {
		c = math.Max(1, math.Min(64, c))
		low, high := 0.0, 1.0
		for ClassicFPR(high, c, float64(n))+float64(n)/math.Exp2(63) > p {
			if low, high = high, high*2; high > 1<<62 {
				return high, int(c)
			}
		}
		for low+1 < high {
			if middle := math.Floor((low + high) / 2); ClassicFPR(middle, c, float64(n))+float64(n)/math.Exp2(63) > p {
				low = middle
			} else {
				high = middle
			}
		}
		if bits == 0 || high < bits {
			bits, k = high, int(c)
		}
	}
	return bits, k
}
