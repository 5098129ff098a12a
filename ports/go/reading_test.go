package bloomery

import (
	"math"
	"sort"

	"bloomery/internal/hash"
)

// Kinds that this port only reads are made by the tests themselves. Any bytes are a filter of most of them: these are drawn until keys
// are in. The bytes of a quotient filter are those of its fingerprints, and are put together as the page describes them.

// IsFilter reports whether containers of a kind hold a Filter.
func IsFilter(kind Kind) bool { return rowOf(kind).filter != nil }

// CallsOf lists what the type of a kind has, by the names of spec/kinds.json.
func CallsOf(kind Kind) (can []string) {
	for _, c := range calls {
		if f := rowOf(kind).filter; f != nil && c.has(f) {
			can = append(can, c.name)
		}
	}
	return can
}

// MakeHere is Make, for kinds too that Make refuses.
func MakeHere(kind Kind, s Shape, h Hasher, capacity uint64) (Filter, error) {
	row := rowOf(kind)
	if row.make != nil {
		return Make(kind, s, h, capacity)
	}
	i := Info{Kind: kind, Profile: s.Profile, Hashes: s.Hashes, Units: s.Units, Capacity: capacity, Parameters: s.Parameters}
	a, err := newArray(bytesHere(row, &i))
	if err != nil {
		return nil, err
	}
	return row.open(&i, a, h), nil
}

// bytesHere is the length of the payload of a header.
func bytesHere(row *kindRow, i *Info) uint64 {
	switch i.Kind {
	case KindRibbon:
		return newRibbonRule(shapeOf(i)).size
	case KindFuse, KindXor:
		s := map[Kind]*slotLayouts{KindFuse: &fuseLayouts, KindXor: &xorLayouts}[i.Kind].slots(shapeOf(i))
		return s.size()
	case KindScalable:
		lines, _ := linesOf(shapeOf(i))
		return lineBytes * lines
	case KindQuotient:
		return newQuotientRuns(shapeOf(i)).size()
	}
	return bytesFor(i.Units * row.unitBits(i))
}

// Draw fills a filter that is only read with drawn bytes, each bit set with the chance of density / 4.
func (f *ReadOnly) Draw(seed, density uint64) {
	for n := range f.bits {
		r := hash.SplitMix64(seed + uint64(n)*cuckooStep)
		a, b := byte(r), byte(r>>8)
		f.bits[n] = [...]byte{0, a & b, a, a | b, 0xff}[density]
	}
	f.lookup = rowOf(f.kind).lookup(f.shape, &f.array)
}

// FillHere makes the contents of a filter of such a kind such that it has some of the keys, given by their hashes, and returns those.
func FillHere(f Filter, hashes []uint64) (went []uint64) {
	g := f.(*ReadOnly)
	if g.kind == KindQuotient {
		return g.build(hashes)
	}
	for seed := uint64(0); len(went) == 0 && len(hashes) > 0 && seed < 100000; seed++ {
		g.Draw(seed<<32, 2)
		for _, h := range hashes {
			if g.MayContainHash(h) {
				went = append(went, h)
			}
		}
	}
	return went
}

// build makes the quotient filter of as many of the keys, copies included, as find room.
func (f *ReadOnly) build(hashes []uint64) (went []uint64) {
	for n := len(hashes); ; n-- {
		copies := map[uint64]uint64{}
		for _, h := range hashes[:n] {
			print, _, _ := f.lookup.(*quotientRuns).of(h)
			copies[print]++
		}
		if f.Assemble(copies) {
			return hashes[:n]
		}
	}
}

// Assemble makes f the quotient filter of so many copies of each fingerprint, as spec/filters.md 15.1 to 15.4 describe its bytes; false if there
// is no room for them.
func (f *ReadOnly) Assemble(copies map[uint64]uint64) bool {
	fill(f.bits, 0)
	q := *f.lookup.(*quotientRuns)
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

// putBits sets bits that are 0, one by one.
func putBits(b []byte, from, n, v uint64) {
	for j := uint64(0); j < n; j++ {
		b[(from+j)/8] |= byte(v>>j&1) << ((from + j) % 8)
	}
}

// HurtBy reports the chunks of a payload that the damage of a filter has.
func HurtBy(f Filter, chunk uint64) bool { return f.contents().damage.has(chunk) }

// ShapeOf is a shape of a kind with parameters by their names.
func ShapeOf(kind Kind, hashes uint32, units uint64, parameters map[string]uint64) Shape {
	s := Shape{Hashes: hashes, Units: units}
	for name, v := range parameters {
		s = s.With(kind, name, v)
	}
	return s
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

// CuckooShape is so many buckets of tags of so many bits.
func CuckooShape(tagBits uint32, buckets, identity uint64) Shape {
	return ShapeOf(KindCuckoo, tagBits, buckets, map[string]uint64{"identity": identity})
}

// CountingShape is so many cells of so many bits, of which a key has k; line: in blocks.
func CountingShape(line bool, width, cells uint64, k uint32, identity uint64) Shape {
	s := ShapeOf(KindCounting, k, cells, map[string]uint64{"identity": identity, "cell_bits": width})
	if line {
		s.Profile = countingLine
	}
	return s
}

// SlotShape is a fuse or xor filter of so many shards, with hashes in the residue.
func SlotShape(layout, segmentLog, shards, shardSlots uint64, width uint32, residue uint64) Shape {
	return ShapeOf(KindFuse, width, shards*shardSlots, map[string]uint64{
		"layout": layout, "segment_log": segmentLog, "shards": shards, "residue": residue,
	})
}

// RibbonShape is a ribbon filter whose last layer has so many slots.
func RibbonShape(width uint64, columns uint32, narrow uint64, buckets [4]uint64, rest uint64) Shape {
	return ShapeOf(KindRibbon, columns, buckets[0], map[string]uint64{
		"width": width, "narrow": narrow, "buckets_1": buckets[1], "buckets_2": buckets[2], "buckets_3": buckets[3], "rest": rest,
	})
}

// KeepingShape is a ribbon filter that keeps hashes in the place of its last layer.
func KeepingShape(s Shape) Shape { return s.With(KindRibbon, "kept", 1) }

// ScalableShape is so many lines in level 0, and so many levels.
func ScalableShape(lines uint64, levels uint32, rate float64, growth, policy, most, line, twoLines uint64) Shape {
	return ShapeOf(KindScalable, levels, lines, map[string]uint64{
		"rate": math.Float64bits(rate), "growth": growth, "policy": policy, "max_levels": most, "line_from": line, "two_lines_from": twoLines,
	})
}

// StableShape is so many cells of so many bits that are set to most, k of a key.
func StableShape(cells uint64, k uint32, cellBits, most, decrement, fraction uint64) Shape {
	return ShapeOf(KindStable, k, cells, map[string]uint64{
		"cell_bits": cellBits, "max": most, "decrement": decrement, "fraction": fraction, "seed": 0x89abcdef,
	})
}

// WindowShape is so many generations of so many blocks, each for so many keys.
func WindowShape(p Profile, generations, blocks, keys uint64) Shape {
	of, _ := p.shape()
	s := ShapeOf(KindWindow, uint32(of.Lanes*of.Lines), generations*blocks, map[string]uint64{
		"generations": generations, "generation_keys": keys,
	})
	s.Profile = p
	return s
}

// QuotientShape is so many quotients and bits of a remainder, in so many blocks.
func QuotientShape(quotients uint64, remainderBits uint32, blocks, identity uint64) Shape {
	return ShapeOf(KindQuotient, remainderBits, quotients, map[string]uint64{"blocks": blocks, "identity": identity})
}
