package bloomery_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"bloomery"
)

// multiset draws fingerprints with copies, crowded in places: clusters over many blocks, offsets that are saturated, long counters.
func multiset(seed uint64, s bloomery.Shape, room uint64) map[uint64]uint64 {
	copies, used := map[uint64]uint64{}, uint64(0)
	most := s.Units << s.Hashes
	for n := uint64(0); used+60 < room; n++ {
		r := bloomery.NewXXH3(seed).Of(bloomery.Integers).HashUint64(n)
		print := mulhi(r, most)
		if seed%3 == 1 {
			print /= 4 // crowded at the front
		}
		if seed%3 == 2 && n%3 > 0 {
			print = most/3 + r%(most/50+1) // one long cluster
		}
		c := uint64(1)
		if n%5 == 0 {
			c = r >> (12 + r%52)
		}
		if c >= 1<<48 || c == 0 {
			c = 2
		}
		copies[print] = c
		used = 0
		for _, c := range copies {
			used += 2 + uint64(math.Max(0, math.Log2(float64(c))/float64(s.Hashes-1)))
		}
	}
	return copies
}

func quotientShapes() []bloomery.Shape {
	return []bloomery.Shape{
		bloomery.QuotientShape(900, 7, 16, 0), bloomery.QuotientShape(1000, 2, 17, 1), bloomery.QuotientShape(700, 32, 12, 2), bloomery.QuotientShape(640, 13, 10, 3),
		bloomery.QuotientShape(1, 9, 5, 0), bloomery.QuotientShape(64, 3, 9, 0),
	}
}

