package bloomery

import (
	"encoding/binary"
	"math"
	"runtime"

	"bloomery/internal/fault"
	"bloomery/internal/hash"
	"bloomery/internal/model"
)

const (
	countingFlat      Profile = 0
	countingLine              = Lanes16 // its blocks have the lanes of that profile, with cells in place of bits
	maxCountingCells          = 1 << 46
	maxCountingHashes         = 64
	blockCells                = 128
	laneCells                 = 16
)

var countingIdentity, countingWidth = Field{"identity", 100, 8}, Field{"cell_bits", 108, 1}

// countingKind is its row in the table of kinds.
var countingKind = kindRow{
	Facts: Facts{
		Kind: KindCounting, Name: "counting", Hashers: anyHash, Seed: true, Profiles: []Profile{countingFlat, countingLine},
		K: KRange{Min: 1, Max: maxCountingHashes}, Units: "cells", Max: Limit{"units", maxCountingCells}, Payload: "cells",
		Parameters: []Field{countingIdentity, countingWidth}, Damage: DamagePerhaps,
	},
	filter: (*Counting)(nil), open: openCounting, positions: countingPositions,
	hashesFit: func(i *Info) bool { return i.Profile != countingLine || i.Hashes == 8 },
	unitsFit:  func(i *Info) bool { return i.Profile != countingLine || i.Units%blockCells == 0 },
	unitBits:  func(i *Info) uint64 { return i.Parameters.Get(countingWidth) },
	check: func(i *Info) error {
		switch i.Parameters.Get(countingWidth) {
		case 4, 8, 32:
			return nil
		}
		return fault.At(Corrupt, countingWidth.Offset, "cells of an impossible width")
	},
}

// A Counting filter has a small counter in the place of each bit, so that its maker can erase keys (spec/filters.md 8). It comes out
// of a container, and is read here.
type Counting struct {
	array
	line     bool // the cells of a key lie in one block; otherwise anywhere
	cells    uint64
	k        uint32
	width    uint32 // bits of a cell: 4, 8 or 32
	identity uint64
	capacity uint64
	hasher   Hasher
}

func openCounting(i *Info, a array, h Hasher) Filter {
	return &Counting{
		a, i.Profile == countingLine, i.Units, i.Hashes, uint32(i.Parameters.Get(countingWidth)),
		i.Parameters.Get(countingIdentity), i.Capacity, h,
	}
}

// visit calls with each cell of a key, with some more than once, until the function returns false.
func (f *Counting) visit(h uint64, look func(cell uint64) bool) {
	if f.line {
		base := hash.MulHi(h, f.cells/blockCells) * blockCells
		for j := uint64(0); j < 8; j++ {
			if !look(base + laneCells*j + uint64(uint32(h)*salts[j]>>28)) {
				return
			}
		}
		return
	}
	x := h | 1
	for i := f.k; i > 0; i-- {
		x *= bloomStep
		if !look(hash.MulHi(x, f.cells)) {
			return
		}
	}
}

// cell is the value of a cell.
func (f *Counting) cell(c uint64) uint32 {
	switch f.width {
	case 4:
		return uint32(f.bits[c/2]>>(c%2*4)) & 15
	case 8:
		return uint32(f.bits[c])
	}
	return binary.LittleEndian.Uint32(f.bits[4*c:])
}

// sticky is the value from which on a cell has lost count.
func (f *Counting) sticky() uint32 { return 1 << (f.width - 1) }

// hurt reports whether a cell lies in a damaged chunk.
func (f *Counting) hurt(c uint64) bool {
	return f.damage != nil && f.damage.touches(c*uint64(f.width)/8, uint64(f.width+7)/8)
}

// set reports whether a cell is not 0. Of one in a damaged chunk that is not known.
func (f *Counting) set(c uint64) bool { return f.hurt(c) || f.cell(c) != 0 }

