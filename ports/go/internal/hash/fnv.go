package hash

const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x00000100000001b3
)

// FNV1a64 is Fowler, Noll and Vo's hash, without a finalizer.
func FNV1a64(key []byte) uint64 {
	h := uint64(fnvOffset)
	for len(key) >= 8 {
		h = (h ^ uint64(key[0])) * fnvPrime
		h = (h ^ uint64(key[1])) * fnvPrime
		h = (h ^ uint64(key[2])) * fnvPrime
		h = (h ^ uint64(key[3])) * fnvPrime
		h = (h ^ uint64(key[4])) * fnvPrime
		h = (h ^ uint64(key[5])) * fnvPrime
		h = (h ^ uint64(key[6])) * fnvPrime
		h = (h ^ uint64(key[7])) * fnvPrime
		key = key[8:]
	}
	for _, b := range key {
		h = (h ^ uint64(b)) * fnvPrime
	}
	return h
}

// FNVSplitMix is the hash of the portable filter.
func FNVSplitMix(key []byte) uint64 { return SplitMix64(FNV1a64(key)) }

// FNVSplitMix4 hashes four keys at once. One key is a chain of multiplications, each waiting for the one before; four
// chains fill the time that one leaves idle.
func FNVSplitMix4(a, b, c, d []byte) (uint64, uint64, uint64, uint64) {
	n := len(a)
	if len(b) < n {
		n = len(b)
	}
	if len(c) < n {
		n = len(c)
	}
	if len(d) < n {
		n = len(d)
	}
	ha, hb, hc, hd := uint64(fnvOffset), uint64(fnvOffset), uint64(fnvOffset), uint64(fnvOffset)
	a0, b0, c0, d0 := a[:n], b[:n], c[:n], d[:n]
	for i := range a0 {
		ha = (ha ^ uint64(a0[i])) * fnvPrime
		hb = (hb ^ uint64(b0[i])) * fnvPrime
		hc = (hc ^ uint64(c0[i])) * fnvPrime
		hd = (hd ^ uint64(d0[i])) * fnvPrime
	}
	return SplitMix64(fnvMore(ha, a[n:])), SplitMix64(fnvMore(hb, b[n:])),
		SplitMix64(fnvMore(hc, c[n:])), SplitMix64(fnvMore(hd, d[n:]))
}

func fnvMore(h uint64, rest []byte) uint64 {
	for _, b := range rest {
		h = (h ^ uint64(b)) * fnvPrime
	}
	return h
}