// Answers are those of the multiset of fingerprints; what is read is written again, to the bit.
func TestQuotientIsItsMultiset(t *testing.T) {
	for _, s := range quotientShapes() {
		for seed := uint64(0); seed < 6; seed++ {
			f, err := bloomery.MakeHere(bloomery.KindQuotient, s, bloomery.Hasher{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			q := f.(*bloomery.ReadOnly)
			copies := multiset(seed, s, f.SizeInBytes()*8/uint64(s.Hashes+3)*9/10)
			if !q.Assemble(copies) {
				continue
			}
			b := encoded(t, f)
			c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
			if err != nil {
				t.Fatal(s, seed, err)
			}
			if again := encoded(t, c.Filter); !bytes.Equal(again, b) || c.Verify() != nil {
				t.Error(s, "is written as another")
			}
			q = c.Filter.(*bloomery.ReadOnly)
			of := s.Units << s.Hashes
			for print := range copies {
				if !q.MayContainHash(hashOfPrint(print, of)) {
					t.Fatal(s, seed, print)
				}
			}
			for n := uint64(0); n < 3000; n++ {
				h := bloomery.NewXXH3(77).Of(bloomery.Integers).HashUint64(n)
				if q.MayContainHash(h) != (copies[mulhi(h, of)] > 0) {
					t.Fatal(s, seed, h)
				}
			}
		}
	}
}

// hashOfPrint is the least hash that has a fingerprint.
func hashOfPrint(print, of uint64) uint64 {
	low, high := uint64(0), uint64(math.MaxUint64)
	for low < high {
		if mid := low + (high-low)/2; mulhi(mid, of) < print {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// Filters of one multiset have one encoding: every other is refused, at the payload. Bits are flipped one by one, under checksums
// that agree; those that make the filter of another multiset are read as that one.
func TestQuotientBytesThatNothingMakes(t *testing.T) {
	refused, others := 0, 0
	for _, s := range quotientShapes() {
		for seed := uint64(0); seed < 3; seed++ {
			f, _ := bloomery.MakeHere(bloomery.KindQuotient, s, bloomery.Hasher{}, 0)
			if !f.(*bloomery.ReadOnly).Assemble(multiset(seed, s, f.SizeInBytes()*8/uint64(s.Hashes+3)/2)) {
				continue
			}
			b := encoded(t, f)
			i, _ := bloomery.Inspect(b, int64(len(b)))
			for bit := seed; bit < 8*i.PayloadLength; bit += 3 {
				at := i.PayloadOffset + bit/8
				b[at] ^= 1 << (bit % 8)
				c, err := bloomery.DecodeContainer(resealed(b), bloomery.ReadOptions{})
				var e *bloomery.Error
				switch {
				case err == nil:
					others++
					p := quotientPage{uint64(s.Hashes), s.Units, blocksOf(s), b[i.PayloadOffset : i.PayloadOffset+i.PayloadLength], nil}
					copies := p.list()
					for print := range copies {
						if !c.Filter.MayContainHash(hashOfPrint(print, s.Units<<s.Hashes)) {
							t.Fatal(s, seed, bit, print, "is denied")
						}
					}
					g, _ := bloomery.MakeHere(bloomery.KindQuotient, s, bloomery.Hasher{}, 0)
					if !g.(*bloomery.ReadOnly).Assemble(copies) || payloadOf(t, g) != hexOf(b[i.PayloadOffset:i.PayloadOffset+i.PayloadLength]) {
						t.Fatal(s, seed, bit, "is accepted, and is not what its fingerprints make")
					}
				case errors.As(err, &e) && e.Code == bloomery.Corrupt && e.Offset == int64(i.PayloadOffset):
					refused++
				default:
					t.Fatal(s, seed, bit, err)
				}
				b[at] ^= 1 << (bit % 8)
			}
		}
	}
	t.Log(refused, "refused,", others, "are other filters")
	if refused < 1000 || others < 100 {
		t.Error(refused, others)
	}
}

// Groups that cannot be: each is refused.
func TestQuotientGroups(t *testing.T) {
	for _, c := range []struct {
		values []uint64 // of the run of quotient 0, r = 4
		sound  bool
	}{
		{[]uint64{1}, true}, {[]uint64{1, 1}, true}, {[]uint64{1, 1, 1}, false}, {[]uint64{1, 1, 1, 0}, true}, {[]uint64{1, 1, 1, 7}, true},
		{[]uint64{1, 1, 1, 8}, false}, {[]uint64{1, 1, 1, 8, 0}, false}, {[]uint64{1, 1, 1, 8, 1}, true}, {[]uint64{1, 1, 1, 8, 8, 0}, false},
		{[]uint64{1, 1, 1, 15, 8, 3}, true}, {[]uint64{2, 1}, false}, {[]uint64{1, 2}, true}, {[]uint64{1, 1, 2, 2}, true}, {[]uint64{1, 1, 0}, false},
		{[]uint64{0}, true}, {[]uint64{0, 0, 0, 0}, true}, {[]uint64{0, 0, 0, 0, 0}, false}, {[]uint64{15, 15, 15, 3}, true}, {[]uint64{15, 15, 15, 3, 15}, false},
		{[]uint64{1, 1, 1, 1}, true}, {[]uint64{1, 1, 1, 1, 1}, false}, {[]uint64{1, 1, 1, 1, 2}, true},
		// 2^48 - 1 copies, and one more
		{[]uint64{1, 1, 1, 12, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 7}, true},
		{[]uint64{1, 1, 1, 13, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 7}, false},
		{[]uint64{1, 1, 1, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 1}, false}, {[]uint64{1, 1, 1, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 1}, false},
	} {
		payload := make([]byte, 8*6+8)
		payload[0] = 1
		put := func(word, slot int) { payload[8*word+slot/8] |= 1 << (slot % 8) }
		put(1, len(c.values)-1)
		for slot, v := range c.values {
			for j := 0; j < 4; j++ {
				if v>>j&1 != 0 {
					put(2+j, slot)
				}
			}
		}
		f, _ := bloomery.MakeHere(bloomery.KindQuotient, bloomery.QuotientShape(30, 4, 1, 0), bloomery.Hasher{}, 0)
		read, err := bloomery.DecodeContainer(withPayload(t, f, hexOf(payload)), bloomery.ReadOptions{})
		if (err == nil) != c.sound {
			t.Error(c.values, err)
		}
		if err == nil && !read.Filter.MayContainHash(hashOfPrint(c.values[0], 30<<4)) {
			t.Error(c.values, "is denied")
		}
	}
}

// Lookups that read a damaged chunk answer true, all others as before; whatever the other bytes are, as the page says.
func TestDamagedQuotientFilters(t *testing.T) {
	for _, s := range []bloomery.Shape{
		bloomery.QuotientShape(11000, 7, 173, 0), bloomery.QuotientShape(20000, 2, 320, 0), bloomery.QuotientShape(4000, 32, 64, 0), bloomery.QuotientShape(30000, 3, 1500, 0),
		bloomery.QuotientShape(64*4500, 2, 4600, 0), // offsets of more than one chunk
	} {
		for form := 0; form < 5; form++ {
			damagedQuotient(t, s, form)
		}
	}
}

func damagedQuotient(t *testing.T, s bloomery.Shape, form int) {
	t.Helper()
	f, _ := bloomery.MakeHere(bloomery.KindQuotient, s, bloomery.Hasher{}, 0)
	q := f.(*bloomery.ReadOnly)
	blocks, of := blocksOf(s), s.Units<<s.Hashes
	var copies map[uint64]uint64
	for keys := 64 * blocks * 8 / 10; copies == nil || !q.Assemble(copies); keys = keys * 9 / 10 {
		copies = map[uint64]uint64{}
		for n, seed := uint64(0), bloomery.NewXXH3(uint64(form)).Of(bloomery.Integers); n < keys; n++ {
			print := mulhi(seed.HashUint64(n), of)
			if form == 1 && n%2 == 0 {
				print = of/3 + print/64 // a cluster of many blocks, whose offsets are saturated
			}
			copies[print] = 1 + n%2
		}
	}
	b := encoded(t, f)
	i, _ := bloomery.Inspect(b, int64(len(b)))
	payload := b[i.PayloadOffset : i.PayloadOffset+i.PayloadLength]
	noise := bloomery.NewXXH3(uint64(form) + 100).Of(bloomery.Integers)
	switch form {
	case 2, 3: // bytes that nothing makes
		for n := range payload {
			if form == 3 || n%500 < 9 {
				payload[n] = byte(noise.HashUint64(uint64(n)))
			}
		}
	case 4: // all offsets saturated, few ends
		for n := range payload {
			payload[n] = byte(noise.HashUint64(uint64(n))) & byte(noise.HashUint64(uint64(n)+1<<32))
		}
		for at := i.PayloadLength - (blocks+7)/8*8; at < i.PayloadLength; at++ {
			payload[at] = 255
		}
	}
	b = resealed(b)
	payload = b[i.PayloadOffset : i.PayloadOffset+i.PayloadLength]
	p := quotientPage{uint64(s.Hashes), s.Units, blocks, payload, map[uint64]bool{}}
	for _, chunk := range []uint64{1, i.Chunks() / 2, i.Chunks() - 1} {
		if p.damaged[chunk] || chunk == i.Chunks()-1 && form%2 == 0 {
			continue // the last has offsets
		}
		p.damaged[chunk] = true
		payload[4096*chunk+5] ^= 0x3c
	}
	c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if err != nil || c.Damaged != uint64(len(p.damaged)) {
		t.Fatal(s, form, err)
	}
	asked := uint64(1500)
	if form == 4 {
		asked = 100 // each reads most of the blocks, bit by bit
	}
	for n := uint64(0); n < asked; n++ {
		h := noise.HashUint64(n)
		want := p.contains(h)
		if c.Filter.MayContainHash(h) != want {
			t.Fatalf("%v, form %d: %016x: not %v", s, form, h, want)
		}
	}
	for print := range copies {
		if form < 2 && !c.Filter.MayContainHash(hashOfPrint(print, of)) {
			t.Fatal(s, form, print, "is denied")
		}
	}
	if _, err := bloomery.EncodeContainer(c.Filter, bloomery.Meta{}); !errors.Is(err, bloomery.Corrupt) {
		t.Error("written as if it were whole:", err)
	}
}

// A slot that does not exist, in a file that is not checked because a chunk is damaged: "possibly present".
func TestQuotientSlotsThatAreMissing(t *testing.T) {
	f, _ := bloomery.MakeHere(bloomery.KindQuotient, bloomery.QuotientShape(64*200, 7, 200, 0), bloomery.Hasher{}, 0)
	b := encoded(t, f)
	i, _ := bloomery.Inspect(b, int64(len(b)))
	b[i.PayloadOffset+72*150] = 1 // the first quotient of block 150 is occupied, and no run ends
	b = resealed(b)
	b[i.PayloadOffset] ^= 1
	c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if err != nil || c.Damaged != 1 {
		t.Fatal(err)
	}
	for quotient, want := range map[uint64]bool{64 * 150: true, 64*150 + 1: false, 0: true, 64 * 199: false} {
		if h := hashOfPrint(quotient<<7|5, 64*200<<7); c.Filter.MayContainHash(h) != want {
			t.Error(quotient)
		}
	}
}
