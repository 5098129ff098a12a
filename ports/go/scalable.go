package bloomery

import (
	"math"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

const (
	maxLevels = 48
	lineBytes = 64
)

var (
	scalableRate     = parameter(KindScalable, "rate") // the bits of a float64
	scalableGrowth   = parameter(KindScalable, "growth")
	scalablePolicy   = parameter(KindScalable, "policy")
	scalableMax      = parameter(KindScalable, "max_levels")
	scalableLine     = parameter(KindScalable, "line_from")
	scalableTwoLines = parameter(KindScalable, "two_lines_from")
)

// scalableKind is its row in the table of kinds.
var scalableKind = kindRow{
	lookup: func(s Shape, _ *array) lookup { return levelsOf(s) }, positions: scalablePositions, check: checkScalable,
	number: "levels",
	payloadFits: func(i *Info) bool {
		lines, _ := linesOf(shapeOf(i))
		return i.PayloadLength == lineBytes*lines
	},
}

// The policies of spec/filters.md 12.3: how the rate is divided among the levels.
const (
	growEqually     = 0
	growDynamically = 2
)

// levels are a chain of block filters, each a multiple of the one before (spec/filters.md 12). They see another hash than that of the
// key: keys that come in the order of their hashes would fill the first blocks of a level only.
type levels struct{ chain }

func (l levels) mayContain(a *array, h uint64) bool { return l.chain.mayContain(a, hash.SplitMix64(h)) }

// linesOf is the number of lines of all levels; not ok if they have too many bytes.
func linesOf(s Shape) (sum uint64, ok bool) {
	most := factsOf(KindScalable).Max.N / lineBytes
	lines := s.Units
	for level := uint32(0); level < s.Hashes; level++ {
		if lines > most-sum {
			return 0, false
		}
		sum += lines
		lines *= s.Parameters.Get(scalableGrowth)
	}
	return sum, true
}

// levelsOf is where the levels of a shape that was checked lie.
func levelsOf(s Shape) levels {
	var parts chain
	at, lines := uint64(0), s.Units
	for level := uint64(0); level < uint64(s.Hashes); level++ {
		p := chainPart{at, lines, TwoLines}
		switch {
		case level < s.Parameters.Get(scalableLine):
			p.profile, p.blocks = HalfLine, 2*lines
		case level < s.Parameters.Get(scalableTwoLines):
			p.profile = Line
		}
		parts = append(parts, p)
		at += lineBytes * lines
		lines *= s.Parameters.Get(scalableGrowth)
	}
	return levels{parts}
}

// checkScalable refuses what cannot be, in the order of spec/container.md 8.
func checkScalable(i *Info) error {
	p := &i.Parameters
	rate, growth, policy := math.Float64frombits(p.Get(scalableRate)), p.Get(scalableGrowth), p.Get(scalablePolicy)
	most, line, twoLines := p.Get(scalableMax), p.Get(scalableLine), p.Get(scalableTwoLines)
	switch {
	case !(rate > 0 && rate < 1):
		return fault.At(Corrupt, scalableRate.Offset, "the rate of the chain is not between 0 and 1")
	case !contains([]uint64{2, 4, 8, 16}, growth):
		return fault.At(Corrupt, scalableGrowth.Offset, "an impossible growth")
	case policy > growDynamically:
		return fault.At(Corrupt, scalablePolicy.Offset, "an unknown policy of growth")
	case policy == growEqually && (most < uint64(i.Hashes) || most > maxLevels) || policy != growEqually && most != 0:
		return fault.At(Corrupt, scalableMax.Offset, "an impossible limit of levels")
	case line > maxLevels:
		return fault.At(Corrupt, scalableLine.Offset, "an impossible first level of lines")
	case twoLines < line || twoLines > maxLevels:
		return fault.At(Corrupt, scalableTwoLines.Offset, "an impossible first level of two lines")
	}
	if _, ok := linesOf(shapeOf(i)); !ok || i.Units == 0 {
		return fault.At(Corrupt, 24, "impossible number of lines")
	}
	return nil
}

// scalablePositions are the bits of a key in each level, one after the other.
func scalablePositions(s Shape, h uint64) (out []uint64) {
	for _, p := range levelsOf(s).chain {
		for _, bit := range blockPositions(Shape{Profile: p.profile, Units: p.blocks}, hash.SplitMix64(h)) {
			out = append(out, 8*p.at+bit)
		}
	}
	return out
}
