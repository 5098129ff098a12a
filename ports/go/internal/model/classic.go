// Package model has the rates of spec/model.md: what a filter of a size will have, and what given bits have.
package model

import "math"

// Fill is the chance that a bit is set after n keys of k independent probes each into m bits.
func Fill(m, k, n float64) float64 { return -math.Expm1(k * n * math.Log1p(-1/m)) }

// ClassicFPR is the expected rate of independent probes: the textbook's, and what the spread of the number of set bits
// adds to it to second order (spec/model.md 1).
func ClassicFPR(m, k, n float64) float64 {
	if n == 0 {
		return 0
	}
	if m <= 1 {
		return 1
	}
	e := k * n * math.Log1p(-1/m)
	q, s := math.Exp(e), -math.Expm1(e)
	v := q*s/m + q*q*(1-1/m)*math.Expm1(k*n*math.Log1p(-1/((m-1)*(m-1))))
	return math.Min(1, math.Pow(s, k)*(1+k*(k-1)/2*v/(s*s)))
}

// ClassicKeys is the number of keys that leaves ones of m bits set (Swamidass and Baldi, 2007).
func ClassicKeys(m, k, ones float64) float64 {
	switch {
	case ones == 0:
		return 0
	case ones >= m:
		return math.Inf(1)
	}
	return math.Log1p(-ones/m) / (k * math.Log1p(-1/m))
}