// MayContainHash answers false only if the key with these 64 bits is definitely not present: a cell of it is 0, and not damaged.
func (f *Counting) MayContainHash(h uint64) bool {
	hit := true
	f.visit(h, func(c uint64) bool { hit = f.set(c); return hit })
	runtime.KeepAlive(f)
	return hit
}

// CountHash is Count by the 64 bits of a key.
func (f *Counting) CountHash(h uint64) uint64 {
	least := f.sticky()
	f.visit(h, func(c uint64) bool {
		if !f.hurt(c) && f.cell(c) < least {
			least = f.cell(c)
		}
		return true
	})
	runtime.KeepAlive(f)
	if least == f.sticky() {
		return math.MaxUint64
	}
	return uint64(least)
}

// Count returns how many copies of a key there are, or more; 2^64 - 1 if that is not known, because all its cells have lost count or
// are damaged.
func (f *Counting) Count(key []byte) uint64 { return f.CountHash(f.hasher.Hash(key)) }

// MayContain answers false only if the key is definitely not present.
func (f *Counting) MayContain(key []byte) bool { return f.MayContainHash(f.hasher.Hash(key)) }

// MayContainString is MayContain for a string. It does not allocate.
func (f *Counting) MayContainString(key string) bool {
	return f.MayContainHash(f.hasher.HashString(key))
}

// MayContainUint64 answers false only if the integer is definitely not present.
func (f *Counting) MayContainUint64(x uint64) bool { return f.MayContainHash(f.hasher.HashUint64(x)) }

// MayContainMany answers for every key, in out, which must be as long; it returns how many may be there.
func (f *Counting) MayContainMany(keys [][]byte, out []bool) int {
	return lookMany(f.MayContainManyHashes, f.hasher, keys, out)
}

// MayContainManyHashes is MayContainMany by the 64 bits of keys.
func (f *Counting) MayContainManyHashes(hashes []uint64, out []bool) int {
	return countMany(f.MayContainHash, hashes, out)
}

// Kind returns KindCounting.
func (f *Counting) Kind() Kind { return KindCounting }

// Hasher returns the hasher that makes keys of bytes.
func (f *Counting) Hasher() Hasher { return f.hasher }

// Shape returns the layout, the cells of a key, all cells, their width and the identity.
func (f *Counting) Shape() Shape {
	s := Shape{Hashes: f.k, Units: f.cells}
	if f.line {
		s.Profile = countingLine
	}
	s.Parameters.Put(countingIdentity, f.identity)
	s.Parameters.Put(countingWidth, uint64(f.width))
	return s
}

// Cells returns the number of cells.
func (f *Counting) Cells() uint64 { return f.cells }

// CellBits returns the width of a cell: 4, 8 or 32.
func (f *Counting) CellBits() uint32 { return f.width }

// Identity returns the number that its maker chose to tell filters of one shape apart; 0 if none.
func (f *Counting) Identity() uint64 { return f.identity }

// Bits returns the number of bits of all cells.
func (f *Counting) Bits() uint64 { return f.cells * uint64(f.width) }

// Hashes returns the number of cells that a key has, equal ones counted.
func (f *Counting) Hashes() uint32 { return f.k }

// Capacity returns the number of keys the filter was sized for; 0 if that is not known.
func (f *Counting) Capacity() uint64 { return f.capacity }

// Ones returns the number of set bits.
func (f *Counting) Ones() uint64 {
	n := onesBelow(f.bits, f.Bits())
	runtime.KeepAlive(f)
	return n
}

// cellsThat counts cells.
func (f *Counting) cellsThat(are func(c uint64) bool) (n uint64) {
	for c := uint64(0); c < f.cells; c++ {
		if are(c) {
			n++
		}
	}
	runtime.KeepAlive(f)
	return n
}

// StuckCells returns the number of cells that have lost count: erasing does not empty them. Damaged ones are not among them.
func (f *Counting) StuckCells() uint64 {
	return f.cellsThat(func(c uint64) bool { return !f.hurt(c) && f.cell(c) >= f.sticky() })
}

