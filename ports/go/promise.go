package bloomery

import (
	"fmt"
	"sync/atomic"

	"bloomery/internal/fault"
	"bloomery/internal/model"
)

// A Verdict says whether a portable filter keeps a rate (spec/filters.md 1.5).
type Verdict uint8

// Unasked is the verdict of a filter that was not sized by a rate.
const (
	Unasked Verdict = iota
	Kept            // the true rate is at most 1.1 times the requested one
	Warned          // it is above that: say so
	Refused         // it is above four times as much, for 100 keys or more
)

// String returns the name that the specification uses.
func (v Verdict) String() string {
	return [...]string{"unasked", "kept", "warned", "refused"}[v&3]
}

// A Promise is what a portable filter of a size will really do.
type Promise struct {
	Keys    uint64
	Bits    uint64
	Hashes  uint32
	Asked   float64 // the rate that was requested; 0: none
	FPR     float64 // the true one, once it holds Keys keys
	Verdict Verdict
}

// lastPromise is kept because many filters of one size are often made, and the rate of a small or a very large one takes long.
var lastPromise atomic.Pointer[Promise]

// PromisePortable returns the size of a portable filter for so many keys at a rate, and the rate that this size really
// gives: double hashing, short halves and at most 30 hashes cannot deliver every rate.
func PromisePortable(keys uint64, fpr float64) (Promise, error) {
	m, k, err := SizePortableByRate(keys, fpr)
	if err != nil {
		return Promise{}, err
	}
	if last := lastPromise.Load(); last != nil && last.Keys == keys && last.Asked == fpr {
		return *last, nil
	}
	p := Promise{keys, m, k, fpr, model.PortableFPR(m, uint64(k), keys), Kept}
	switch {
	case p.FPR > 4*fpr && keys >= 100:
		p.Verdict = Refused
	case p.FPR > 1.1*fpr:
		p.Verdict = Warned
	}
	lastPromise.Store(&p)
	return p, nil
}

// Warning is empty if the rate is kept, and otherwise a sentence that names the true rate.
func (p Promise) Warning() string {
	if p.Verdict == Unasked || p.Verdict == Kept {
		return ""
	}
	return fmt.Sprintf("for %d keys at %g the portable format gives %.3g, %s", p.Keys, p.Asked, p.FPR, p.reason())
}

func (p Promise) reason() string {
	switch {
	case p.Bits > 1<<32:
		return "because 32-bit halves do not spread evenly over so many bits"
	case p.Hashes == maxPortableHashes:
		return "because it has at most 30 hashes and double hashing adds a floor"
	}
	return "because double hashing adds a floor of the order of 1 / bits"
}

func (p Promise) refusal() error {
	return fault.New(Unattainable, p.Warning()+"; request a higher rate, or set Force")
}

// Promise returns what was promised when the filter was made. For a filter that was forced it is computed only here.
func (f *PortableBloom) Promise() Promise {
	if p := f.promised; p.Asked != 0 && p.Verdict == Unasked {
		p, _ = PromisePortable(p.Keys, p.Asked)
		return p
	}
	return f.promised
}

// ExpectedPortableFPR returns the rate of a portable filter of a size once it holds so many keys, without making one.
func ExpectedPortableFPR(bits uint64, hashes uint32, keys uint64) float64 {
	return model.PortableFPR(bits, uint64(hashes), keys)
}
