package bloomery

import (
	"math"
	"sort"

	"bloomery/internal/hash"
)

// Shapes of scalable, stable, window and quotient filters, and how tests fill these: by the pages, bit by bit.

// ScalableShape is so many lines in level 0, and so many levels.
func ScalableShape(lines uint64, levels uint32, rate float64, growth uint64, policy GrowthPolicy, most, line, twoLines uint64) Shape {
	s := Shape{Hashes: levels, Units: lines}
	for field, v := range map[Field]uint64{
		scalableRate: math.Float64bits(rate), scalableGrowth: growth, scalablePolicy: uint64(policy), scalableMost: most,
		scalableLine: line, scalableTwoLines: twoLines,
	} {
		s.Parameters.Put(field, v)
	}
	return s
}

// StableShape is so many cells of so many bits that are set to most, k of a key.
func StableShape(cells uint64, k uint32, cellBits, most, decrement, fraction uint64) Shape {
	s := Shape{Hashes: k, Units: cells}
	for field, v := range map[Field]uint64{
		stableCellBits: cellBits, stableMax: most, stableDecrement: decrement, stableFraction: fraction, stableSeed: 0x89abcdef,
	} {
		s.Parameters.Put(field, v)
	}
	return s
}

// WindowShape is so many generations of so many blocks, each for so many keys.
func WindowShape(p Profile, generations, blocks, keys uint64) Shape {
	of, _ := p.shape()
	s := Shape{Profile: p, Hashes: uint32(of.Lanes * of.Lines), Units: generations * blocks}
	s.Parameters.Put(windowGenerations, generations)
	s.Parameters.Put(windowKeys, keys)
	return s
}

// QuotientShape is so many quotients and bits of a remainder, in so many blocks.
func QuotientShape(quotients uint64, remainderBits uint32, blocks, identity uint64) Shape {
	s := Shape{Hashes: remainderBits, Units: quotients}
	s.Parameters.Put(quotientBlocks, blocks)
	s.Parameters.Put(quotientIdentity, identity)
	return s
}

// fillLevels gives every level its turn: a lookup has to find keys in each.
func (f *Scalable) fillLevels(hashes []uint64) []uint64 {
	for n, h := range hashes {
		f.levels.chain[n%len(f.levels.chain)].in(&f.array).InsertHash(hash.SplitMix64(h))
	}
	return hashes
}

func (f *Stable) cell(c uint64) (v uint64) {
	for j := uint64(0); j < f.cells.bits; j++ {
		at := c*f.cells.bits + j
		v |= uint64(f.bits[at/8]>>(at%8)&1) << j
	}
	return v
}

func (f *Stable) setCell(c, v uint64) {
	for j := uint64(0); j < f.cells.bits; j++ {
		at := c*f.cells.bits + j
		f.bits[at/8] = f.bits[at/8]&^(1<<(at%8)) | byte(v>>j&1)<<(at%8)
	}
}

// insertAll is spec/filters.md 13.1. The keys that it returns are those that it has not forgotten.
func (f *Stable) insertAll(hashes []uint64) (found []uint64) {
	p := &f.shape.Parameters
	for _, h := range hashes {
		start, steps := StableDecrease(f.shape)
		for j := uint64(0); j < steps; j++ {
			if c := (start + j) % f.cells.m; f.cell(c) != 0 {
				f.setCell(c, f.cell(c)-1)
			}
		}
		for _, c := range bloomPositions(f.shape, h) {
			f.setCell(c, p.Get(stableMax))
		}
		p.Put(stableInserts, p.Get(stableInserts)+1)
	}
	for _, h := range hashes {
		if f.MayContainHash(h) {
			found = append(found, h)
		}
	}
	return found
}

// insertAll is spec/filters.md 14. It returns the keys that the claim promises.
func (f *Window) insertAll(hashes []uint64) []uint64 {
	p := &f.shape.Parameters
	most := p.Get(windowKeys)
	for _, h := range hashes {
		c, n := p.Get(windowCurrent), p.Get(windowCount)
		if most != 0 && n >= most {
			c, n = (c+1)%uint64(len(f.generations)), 0
			f.generations[c].in(&f.array).Clear()
		}
		f.generations[c].in(&f.array).InsertHash(h)
		p.Put(windowCurrent, c)
		p.Put(windowCount, n+1)
	}
	if kept := (uint64(len(f.generations))-1)*most + p.Get(windowCount); kept < uint64(len(hashes)) {
		return hashes[uint64(len(hashes))-kept:]
	}
	return hashes
}

// build makes the filter of as many of the keys, copies included, as find room.
func (f *Quotient) build(hashes []uint64) (went []uint64) {
	for n := len(hashes); ; n-- {
		copies := map[uint64]uint64{}
		for _, h := range hashes[:n] {
			print, _, _ := f.runs.of(h)
			copies[print]++
		}
		if f.Assemble(copies) {
			return hashes[:n]
		}
	}
}

// Assemble makes f the filter of so many copies of each fingerprint, as spec/filters.md 15.1 to 15.4 describe its bytes; false if there
// is no room for them.
func (f *Quotient) Assemble(copies map[uint64]uint64) bool {
	fill(f.bits, 0)
	q := f.runs
	var prints []uint64
	for print := range copies {
		prints = append(prints, print)
	}
	sort.Slice(prints, func(i, j int) bool { return prints[i] < prints[j] })
	set := func(slot, word uint64) { putBits(f.bits, 8*q.blockBytes()*(slot/64)+64*word+slot%64, 1, 1) }
	free := uint64(0)
	ends := map[uint64]uint64{}
	for i, print := range prints {
		quotient := print >> q.width
		if fresh := i == 0 || prints[i-1]>>q.width != quotient; fresh && free < quotient {
			free = quotient
		}
		for _, v := range groupOf(print&(1<<q.width-1), copies[print], q.width) {
			if free >= 64*q.blocks {
				return false
			}
			for j := uint64(0); j < q.width; j++ {
				if v>>j&1 != 0 {
					set(free, 2+j)
				}
			}
			free++
		}
		if last := i == len(prints)-1 || prints[i+1]>>q.width != quotient; last {
			set(quotient, 0)
			set(free-1, 1)
			ends[quotient] = free - 1
		}
	}
	first := uint64(0)
	for block := uint64(0); block < q.blocks; block++ {
		if first < 64*block {
			first = 64 * block
		}
		f.bits[q.offsetsAt()+block] = byte(atMost(255, first-64*block))
		for quotient := 64 * block; quotient < 64*(block+1); quotient++ {
			if end, ok := ends[quotient]; ok {
				first = end + 1
			}
		}
	}
	return true
}

// groupOf is the values of a remainder with so many copies.
func groupOf(x, copies, width uint64) []uint64 {
	if copies < 3 {
		return []uint64{x, x}[:copies]
	}
	values, rest, half := []uint64{x, x, x}, copies-3, uint64(1)<<(width-1)
	for ; rest >= half; rest /= half {
		values = append(values, half+rest%half)
	}
	return append(values, rest)
}

// With returns a shape with another value of a parameter.
func (s Shape) With(kind Kind, name string, v uint64) Shape {
	for _, f := range rowOf(kind).Parameters {
		if f.Name == name {
			s.Parameters.Put(f, v)
			return s
		}
	}
	panic("no such parameter: " + name)
}
