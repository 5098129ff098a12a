package model

import (
	"math"

	"bloomery/internal/hash"
)

const (
	simulatedBits = 2048
	halvesBits    = 1 << 31
	manyHashes    = 256
)

// PortableFPR is the expected rate of a portable filter after n keys (spec/model.md 5).
func PortableFPR(m, k, n uint64) float64 {
	if n == 0 {
		return 0
	}
	if k > m {
		k = m
	}
	bits, hashes, keys := float64(m), float64(k), float64(n)
	var rate float64
	switch {
	case m <= simulatedBits:
		return simulated(m, k, n)
	case m < halvesBits:
		rate = ClassicFPR(bits, hashes, keys) + Excess(m, hashes, keys, Fill(bits, hashes, keys))
	default:
		h := NewHalves(m, hashes)
		rate = h.FPR(keys) + Excess(m, hashes, keys, h.Fill(keys))
	}
	return math.Min(1, rate)
}

// simulated is the mean exact rate of filters of pseudo-random keys, the same every time.
func simulated(m, k, n uint64) float64 {
	if float64(n)*float64(k) > 50*float64(m) {
		return 1
	}
	filters := int(1.3e8 / (float64(m) * float64(m)))
	if filters < 32 {
		filters = 32
	} else if filters > 1024 {
		filters = 1024
	}
	exact := NewExact(uint(m))
	set := make([]byte, (m+7)/8)
	state, sum := m, 0.0
	for i := 0; i < filters; i++ {
		for j := range set {
			set[j] = 0
		}
		for j := uint64(0); j < n; j++ {
			x := hash.SplitMix64(state)
			state += 0x9e3779b97f4a7c15
			at, step := x&0xffffffff%m, x>>32%m
			for i := uint64(0); i < k; i++ {
				set[at/8] |= 1 << (at % 8)
				at = (at + step) % m
			}
		}
		sum += exact.FPR(set, uint(k))
	}
	return sum / float64(filters)
}

// PortableKeys is the number of keys that a portable filter with so many set bits seems to hold (spec/model.md 6).
func PortableKeys(m, k, ones uint64) float64 {
	if k > m {
		k = m
	}
	switch {
	case ones >= m:
		return math.Inf(1)
	case ones == 0:
		return 0
	case m < halvesBits:
		return ClassicKeys(float64(m), float64(k), float64(ones))
	}
	return NewHalves(m, float64(k)).Keys(float64(ones) / float64(m))
}

// RealisedPortable is the rate that the bits of a portable filter have (spec/model.md 7). probes returns how many of the
// first positions of a hashed key are set.
func RealisedPortable(set []byte, m, k, ones uint64, probes func(h uint64) uint64) float64 {
	if k > m {
		k = m
	}
	if m <= MaxExactBits {
		return NewExact(uint(m)).FPR(set, uint(k))
	}
	if k > manyHashes {
		if rate, ok := asked(k, probes); ok {
			return rate
		}
	}
	switch ones {
	case 0:
		return 0
	case m:
		return 1
	}
	rho, hashes := float64(ones)/float64(m), float64(k)
	n := PortableKeys(m, k, ones)
	independent := math.Pow(rho, hashes)
	if m >= halvesBits && !math.IsInf(n, 1) {
		independent = NewHalves(m, hashes).FPR(n)
	}
	return math.Min(rho, independent+Excess(m, hashes, n, rho))
}

// asked is the share of pseudo-random keys that pass, if enough do.
func asked(k uint64, probes func(h uint64) uint64) (float64, bool) {
	const keys, budget, enough = 1 << 17, 1 << 28, 200
	used, passed, i := uint64(0), 0, uint64(0)
	for ; i < keys && used+k <= budget; i++ {
		n := probes(hash.SplitMix64(i))
		used += n
		if n == k {
			passed++
		}
	}
	if passed < enough {
		return 0, false
	}
	return float64(passed) / float64(i), true
}
