package bloomery

import (
	"math"

	"bloomery/internal/fault"
	"bloomery/internal/model"
)

const maxGenerations = 1024

var (
	windowGenerations = Field{"generations", 100, 4}
	windowCurrent     = Field{"current", 104, 4}
	windowKeys        = Field{"generation_keys", 108, 8}
	windowCount       = Field{"count", 116, 8}
)

// windowKind is its row in the table of kinds.
var windowKind = kindRow{
	Facts: Facts{
		Kind: KindWindow, Name: "window", Hashers: anyHash, Seed: true, Profiles: []Profile{HalfLine, Line, TwoLines},
		K: KRange{ByProfile: true}, Units: "blocks", Max: Limit{"payload", maxBlockBytes}, Payload: "blocks",
		Parameters: []Field{windowGenerations, windowCurrent, windowKeys, windowCount}, Damage: DamageOnes, Forgets: true,
	},
	filter: (*Window)(nil), open: openWindow, unitBits: blockBits, check: checkWindow,
}

// A Window filter keeps recent keys only, and forgets older ones in order (spec/filters.md 14): it has generations, each a block
// filter, of which the oldest is emptied when the current one is full. A key that it denies was not inserted, or was forgotten. It comes
// out of a container, and is read here.
type Window struct {
	readOnly
	generations chain
}

func openWindow(i *Info, a array, h Hasher) Filter {
	count := i.Parameters.Get(windowGenerations)
	p := chainPart{0, i.Units / count, i.Profile}
	generations := make(chain, count)
	for n := range generations {
		generations[n] = p
		p.at += p.bytes()
	}
	return &Window{openReadOnly(i, a, h, generations), generations}
}

// checkWindow refuses what cannot be, in the order of spec/container.md 8.
func checkWindow(i *Info) error {
	p := &i.Parameters
	generations, keys := p.Get(windowGenerations), p.Get(windowKeys)
	switch {
	case generations < 2 || generations > maxGenerations:
		return fault.At(Corrupt, windowGenerations.Offset, "an impossible number of generations")
	case i.Units%generations != 0:
		return fault.At(Corrupt, 24, "generations of different sizes")
	case p.Get(windowCurrent) >= generations:
		return fault.At(Corrupt, windowCurrent.Offset, "a current generation that is not there")
	case keys != 0 && p.Get(windowCount) > keys:
		return fault.At(Corrupt, windowCount.Offset, "more keys in the current generation than it takes")
	}
	return nil
}

// Generations returns the number of generations.
func (f *Window) Generations() int { return len(f.generations) }

// Current returns the number of the generation that keys are inserted into.
func (f *Window) Current() int { return int(f.shape.Parameters.Get(windowCurrent)) }

// GenerationKeys returns after how many insertions the generations change; 0 if the program that inserts decides it.
func (f *Window) GenerationKeys() uint64 { return f.shape.Parameters.Get(windowKeys) }

// CurrentKeys returns how many insertions the current generation has had.
func (f *Window) CurrentKeys() uint64 { return f.shape.Parameters.Get(windowCount) }

// ExpectedFPR returns the rate of a filter of this shape, empty at first, after n insertions of distinct keys.
func (f *Window) ExpectedFPR(n uint64) float64 {
	part := f.generations[0]
	s, _ := part.profile.shape()
	of := func(keys uint64) float64 { return model.BlockFPR(s, part.blocks, keys) }
	each := f.GenerationKeys()
	if n == 0 || each == 0 {
		return of(n)
	}
	before := (n - 1) / each // generations that were filled
	current, full := n-each*before, of(each)
	older := int(math.Min(float64(before), float64(len(f.generations)-1)))
	return compound(older+1, func(i int) float64 {
		if i == older {
			return of(current)
		}
		return full
	})
}

// Clone returns a copy that shares no memory with f.
func (f *Window) Clone() (*Window, error) {
	b, err := f.cloned()
	if err != nil {
		return nil, err
	}
	return &Window{b, f.generations}, nil
}

// String returns a short description.
func (f *Window) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *Window) GoString() string { return "bloomery.Window(" + f.String() + ")" }
