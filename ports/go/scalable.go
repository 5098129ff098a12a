package bloomery

import (
	"math"
	"runtime"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

const (
	maxLevels        = 48
	maxScalableBytes = 1 << 48
	lineBytes        = 64
)

var (
	scalableRate     = Field{"rate", 100, 8} // the bits of a float64
	scalableGrowth   = Field{"growth", 108, 1}
	scalablePolicy   = Field{"policy", 109, 1}
	scalableMost     = Field{"max_levels", 110, 1}
	scalableLine     = Field{"line_from", 111, 1}
	scalableTwoLines = Field{"two_lines_from", 112, 1}
)

// scalableKind is its row in the table of kinds.
var scalableKind = kindRow{
	Facts: Facts{
		Kind: KindScalable, Name: "scalable", Hashers: anyHash, Seed: true, Profiles: []Profile{0}, K: KRange{Min: 1, Max: maxLevels},
		Units: "lines", Max: Limit{"payload", maxScalableBytes}, Payload: "levels",
		Parameters: []Field{scalableRate, scalableGrowth, scalablePolicy, scalableMost, scalableLine, scalableTwoLines},
		Damage:     DamageOnes, Sentinels: true, Keys: true,
	},
	filter: (*Scalable)(nil), open: openScalable, positions: scalablePositions, check: checkScalable, payloadFits: func(i *Info) bool {
		lines, _ := linesOf(shapeOf(i))
		return i.PayloadLength == lineBytes*lines
	},
}

// A GrowthPolicy says how the rate of a scalable filter is divided among its levels.
type GrowthPolicy uint8

// The policies of spec/filters.md 12.3.
const (
	GrowEqually       GrowthPolicy = 0 // as many equal parts as there can be levels
	GrowGeometrically GrowthPolicy = 1 // each level has nine tenths of the rate of the one before
	GrowDynamically   GrowthPolicy = 2 // every level has the whole rate: that of the filter grows with every level
)

// A Scalable filter is a chain of block filters, the levels, each a multiple of the one before (spec/filters.md 12). The program that
// made it adds levels as keys come; here it comes out of a container, and is read.
type Scalable struct {
	readOnly
	levels levels
}

// levels are a chain whose parts see another hash than that of the key: keys that come in the order of their hashes would fill the
// first blocks of a level only.
type levels struct{ chain }

func (l levels) look(a *array, h uint64) bool { return l.chain.look(a, hash.SplitMix64(h)) }

func openScalable(i *Info, a array, h Hasher) Filter {
	levels := levelsOf(shapeOf(i))
	return &Scalable{openReadOnly(i, a, h, levels), levels}
}

// linesOf is the number of lines of all levels; not ok if they have too many bytes.
func linesOf(s Shape) (sum uint64, ok bool) {
	const most = maxScalableBytes / lineBytes
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
	rate, growth, policy := math.Float64frombits(p.Get(scalableRate)), p.Get(scalableGrowth), GrowthPolicy(p.Get(scalablePolicy))
	most, line, twoLines := p.Get(scalableMost), p.Get(scalableLine), p.Get(scalableTwoLines)
	switch {
	case !(rate > 0 && rate < 1):
		return fault.At(Corrupt, scalableRate.Offset, "the rate of the chain is not between 0 and 1")
	case !contains([]uint64{2, 4, 8, 16}, growth):
		return fault.At(Corrupt, scalableGrowth.Offset, "an impossible growth")
	case policy > GrowDynamically:
		return fault.At(Corrupt, scalablePolicy.Offset, "an unknown policy of growth")
	case policy == GrowEqually && (most < uint64(i.Hashes) || most > maxLevels) || policy != GrowEqually && most != 0:
		return fault.At(Corrupt, scalableMost.Offset, "an impossible limit of levels")
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

// ChainFPR returns the rate that the chain was asked to keep.
func (f *Scalable) ChainFPR() float64 {
	return math.Float64frombits(f.shape.Parameters.Get(scalableRate))
}

// Growth returns how many times as large a level is as the one before.
func (f *Scalable) Growth() uint32 { return uint32(f.shape.Parameters.Get(scalableGrowth)) }

// Policy returns how the rate is divided among the levels.
func (f *Scalable) Policy() GrowthPolicy { return GrowthPolicy(f.shape.Parameters.Get(scalablePolicy)) }

// MaxLevels returns the most levels that the filter may have.
func (f *Scalable) MaxLevels() int {
	if f.Policy() == GrowEqually {
		return int(f.shape.Parameters.Get(scalableMost))
	}
	return maxLevels
}

// A Level is what the bits of one level of a scalable filter show.
type Level struct {
	Profile       Profile
	Blocks, Ones  uint64
	EstimatedKeys float64
	RealisedFPR   float64
}

// Levels returns the levels, from the oldest and smallest on. Their bits are counted.
func (f *Scalable) Levels() (levels []Level) {
	for _, p := range f.levels.chain {
		b := p.in(&f.array)
		levels = append(levels, Level{p.profile, p.blocks, b.Ones(), b.EstimatedKeys(), b.RealisedFPR()})
	}
	runtime.KeepAlive(f)
	return levels
}

// Clone returns a copy that shares no memory with f.
func (f *Scalable) Clone() (*Scalable, error) {
	b, err := f.cloned()
	if err != nil {
		return nil, err
	}
	return &Scalable{b, f.levels}, nil
}

// String returns a short description.
func (f *Scalable) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *Scalable) GoString() string { return "bloomery.Scalable(" + f.String() + ")" }

// scalablePositions are the bits of a key in each level, one after the other.
func scalablePositions(s Shape, h uint64) (out []uint64) {
	for _, p := range levelsOf(s).chain {
		for _, bit := range blockPositions(Shape{Profile: p.profile, Units: p.blocks}, hash.SplitMix64(h)) {
			out = append(out, 8*p.at+bit)
		}
	}
	return out
}
