package model

import (
	"math"
	"testing"
)

// The logarithm is that of math within a unit in the last place, and right where math is known to be wrong.
func TestLog(t *testing.T) {
	for x := 1e-300; x < 1; x = x*1.37 + x/3 {
		got, near := Log(x), math.Log(x)
		if got != near && got != math.Nextafter(near, 0) && got != math.Nextafter(near, -1000) {
			t.Errorf("Log(%g) = %v, not about %v", x, got, near)
		}
	}
	for x, want := range map[float64]uint64{
		0.01: 0xc0126bb1bbb55515, 0.5: 0xbfe62e42fefa39ef, 0.1: 0xc0026bb1bbb55515, 0.001: 0xc01ba18a998fffa0,
	} {
		if got := math.Float64bits(Log(x)); got != want {
			t.Errorf("Log(%v) = %x, not %x", x, got, want)
		}
	}
}
