package model

import "math"

const (
	cells      = 8192
	maxHalvesK = 4096
	unit       = 1 << 32
)

// Halves models filters of 2^31 bits and more, over which 32-bit halves do not spread evenly (spec/model.md 4).
type Halves struct {
	r, reach float64
	k        int
	load     [cells]float64 // of one key
}

// NewHalves computes the load of every cell.
func NewHalves(m uint64, k float64) *Halves {
	h := &Halves{r: float64(m) / unit, k: int(math.Min(k, maxHalvesK))}
	h.reach = math.Min(h.r, float64(h.k))
	harmonic := make([]float64, h.k) // harmonic[i] = 1 + 1/2 + .. + 1/i
	for i := 1; i < h.k; i++ {
		harmonic[i] = harmonic[i-1] + 1/float64(i)
	}
	for c := range h.load {
		sum := 0.0
		for t := (float64(c) + 0.5) / cells * h.reach; t < float64(h.k); t += h.r {
			sum += density(t, harmonic)
		}
		h.load[c] = (sum + (k-float64(h.k))/h.r) / unit
	}
	return h
}

// density is the sum over all probes i of their trapezoids at t, not folded: 1 below 1 for probe 0, and
// min(t, 1, i + 1 - t) / i for the others.
func density(t float64, harmonic []float64) float64 {
	last := len(harmonic) - 1
	if t < 1 {
		return 1 + t*harmonic[last]
	}
	whole := int(math.Ceil(t)) // from this probe on the trapezoid is at its height
	sum := 0.0
	if i := whole - 1; float64(whole) != t && i <= last {
		sum = (float64(whole) - t) / float64(i)
	}
	if whole <= last+1 {
		sum += harmonic[last] - harmonic[whole-1]
	}
	return sum
}

// Fill is the share of set bits after n keys.
func (h *Halves) Fill(n float64) float64 {
	sum := 0.0
	for _, f := range h.load {
		sum -= math.Expm1(-n * f)
	}
	return sum / cells * h.reach / h.r
}

// FPR is the rate after n keys, without what double hashing adds.
func (h *Halves) FPR(n float64) float64 {
	grid := 1024
	for limit := 64; limit < h.k; limit *= 4 {
		grid /= 2
	}
	var set [cells]float64
	for c, f := range h.load {
		set[c] = -math.Expm1(-n * f)
	}
	scale := cells / h.reach
	sum := 0.0
	for a := 0; a < grid; a++ {
		u := math.Mod((float64(a)+0.5)/float64(grid), h.r)
		for b := 0; b < grid; b++ {
			v := math.Mod((float64(b)+0.5)/float64(grid), h.r)
			y, p := u, 1.0
			for i := 0; i < h.k && p > 1e-30; i++ {
				c := int(scale * y)
				if c >= cells {
					c = cells - 1
				}
				p *= set[c]
				if y += v; y >= h.r {
					y -= h.r
				}
			}
			sum += p
		}
	}
	return sum / float64(grid*grid)
}

// Keys is the number of keys at which the fill is rho, by bisection; infinite if no number is.
func (h *Halves) Keys(rho float64) float64 {
	if rho <= 0 {
		return 0
	}
	low, high := 0.0, 1.0
	for h.Fill(high) < rho {
		if low, high = high, high*2; high > 1e30 {
			return math.Inf(1)
		}
	}
	for i := 0; i < 60 && high-low > 1e-12*high; i++ {
		if middle := (low + high) / 2; h.Fill(middle) < rho {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
