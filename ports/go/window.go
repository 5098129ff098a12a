package bloomery

import "bloomery/internal/fault"

const maxGenerations = 1024

var (
	windowGenerations = parameter(KindWindow, "generations")
	windowCurrent     = parameter(KindWindow, "current")
	windowKeys        = parameter(KindWindow, "generation_keys")
	windowCount       = parameter(KindWindow, "count")
)

// windowKind is its row in the table of kinds.
var windowKind = kindRow{lookup: newWindow, check: checkWindow}

// newWindow is the rule of a filter that keeps recent keys only, and forgets older ones in order (spec/filters.md 14): it has
// generations, each a block filter, of which the oldest is emptied when the current one is full. A key that it denies was not inserted,
// or was forgotten.
func newWindow(s Shape, _ *array) lookup {
	count := s.Parameters.Get(windowGenerations)
	p := chainPart{0, s.Units / count, s.Profile}
	generations := make(chain, count)
	for n := range generations {
		generations[n] = p
		p.at += p.bytes()
	}
	return generations
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
