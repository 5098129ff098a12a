package model

import "math"

// maxOrder bounds the divisors that are looked for; no writer's k comes near it.
const maxOrder = 1 << 20

// Excess is what double hashing adds to the rate of independent probes at the fill rho (spec/model.md 2): keys whose
// step has a small order visit few positions, and keys of the same step share theirs.
func Excess(m uint64, k, n, rho float64) float64 {
	if rho >= 1 {
		return 0
	}
	bits := float64(m)
	overlapping := 2 * n / bits * (1 + 2*rho*(1-math.Pow(rho, k-1))/(1-rho))
	type order struct{ d, phi uint64 }
	var orders []order
	for d := uint64(1); d < maxOrder && float64(d) < k; d++ {
		if m%d == 0 {
			orders = append(orders, order{d, totient(d)})
		}
	}
	collapsed := 0.0
	for _, o := range orders {
		sum := 0.0
		for _, larger := range orders {
			if larger.d%o.d == 0 {
				sum += float64(larger.phi) * float64(larger.d)
			}
		}
		met := math.Min(1, n/(bits*bits)*sum)
		chance := math.Pow(rho, float64(o.d))
		collapsed += float64(o.phi) * (chance + met*(1-chance))
	}
	return (collapsed + overlapping) / bits
}

// totient is Euler's: how many of 1 .. d share no divisor with d.
func totient(d uint64) uint64 {
	phi := d
	for p := uint64(2); p*p <= d; p++ {
		if d%p == 0 {
			phi -= phi / p
			for d%p == 0 {
				d /= p
			}
		}
	}
	if d > 1 {
		phi -= phi / d
	}
	return phi
}
