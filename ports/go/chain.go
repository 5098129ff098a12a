package bloomery

import (
	"math"

	"bloomery/internal/model"
)

// A chain is several block filters side by side in one array, of which a lookup asks all: the rule of scalable filters, whose parts
// are levels, and of window filters, whose parts are generations.
type chain []chainPart

// A chainPart is one of them: so many blocks of a profile, from a byte of the array on.
type chainPart struct {
	at, blocks uint64
	profile    Profile
}

func (p chainPart) bytes() uint64 {
	s, _ := p.profile.shape()
	return p.blocks * uint64(s.Lanes*s.Width/8)
}

// in is the block filter that the part is. It shares the memory of the array.
func (p chainPart) in(a *array) *BlockBloom {
	return blockOf(array{bits: a.bits[p.at : p.at+p.bytes()]}, p.profile, p.blocks, 0, Hasher{})
}

// look begins with the last part: of a chain that grew it has the most keys.
func (c chain) look(a *array, h uint64) bool {
	for i := len(c) - 1; i >= 0; i-- {
		s, _ := c[i].profile.shape()
		if inBlocks(a.bits[c[i].at:c[i].at+c[i].bytes()], c[i].blocks, s, h) {
			return true
		}
	}
	return false
}

func (c chain) fill(a *array) float64 { return float64(onesIn(a.bits)) / float64(8*len(a.bits)) }

// keys counts a key twice that is in two parts.
func (c chain) keys(a *array) (sum float64) {
	for _, p := range c {
		sum += p.in(a).EstimatedKeys()
	}
	return sum
}

// realised is that of spec/model.md 12 and 14. Parts of one line a key are looked at together: where two of them are damaged, no key may
// have both places, or each that has one.
func (c chain) realised(a *array) float64 {
	var lines []*BlockBloom
	keys, twoLines := 0.0, 0.0
	for _, p := range c {
		if b := p.in(a); b.lines == 1 {
			lines, keys = append(lines, b), keys+b.EstimatedKeys()/float64(b.count)
		} else {
			twoLines += b.RealisedFPR()
		}
	}
	mean := 0.0
	if len(lines) > 0 {
		for block := uint64(0); block < lines[0].count; block++ {
			mean += passingAny(lines, block, 0)
		}
		mean /= float64(lines[len(lines)-1].count)
	}
	return math.Min(1, model.WithCollisions(mean, keys, 32)+twoLines)
}

// passingAny is the chance that a part passes a random key, summed over the blocks of the last part that lie in a block of the first: blocks
// are intervals of hashes, and each lies in one of the part before. passed is the chance that a part before the first does.
func passingAny(parts []*BlockBloom, block uint64, passed float64) (sum float64) {
	chance, _ := parts[0].passing(block)
	passed += (1 - passed) * chance
	if len(parts) == 1 {
		return passed
	}
	within := parts[1].count / parts[0].count
	for n := uint64(0); n < within; n++ {
		sum += passingAny(parts[1:], block*within+n, passed)
	}
	return sum
}

// compound is the rate of several filters that are all asked, before they are filled: the chance that one passes does not depend on the
// others.
func compound(parts int, of func(i int) float64) (rate float64) {
	for i := 0; i < parts; i++ {
		rate += (1 - rate) * of(i)
	}
	return rate
}
