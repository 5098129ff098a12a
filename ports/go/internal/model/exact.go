package model

import "math/bits"

// MaxExactBits is the size up to which the exact rate is computed.
const MaxExactBits = 65536

// A ring is m bits that can be read from any place on, going round: they are stored twice, one after the other.
type ring struct {
	m     uint
	words []uint64
}

func newRing(m uint) ring { return ring{m, make([]uint64, 2*m/64+3)} }

// from is the 64 bits from place t on, t < 2m.
func (r ring) from(t uint) uint64 {
	w, s := t/64, t%64
	return r.words[w]>>s | r.words[w+1]<<1<<(63-s)
}

// close stores the first m bits of words again behind themselves.
func (r ring) close(first []uint64) {
	n := (r.m + 63) / 64
	copy(r.words, first[:n])
	for i := n; i < uint(len(r.words)); i++ {
		r.words[i] = 0
	}
	w, s := r.m/64, r.m%64
	for _, v := range first[:n] {
		r.words[w] |= v << s
		r.words[w+1] |= v >> 1 >> (63 - s)
		w++
	}
}

// An Exact computes exact rates of filters of m bits; it keeps its memory between them.
type Exact struct {
	m      uint
	filter ring
	level  ring
	next   []uint64
}

// NewExact makes one for m bits.
func NewExact(m uint) *Exact {
	return &Exact{m, newRing(m), newRing(m), make([]uint64, (m+63)/64)}
}

// FPR is the share of all pairs of start and step whose k positions are all set (spec/model.md 3). set has the bits,
// least significant first; those from m on are ignored.
func (e *Exact) FPR(set []byte, k uint) float64 {
	m := e.m
	for i := range e.next {
		e.next[i] = 0
	}
	for x := uint(0); x < m; x++ {
		e.next[x/64] |= uint64(set[x/8]>>(x%8)&1) << (x % 64)
	}
	e.filter.close(e.next)
	total := e.count(0, k)
	for s := uint(1); 2*s < m; s++ {
		total += 2 * e.count(s, k)
	}
	if m > 1 && m%2 == 0 {
		total += e.count(m/2, k)
	}
	return float64(total) / (float64(m) * float64(m))
}

// count is the number of starts from which the k positions of step s are set. The array of the starts whose first j
// positions are set gives that of j' <= 2j: both the first j and the last j of the j' must be set.
func (e *Exact) count(s, k uint) uint64 {
	m := e.m
	from := e.filter
	n := (m + 63) / 64
	for j := uint(1); j < k; {
		more := j
		if j+more > k {
			more = k - j
		}
		t := more * s % m
		for w := uint(0); w < n; w++ {
			e.next[w] = from.words[w] & from.from(t+64*w)
		}
		if r := m % 64; r != 0 {
			e.next[n-1] &= 1<<r - 1
		}
		j += more
		from = e.level
		if j < k {
			from.close(e.next)
		} else {
			copy(from.words, e.next)
		}
	}
	ones := 0
	for w := uint(0); w < n; w++ {
		v := from.words[w]
		if r := m % 64; w == n-1 && r != 0 {
			v &= 1<<r - 1
		}
		ones += bits.OnesCount64(v)
	}
	return uint64(ones)
}
