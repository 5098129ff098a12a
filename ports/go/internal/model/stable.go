package model

import "math"

// Stable is the rates of a stable filter (spec/model.md 13), cell by cell: an insertion of another key sets one, or decreases it, or
// leaves it alone.
type Stable struct {
	k     float64
	max   uint64
	event float64 // the chance that an insertion sets or decreases a cell
	less  float64 // the share of decreases among those
}

// NewStable is of m cells, k of them a key's, that are set to most, and of which each insertion decreases so many on average.
func NewStable(m uint64, k uint32, most uint64, decreased float64) Stable {
	q := -math.Expm1(float64(k) * math.Log1p(-1/float64(m)))
	a := decreased / float64(m) * (1 - q)
	return Stable{float64(k), most, a + q, a / (a + q)}
}

// FPR is the rate at the stable point.
func (s Stable) FPR() float64 { return math.Pow(1-math.Pow(s.less, float64(s.max)), s.k) }

// Forgetting is the chance that a key is denied after g insertions of others.
func (s Stable) Forgetting(g uint64) float64 {
	zero := math.Pow(s.less, float64(s.max)) * atLeast(g, s.event, s.max)
	return -math.Expm1(s.k * math.Log1p(-zero))
}

// Expected is the rate after g insertions of distinct keys into an empty filter.
func (s Stable) Expected(g uint64) float64 {
	set := 0.0
	for j := uint64(0); j < s.max; j++ {
		set += atLeast(g, s.event, j+1) * math.Pow(s.less, float64(j)) * (1 - s.less)
	}
	return math.Pow(set, s.k)
}

// atLeast is the chance that of g trials with probability p at least n, which is at least 1, succeed. The smaller tail is summed, so
// that a small chance is exact too.
func atLeast(g uint64, p float64, n uint64) float64 {
	switch {
	case g < n:
		return 0
	case p >= 1:
		return 1
	}
	trials := float64(g)
	term := math.Exp(trials * math.Log1p(-p)) // of 0 successes
	below, j := 0.0, 0.0
	next := func() { term, j = term*(trials-j)/(j+1)*p/(1-p), j+1 }
	for j < float64(n) {
		below += term
		next()
	}
	if trials*p >= float64(n)/2 {
		return math.Max(0, 1-below)
	}
	above := 0.0
	for j <= trials && term > above*1e-17 {
		above += term
		next()
	}
	return above
}
