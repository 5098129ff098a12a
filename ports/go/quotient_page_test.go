package bloomery_test

import (
	"encoding/binary"

	"bloomery"
)

// A quotientPage is spec/filters.md 15.5 and 15.8 once more, bit by bit, with the chunks noted that a lookup reads.
type quotientPage struct {
	r, quotients, blocks uint64
	payload              []byte
	damaged              map[uint64]bool
}

type outOfSight struct{}

func (p *quotientPage) reads(at, n uint64) {
	for chunk := at / 4096; chunk <= (at+n-1)/4096; chunk++ {
		if p.damaged[chunk] {
			panic(outOfSight{})
		}
	}
}

func (p *quotientPage) block(b uint64) {
	if b >= p.blocks {
		panic(outOfSight{})
	}
	p.reads(b*8*(p.r+2), 8*(p.r+2))
}

func (p *quotientPage) bit(slot, word uint64) bool {
	return binary.LittleEndian.Uint64(p.payload[slot/64*8*(p.r+2)+8*word:])>>(slot%64)&1 != 0
}

func (p *quotientPage) offset(b uint64) uint64 {
	at := p.blocks*8*(p.r+2) + b
	p.reads(at, 1)
	return uint64(p.payload[at])
}

func (p *quotientPage) nth(from uint64, n int) uint64 {
	for slot := from; ; slot++ {
		if slot == from || slot%64 == 0 {
			p.block(slot / 64)
		}
		if p.bit(slot, 1) {
			if n--; n == 0 {
				return slot
			}
		}
	}
}

func (p *quotientPage) value(slot uint64) (v uint64) {
	for j := uint64(0); j < p.r; j++ {
		if p.bit(slot, 2+j) {
			v |= 1 << j
		}
	}
	return v
}

// list is the fingerprints of a filter that is sound, with their copies.
func (p *quotientPage) list() map[uint64]uint64 {
	copies, at := map[uint64]uint64{}, uint64(0)
	for q := uint64(0); q < p.quotients; q++ {
		if !p.bit(q, 0) {
			continue
		}
		if at < q {
			at = q
		}
		for last := p.nth(at, 1); at <= last; {
			x, n := p.value(at), uint64(1)
			for at++; n < 3 && at <= last && p.value(at) == x; at++ {
				n++
			}
			for shift, more := uint64(0), n == 3; more; shift += p.r - 1 {
				digit := p.value(at)
				n += digit & (1<<(p.r-1) - 1) << shift
				at++
				more = digit >= 1<<(p.r-1)
			}
			copies[q<<p.r|x] = n
		}
	}
	return copies
}

func blocksOf(s bloomery.Shape) uint64 { return binary.LittleEndian.Uint64(s.Parameters[8:]) }

func (p *quotientPage) contains(h uint64) (answer bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(outOfSight); !ok {
				panic(r)
			}
			answer = true
		}
	}()
	f := mulhi(h, p.quotients<<p.r)
	q, x := f>>p.r, f&(1<<p.r-1)
	b := q / 64
	p.block(b)
	if !p.bit(q, 0) {
		return false
	}
	a := b
	for a > 0 && p.offset(a) == 255 {
		a--
	}
	at := uint64(0)
	if a > 0 {
		at = 64*a + p.offset(a)
	}
	occupieds := func(from, to uint64) (n int) {
		for q := from; q < to; q++ {
			if p.bit(q, 0) {
				n++
			}
		}
		return n
	}
	for c := a; c < b; c++ {
		p.block(c)
		if n := occupieds(64*c, 64*c+64); n > 0 {
			at = p.nth(at, n) + 1
		}
		if at < 64*(c+1) {
			at = 64 * (c + 1)
		}
	}
	u := at
	if k := occupieds(64*b, q+1); k > 1 {
		u = p.nth(at, k-1) + 1
	}
	s := u
	if s < q {
		s = q
	}
	e := p.nth(s, 1)
	for c := a; c <= e/64; c++ {
		p.block(c)
	}
	for i := s; i <= e; {
		y := p.value(i)
		if y == x {
			return true
		}
		if i+2 <= e && p.value(i+1) == y && p.value(i+2) == y {
			for i += 3; i <= e && p.value(i) >= 1<<(p.r-1); {
				i++
			}
		}
		i++
	}
	return false
}
