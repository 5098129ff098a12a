package bloomery

import (
	"encoding/binary"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
)

const (
	countingLine = Lanes16 // its blocks have the lanes of that profile, with cells in place of bits
	blockCells   = 128
	laneCells    = 16
)

var countingWidth = parameter(KindCounting, "cell_bits")

// countingKind is its row in the table of kinds.
var countingKind = kindRow{
	lookup: newCounting, positions: countingPositions,
	hashesFit: func(i *Info) bool { return i.Profile != countingLine || i.Hashes == 8 },
	unitsFit:  func(i *Info) bool { return i.Profile != countingLine || i.Units%blockCells == 0 },
	check: func(i *Info) error {
		switch i.Parameters.Get(countingWidth) {
		case 4, 8, 32:
			return nil
		}
		return fault.At(Corrupt, countingWidth.Offset, "cells of an impossible width")
	},
}

// A counting filter has a small counter in the place of each bit, so that its maker can erase keys (spec/filters.md 8).
type counting struct {
	line  bool // the cells of a key lie in one block; otherwise anywhere
	cells uint64
	k     uint32
	width uint64 // bits of a cell: 4, 8 or 32
}

func newCounting(s Shape, _ *array) lookup {
	return &counting{s.Profile == countingLine, s.Units, s.Hashes, s.Parameters.Get(countingWidth)}
}

// set reports whether a cell is not 0. What a damaged chunk held is not known: its cells count as set.
func (c *counting) set(a *array, cell uint64) bool {
	if a.damage != nil && a.damage.touches(cell*c.width/8, (c.width+7)/8) {
		return true
	}
	switch c.width {
	case 4:
		return a.bits[cell/2]>>(cell%2*4)&15 != 0
	case 8:
		return a.bits[cell] != 0
	}
	return binary.LittleEndian.Uint32(a.bits[4*cell:]) != 0
}

// laneCell is the cell of a key in a lane of its block.
func laneCell(h, lane uint64) uint64 { return laneCells*lane + uint64(uint32(h)*salts[lane]>>28) }

func (c *counting) mayContain(a *array, h uint64) bool {
	if c.line {
		base := hash.MulHi(h, c.cells/blockCells) * blockCells
		for j := uint64(0); j < 8; j++ {
			if !c.set(a, base+laneCell(h, j)) {
				return false
			}
		}
		return true
	}
	x := h | 1
	for i := c.k; i > 0; i-- {
		x *= bloomStep
		if !c.set(a, hash.MulHi(x, c.cells)) {
			return false
		}
	}
	return true
}

// countingPositions are the cells of a key, each once.
func countingPositions(s Shape, h uint64) (out []uint64) {
	cells := bloomPositions(s, h)
	if s.Profile == countingLine {
		cells = nil
		for j := uint64(0); j < 8; j++ {
			cells = append(cells, hash.MulHi(h, s.Units/blockCells)*blockCells+laneCell(h, j))
		}
	}
	for _, c := range cells {
		if !contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}
