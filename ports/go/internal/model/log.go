package model

import (
	"math"
	"math/big"
)

// precision is enough that the logarithm of a double, cut off here, rounds as the exact one does but for cases that are
// not known to exist.
const precision = 160

// Log is the natural logarithm of a positive number, rounded to nearest. math.Log is off by one in the last place now and
// then, for 0.01 among others, and sizes are part of the contract (spec/filters.md 1.4).
func Log(x float64) float64 {
	fraction, exponent := math.Frexp(x) // x = fraction * 2^exponent, fraction in [1/2, 1)
	f := new(big.Float).SetPrec(precision).SetFloat64(fraction)
	one := big.NewFloat(1)
	z := new(big.Float).SetPrec(precision).Quo(new(big.Float).SetPrec(precision).Sub(f, one), new(big.Float).SetPrec(precision).Add(f, one))
	third := new(big.Float).SetPrec(precision).Quo(one, big.NewFloat(3))

	sum := atanh(z) // ln f = 2 atanh((f - 1) / (f + 1)); ln 2 = 2 atanh(1/3)
	ln2 := atanh(third)
	sum.Add(sum, ln2.Mul(ln2, big.NewFloat(float64(exponent))))
	y, _ := sum.Mul(sum, big.NewFloat(2)).Float64()
	return y
}

// atanh is the sum of z^i / i over odd i, for z of at most 1/3: each term is a ninth of the one before, or less.
func atanh(z *big.Float) *big.Float {
	square := new(big.Float).SetPrec(precision).Mul(z, z)
	power := new(big.Float).SetPrec(precision).Set(z)
	sum := new(big.Float).SetPrec(precision)
	term := new(big.Float).SetPrec(precision)
	for i := 1; i < 2*precision/3; i += 2 {
		sum.Add(sum, term.Quo(power, big.NewFloat(float64(i))))
		power.Mul(power, square)
	}
	return sum
}
