package bloomery

import (
	"runtime"

	"bloomery/internal/model"
)

// EstimatedKeys returns how many distinct keys the filter seems to hold; infinite if every bit is set.
func (f *PortableBloom) EstimatedKeys() float64 {
	return model.PortableKeys(f.m, uint64(f.k), f.Ones())
}

// ExpectedFPR returns the rate that the filter will have once it holds n keys.
func (f *PortableBloom) ExpectedFPR(n uint64) float64 { return model.PortableFPR(f.m, uint64(f.k), n) }

// RealisedFPR returns the rate that the filter has, from its bits: exactly up to 65536 of them, else by the model. It takes
// up to half a second.
func (f *PortableBloom) RealisedFPR() float64 {
	if f.m == 0 {
		return 1 // not made: it denies nothing
	}
	rate := model.RealisedPortable(f.bits, f.m, uint64(f.k), f.Ones(), f.setBefore)
	runtime.KeepAlive(f)
	return rate
}

// setBefore counts the set positions of a key before the first that is clear.
func (f *PortableBloom) setBefore(h uint64) uint64 {
	x, step := f.start(h)
	for i := uint64(0); i < f.steps; i++ {
		if f.bits[x>>3]>>(x&7)&1 == 0 {
			return i
		}
		if x += step; x >= f.m {
			x -= f.m
		}
	}
	return f.steps
}

// PaddingIsClear reports whether the bits after the last one are zero, as writers leave them. Lookups ignore them and
// they are kept; if they are set, the file is damaged or of another dialect.
func (f *PortableBloom) PaddingIsClear() bool {
	clear := paddingOf(f.bits, f.m) == 0
	runtime.KeepAlive(f)
	return clear
}
