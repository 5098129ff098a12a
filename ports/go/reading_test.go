package bloomery

import "encoding/binary"

// Kinds that this port only reads are made and filled by the tests themselves: MakeHere and FillHere are for all kinds.

// IsFilter reports whether containers of a kind hold a Filter.
func IsFilter(kind Kind) bool { return rowOf(kind).filter != nil }

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

// FillHere inserts keys by their hashes into a filter of such a kind, and returns those that went in.
func FillHere(f Filter, hashes []uint64) (went []uint64) {
	switch f := f.(type) {
	case *Fuse:
		return f.slots.build(f.bits, hashes)
	case *Xor:
		return f.slots.build(f.bits, hashes)
	case *Ribbon:
		g, went := buildRibbon(f, hashes)
		*f = *g
		return went
	case *Scalable:
		return f.fillLevels(hashes)
	case *Stable:
		return f.insertAll(hashes)
	case *Window:
		return f.insertAll(hashes)
	case *Quotient:
		return f.build(hashes)
	}
	for _, h := range hashes {
		switch f := f.(type) {
		case *Cuckoo:
			if !f.put(h) {
				continue
			}
		case *Counting:
			f.add(h)
		}
		went = append(went, h)
	}
	return went
}

// CuckooShape is so many buckets of tags of so many bits.
func CuckooShape(tagBits uint32, buckets, identity uint64) Shape {
	s := Shape{Hashes: tagBits, Units: buckets}
	s.Parameters.Put(cuckooIdentity, identity)
	return s
}

// CountingShape is so many cells of so many bits, of which a key has k; line: in blocks.
func CountingShape(line bool, width, cells uint64, k uint32, identity uint64) Shape {
	s := Shape{Hashes: k, Units: cells}
	if line {
		s.Profile = countingLine
	}
	s.Parameters.Put(countingIdentity, identity)
	s.Parameters.Put(countingWidth, width)
	return s
}

// Places are the tag and the buckets of a key.
func (f *Cuckoo) Places(h uint64) (tag, first, second uint64) { return f.places(h) }

// setSlot writes a tag bit by bit, as the page describes the array.
func (f *Cuckoo) setSlot(bucket uint64, slot int, tag uint64) {
	from := 4*uint64(f.tagBits)*bucket + uint64(f.tagBits)*uint64(slot)
	for j := uint64(0); j < uint64(f.tagBits); j++ {
		at, mask := (from+j)/8, byte(1)<<((from+j)%8)
		f.bits[at] &^= mask
		if tag>>j&1 != 0 {
			f.bits[at] |= mask
		}
	}
}

// put moves nothing: it reports whether there was room in the buckets of the key.
func (f *Cuckoo) put(h uint64) bool {
	tag, first, second := f.places(h)
	for _, bucket := range []uint64{first, second} {
		for slot, t := range f.slots(bucket) {
			if t == 0 {
				f.setSlot(bucket, slot, tag)
				return true
			}
		}
	}
	return false
}

func (f *Counting) setCell(c uint64, v uint32) {
	switch f.width {
	case 4:
		f.bits[c/2] = f.bits[c/2]&^(15<<(c%2*4)) | byte(v)<<(c%2*4)
	case 8:
		f.bits[c] = byte(v)
	default:
		binary.LittleEndian.PutUint32(f.bits[4*c:], v)
	}
}

func (f *Counting) add(h uint64) {
	for _, c := range countingPositions(f.Shape(), h) {
		if v := f.cell(c); v < f.sticky() {
			f.setCell(c, v+1)
		}
	}
}

// SetCells gives all cells of a key a value.
func (f *Counting) SetCells(h uint64, v uint32) {
	for _, c := range countingPositions(f.Shape(), h) {
		f.setCell(c, v)
	}
}

// SlotShape is a fuse or xor filter of so many shards, with hashes in the residue.
func SlotShape(layout, segmentLog, shards, shardSlots uint64, width uint32, residue uint64) Shape {
	s := Shape{Hashes: width, Units: shards * shardSlots}
	s.Parameters.Put(slotLayout, layout)
	s.Parameters.Put(slotSegment, segmentLog)
	s.Parameters.Put(slotShards, shards)
	s.Parameters.Put(slotResidue, residue)
	return s
}

// RibbonShape is a ribbon filter whose last layer has so many slots; none: it keeps the last hashes.
func RibbonShape(width uint64, columns uint32, narrow uint64, buckets [4]uint64, rest uint64) Shape {
	s := Shape{Hashes: columns, Units: buckets[0]}
	s.Parameters.Put(ribbonWidth, width)
	s.Parameters.Put(ribbonNarrow, narrow)
	for n, f := range ribbonBuckets {
		s.Parameters.Put(f, buckets[n+1])
	}
	s.Parameters.Put(ribbonRest, rest)
	return s
}

// KeepingShape is a ribbon filter that keeps hashes in the place of its last layer.
func KeepingShape(s Shape) Shape {
	s.Parameters.Put(ribbonKept, 1)
	return s
}
