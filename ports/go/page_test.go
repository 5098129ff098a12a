package bloomery_test

import (
	"encoding/binary"
	"math/bits"

	"bloomery"
)

// The pages of the kinds that are built, spec/filters.md 9 to 11, once more: bit by bit, with every byte noted that a lookup reads.

// A page is a payload, its shape, and the bytes that the last lookup read.
type page struct {
	kind    bloomery.Kind
	s       bloomery.Shape
	payload []byte
	read    []uint64
}

func (p *page) parameter(name string) uint64 {
	facts, _ := p.kind.Facts()
	for _, f := range facts.Parameters {
		if f.Name == name {
			return p.s.Parameters.Get(f)
		}
	}
	panic("no such parameter: " + name)
}

func (p *page) byte(at uint64) byte {
	p.read = append(p.read, at)
	return p.payload[at]
}

// bit is a bit of an array that begins at a byte.
func (p *page) bit(at, i uint64) uint64 { return uint64(p.byte(at+i/8)) >> (i % 8) & 1 }

// among searches hashes; all of them count as read: a byte of each chunk is noted.
func (p *page) among(at, n, h uint64) bool {
	for i := uint64(0); i < 8*n; i += 4096 {
		p.byte(at + i)
	}
	if n > 0 {
		p.byte(at + 8*n - 1)
	}
	low, high := uint64(0), n
	for low < high {
		mid := (low + high) / 2
		if binary.LittleEndian.Uint64(p.payload[at+8*mid:]) < h {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < n && binary.LittleEndian.Uint64(p.payload[at+8*low:]) == h
}

// contains looks a hash up, and notes what it reads.
func (p *page) contains(h uint64) bool {
	p.read = nil
	if p.kind == bloomery.KindRibbon {
		return p.ribbon(h)
	}
	return p.slots(h)
}

// readsAny reports whether the last lookup read a byte of one of these chunks.
func (p *page) readsAny(chunks map[uint64]bool) bool {
	for _, at := range p.read {
		if chunks[at/4096] {
			return true
		}
	}
	return false
}

func mulhi(a, b uint64) uint64 { hi, _ := bits.Mul64(a, b); return hi }

func splitmix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (p *page) slots(h uint64) bool {
	r, m, S := uint64(p.s.Hashes), p.s.Units, p.parameter("shards")
	M, L, R := m/S, p.parameter("segment_log"), p.parameter("residue")
	rounds := (r*m + 7) / 8
	found := false
	if m > 0 {
		shard := mulhi(h, S)
		y := (h + uint64(p.byte(rounds+shard))*0xd1342543de82ef95) * 0x9e3779b97f4a7c15
		f := y >> (64 - r)
		x := (y ^ y>>32) * 0xf1357aea2e62a9c5
		var at []uint64
		switch layout := p.parameter("layout"); {
		case layout == 0:
			for j := 0; j < 4; j++ {
				at = append(at, ((x>>(16*j))%(1<<16))*M>>16)
			}
		case p.kind == bloomery.KindXor:
			for j := 0; j < 3; j++ {
				at = append(at, uint64(j)*(M/3)+(bits.RotateLeft64(x, 21*j)%(1<<32))*(M/3)>>32)
			}
		default:
			c := M>>L - (layout - 1)
			a := mulhi(x, c<<L)
			at = append(at, a)
			for j := uint64(1); j < layout; j++ {
				at = append(at, (a+j<<L)^((x>>(16*(j-1)))%(1<<L)))
			}
		}
		for _, slot := range at {
			for j := uint64(0); j < r; j++ {
				f ^= p.bit(0, r*(shard*M+slot)+j) << j
			}
		}
		found = f == 0
	}
	return R > 0 && p.among(rounds+S, R, h) || found
}

type ribbonPage struct{ b, S, q, A, X, at uint64 }

func (p *page) ribbon(h uint64) bool {
	w, r, narrow := p.parameter("width"), uint64(p.s.Hashes), p.parameter("narrow")
	B, Q, limits := uint64(128), uint64(512), []uint64{0, 16, 40, 128}
	if w == 128 {
		B, Q, limits = 512, 256, []uint64{0, 40, 96, 512}
	}
	share := func(starts uint64) uint64 { hi, lo := bits.Mul64(starts, narrow); return hi<<32 | lo>>32 }
	var layers []ribbonPage
	size, buckets := uint64(0), uint64(0)
	for _, b := range []uint64{p.s.Units, p.parameter("buckets_1"), p.parameter("buckets_2"), p.parameter("buckets_3")} {
		if b == 0 {
			continue
		}
		l := ribbonPage{b: b, S: b / Q, at: size}
		if l.S == 0 {
			l.S = 1
		}
		l.q = b / l.S
		l.A = l.q*B - w + 1
		l.X = share(l.S*l.A) / w
		layers = append(layers, l)
		size += w / 8 * (b*B/w*r - l.X)
		buckets += b
	}
	last, first := size+(buckets+3)/4, uint64(0)
	for _, l := range layers {
		segment, rest := bits.Mul64(h, l.S)
		slot := segment*l.q*B + mulhi(rest, l.A)
		bucket := first + slot/B
		t := p.bit(size, 2*bucket) + 2*p.bit(size, 2*bucket+1)
		if slot%B >= limits[t] {
			block := func(k uint64) uint64 { return l.at + w/8*(k*r-least(k, l.X)) }
			n := r - under(slot/w, l.X)
			for i := uint64(0); i < n*w/8; i++ { // the whole blocks, whatever of them is in the window
				p.byte(block(slot/w) + i)
				if slot%w != 0 {
					p.byte(block(slot/w+1) + i)
				}
			}
			return p.equations(h, w, w, slot, n, func(slot, j uint64) uint64 { return p.bit(block(slot/w), j*w+slot%w) })
		}
		first += l.b
		h = splitmix(h)
	}
	m := p.parameter("rest")
	switch {
	case p.parameter("kept") == 1:
		return p.among(last, m, h)
	case m == 0:
		return false
	}
	A, window := uint64(1), m
	if m >= 64 {
		A, window = m-63, 64
	}
	X := share(A)
	h = splitmix(h + p.parameter("seed"))
	start := mulhi(h, A)
	return p.equations(h, 64, window, start, r-under(start, X), func(slot, j uint64) uint64 {
		if j == r-1 {
			return p.bit(last, (r-1)*m+slot-X)
		}
		return p.bit(last, j*m+slot)
	})
}

func under(a, b uint64) uint64 {
	if a < b {
		return 1
	}
	return 0
}

func least(a, b uint64) uint64 {
	if a < b {
		return a
	}
	return b
}

// equations reads every slot of the window, in every column.
func (p *page) equations(h, w, window, start, columns uint64, slot func(slot, column uint64) uint64) bool {
	g := h * 0x9e3779b97f4a7c15
	g ^= g >> 32
	high, low := bits.Mul64(g, 0xf1357aea2e62a9c5)
	low |= 1
	f := high
	if w == 128 {
		f = (g ^ g>>29) * 0xd6e8feb86659fd93 >> 32
	}
	holds := true
	for j := uint64(0); j < columns; j++ {
		sum := f >> j & 1
		for k := uint64(0); k < window; k++ {
			c := low >> k
			if k >= 64 {
				c = high >> (k - 64)
			}
			sum ^= slot(start+k, j) & c & 1
		}
		holds = holds && sum == 0
	}
	return holds
}