// Fill returns the share of cells that are not 0.
func (f *Counting) Fill() float64 { return float64(f.cellsThat(f.set)) / float64(f.cells) }

// blocks are the number of blocks, and their shape without the counts.
func (f *Counting) blocks() (uint64, model.Shape) {
	s, _ := countingLine.shape()
	return f.cells / blockCells, s
}

// EstimatedKeys returns how many distinct keys the filter seems to hold; infinite if no cell is 0.
func (f *Counting) EstimatedKeys() float64 { return f.keysOf(f.cellsThat(f.set)) }

func (f *Counting) keysOf(set uint64) float64 {
	if !f.line {
		return model.ClassicKeys(float64(f.cells), float64(f.k), float64(set))
	}
	count, s := f.blocks()
	return model.BlockKeys(s, count, set)
}

// ExpectedFPR returns the rate of a filter of this shape that holds n keys, and from which none was erased.
func (f *Counting) ExpectedFPR(n uint64) float64 {
	if !f.line {
		return math.Min(1, model.ClassicFPR(float64(f.cells), float64(f.k), float64(n))+float64(n)/math.Exp2(63))
	}
	count, s := f.blocks()
	return model.BlockFPR(s, count, n)
}

// RealisedFPR returns the rate that the filter has, from its cells: that of the filter of bits with one for each cell that is not 0.
func (f *Counting) RealisedFPR() float64 {
	if !f.line {
		set := f.cellsThat(f.set)
		return model.WithCollisions(math.Pow(float64(set)/float64(f.cells), float64(f.k)), f.keysOf(set), 63)
	}
	sum, all := 0.0, uint64(0)
	for c := uint64(0); c < f.cells; {
		chance := 1.0
		for j := 0; j < 8; j++ {
			set := 0
			for end := c + laneCells; c < end; c++ {
				if f.set(c) {
					set++
				}
			}
			chance *= float64(set) / laneCells
			all += uint64(set)
		}
		sum += chance
	}
	runtime.KeepAlive(f)
	count, s := f.blocks()
	return model.RealisedBlocks(s, count, sum/float64(count), all)
}

// ToBloom returns the filter of bits, one for each cell that is not 0: a *Bloom, or, of blocks, a *BlockBloom of the profile Lanes16.
// If no cell is stuck it is, to the bit, the filter of the same keys. A damaged filter is refused (Corrupt).
func (f *Counting) ToBloom() (Filter, error) {
	if f.damaged {
		return nil, fault.New(Corrupt, "parts of the filter are damaged; it does not become another as if it were whole")
	}
	a, err := newArray(bytesFor(f.cells))
	if err != nil {
		return nil, err
	}
	for c := uint64(0); c < f.cells; c++ {
		if f.cell(c) != 0 {
			a.bits[c/8] |= 1 << (c % 8)
		}
	}
	runtime.KeepAlive(f)
	if f.line {
		return blockOf(a, Lanes16, f.cells/blockCells, f.capacity, f.hasher), nil
	}
	return &Bloom{bitArray{a, f.cells, f.k, f.capacity, f.hasher}}, nil
}

// Clone returns a copy that shares no memory with f.
func (f *Counting) Clone() (*Counting, error) {
	a, err := f.array.clone()
	if err != nil {
		return nil, err
	}
	g := *f
	g.array = a
	return &g, nil
}

// String returns a short description.
func (f *Counting) String() string { return describe(f, f.Bits()) }

// GoString returns a short description.
func (f *Counting) GoString() string { return "bloomery.Counting(" + f.String() + ")" }

func countingPositions(s Shape, h uint64) (out []uint64) {
	f := Counting{line: s.Profile == countingLine, cells: s.Units, k: s.Hashes}
	f.visit(h, func(c uint64) bool {
		if !contains(out, c) {
			out = append(out, c)
		}
		return true
	})
	return out
}
