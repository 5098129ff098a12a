package bloomery

import (
	"math"
	"runtime"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
	"bloomery/internal/model"
)

const (
	maxStableCells  = 1 << 46
	maxStableHashes = 64
)

var (
	stableInserts   = Field{"inserts", 100, 8}
	stableSeed      = Field{"seed", 108, 4}
	stableFraction  = Field{"fraction", 112, 4}
	stableDecrement = Field{"decrement", 116, 4}
	stableCellBits  = Field{"cell_bits", 120, 1}
	stableMax       = Field{"max", 121, 1}
)

// stableKind is its row in the table of kinds.
var stableKind = kindRow{
	Facts: Facts{
		Kind: KindStable, Name: "stable", Hashers: anyHash, Seed: true, Profiles: []Profile{0}, K: KRange{Min: 1, Max: maxStableHashes},
		Units: "cells", Max: Limit{"units", maxStableCells}, Payload: "cells",
		Parameters: []Field{stableInserts, stableSeed, stableFraction, stableDecrement, stableCellBits, stableMax},
		Damage:     DamagePerhaps, Forgets: true,
	},
	filter: (*Stable)(nil), open: openStable, positions: bloomPositions, check: checkStable,
	unitBits: func(i *Info) uint64 { return i.Parameters.Get(stableCellBits) },
}

// A Stable filter keeps recent keys only, and forgets older ones at random (spec/filters.md 13): every insertion takes a little from
// some cells, and sets those of its key. A key that it denies was not inserted, or was forgotten; Forgetting tells how likely that
// is. It comes out of a container, and is read here.
type Stable struct {
	readOnly
	cells *stableCells
}

// stableCells are the rule: small counters, the cells of a key those that are not 0.
type stableCells struct {
	m    uint64
	k    uint32
	bits uint64 // of a cell: 1, 2 or 4
}

func openStable(i *Info, a array, h Hasher) Filter {
	c := &stableCells{i.Units, i.Hashes, i.Parameters.Get(stableCellBits)}
	return &Stable{openReadOnly(i, a, h, c), c}
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

// StableDecrease returns the first of the cells that the next insertion into a stable filter of a shape decreases, and how many. It is for
// tests, and for writing another implementation.
func StableDecrease(s Shape) (start, steps uint64) {
	p := &s.Parameters
	r := hash.SplitMix64(p.Get(stableSeed) + p.Get(stableInserts)*cuckooStep)
	steps = p.Get(stableDecrement)
	if r&math.MaxUint32 < p.Get(stableFraction) {
		steps++
	}
	return hash.MulHi(r, s.Units), steps
}

// set reports whether a cell is not 0. Of one in a damaged chunk that is not known.
func (c *stableCells) set(a *array, cell uint64) bool {
	at := cell * c.bits
	return a.damage.touches(at/8, 1) || a.bits[at/8]>>(at%8)&(1<<c.bits-1) != 0
}

func (c *stableCells) look(a *array, h uint64) bool {
	x := h | 1
	for i := c.k; i > 0; i-- {
		x *= bloomStep
		if !c.set(a, hash.MulHi(x, c.m)) {
			return false
		}
	}
	return true
}

func (c *stableCells) inUse(a *array) (n uint64) {
	for cell := uint64(0); cell < c.m; cell++ {
		if c.set(a, cell) {
			n++
		}
	}
	return n
}

func (c *stableCells) fill(a *array) float64 { return float64(c.inUse(a)) / float64(c.m) }

func (c *stableCells) keys(a *array) float64 {
	return model.ClassicKeys(float64(c.m), float64(c.k), float64(c.inUse(a)))
}

func (c *stableCells) realised(a *array) float64 { return math.Pow(c.fill(a), float64(c.k)) }

// Bits returns the number of bits of all cells.
func (f *Stable) Bits() uint64 { return f.cells.m * f.cells.bits }

// Ones returns the number of set bits.
func (f *Stable) Ones() uint64 {
	n := onesBelow(f.bits, f.Bits())
	runtime.KeepAlive(f)
	return n
}

// Cells returns the number of cells.
func (f *Stable) Cells() uint64 { return f.cells.m }

// CellBits returns the width of a cell: 1, 2 or 4.
func (f *Stable) CellBits() uint32 { return uint32(f.cells.bits) }

// Inserts returns how many insertions the filter has had.
func (f *Stable) Inserts() uint64 { return f.shape.Parameters.Get(stableInserts) }

// model is the filter as its rates are computed.
func (f *Stable) model() model.Stable {
	p := &f.shape.Parameters
	decreased := float64(p.Get(stableDecrement)) + float64(p.Get(stableFraction))/math.Exp2(32)
	return model.NewStable(f.cells.m, f.cells.k, p.Get(stableMax), decreased)
}

// StableFPR returns the rate to which the filter tends, however many keys are inserted.
func (f *Stable) StableFPR() float64 { return f.model().FPR() }

// ExpectedFPR returns the rate of a filter of this shape, empty at first, after n insertions of distinct keys.
func (f *Stable) ExpectedFPR(n uint64) float64 { return f.model().Expected(n) }

// Forgetting returns the chance that a key is denied after which age others were inserted.
func (f *Stable) Forgetting(age uint64) float64 { return f.model().Forgetting(age) }

// Clone returns a copy that shares no memory with f.
func (f *Stable) Clone() (*Stable, error) {
	b, err := f.cloned()
	if err != nil {
		return nil, err
	}
	return &Stable{b, f.cells}, nil
}

// String returns a short description.
func (f *Stable) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *Stable) GoString() string { return "bloomery.Stable(" + f.String() + ")" }
