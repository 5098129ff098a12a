package bloomery

import (
	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

var (
	stableFraction  = parameter(KindStable, "fraction")
	stableDecrement = parameter(KindStable, "decrement")
	stableCellBits  = parameter(KindStable, "cell_bits")
	stableMax       = parameter(KindStable, "max")
)

// stableKind is its row in the table of kinds.
var stableKind = kindRow{lookup: newStable, positions: bloomPositions, check: checkStable}

// A stable filter keeps recent keys only, and forgets older ones at random (spec/filters.md 13): every insertion takes a little from
// some cells, and sets those of its key. A key that it denies was not inserted, or was forgotten.
type stable struct {
	cells uint64
	k     uint32
	width uint64 // bits of a cell: 1, 2 or 4
}

func newStable(s Shape, _ *array) lookup {
	return &stable{s.Units, s.Hashes, s.Parameters.Get(stableCellBits)}
}

// checkStable refuses what cannot be, in the order of spec/container.md 8.
func checkStable(i *Info) error {
	p := &i.Parameters
	cellBits, most := p.Get(stableCellBits), p.Get(stableMax)
	whole, fraction := p.Get(stableDecrement), p.Get(stableFraction)
	switch {
	case cellBits != 1 && cellBits != 2 && cellBits != 4:
		return fault.At(Corrupt, stableCellBits.Offset, "cells of an impossible width")
	case most < 1 || most >= 1<<cellBits:
		return fault.At(Corrupt, stableMax.Offset, "cells are set to an impossible value")
	case whole > i.Units || whole == i.Units && fraction != 0:
		return fault.At(Corrupt, stableDecrement.Offset, "more cells are decreased than there are")
	}
	return nil
}

// set reports whether a cell is not 0. What a damaged chunk held is not known: its cells count as set.
func (c *stable) set(a *array, cell uint64) bool {
	at := cell * c.width
	return a.damage.touches(at/8, 1) || a.bits[at/8]>>(at%8)&(1<<c.width-1) != 0
}

func (c *stable) mayContain(a *array, h uint64) bool {
	x := h | 1
	for i := c.k; i > 0; i-- {
		x *= bloomStep
		if !c.set(a, hash.MulHi(x, c.cells)) {
			return false
		}
	}
	return true
}
