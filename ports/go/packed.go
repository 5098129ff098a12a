package bloomery

import (
	"encoding/binary"
	"runtime"

	"bloomery/internal/hash"
)

// A Packed is a set of many small filters of one kind (spec/container.md 6). It is read, not written.
type Packed struct {
	members   uint64
	kind      Kind
	lanes     int
	lines     int
	size      uint64 // bytes of a block
	hasher    Hasher
	blocks    []byte
	directory []byte
	mem       *region // where the bytes lie, if not on the heap
}

func checkPacked(i *Info) error {
	s, ok := i.Profile.shape()
	f := fits{
		hash: i.Members != KindSplitBlock || i.Hash == XXH64, seed: i.seedFits() && (i.Members != KindSplitBlock || i.Seed == 0),
		profile: ok && (i.Profile == Split) == (i.Members == KindSplitBlock),
		hashes:  ok && i.Hashes == uint32(s.Lanes*s.Lines),
		units:   i.Units >= 1 && i.PayloadLength >= 8 && i.Units <= i.PayloadLength/8-1,
	}
	if f.units && ok {
		f.payload = i.PayloadLength%8 == 0 && (i.PayloadLength-8*(i.Units+1))%uint64(s.Lanes*s.Width/8) == 0
	}
	return f.check()
}

func newPacked(i *Info, a array, h Hasher) *Packed {
	s, _ := i.Profile.shape()
	cut := i.PayloadLength - 8*(i.Units+1)
	return &Packed{
		members: i.Units, kind: i.Members, lanes: s.Lanes, lines: s.Lines, size: uint64(s.Lanes * s.Width / 8), hasher: h,
		blocks: a.bits[:cut], directory: a.bits[cut:], mem: a.mem,
	}
}

// Members returns the number of filters.
func (p *Packed) Members() uint64 { return p.members }

// Hasher returns the hasher of all members.
func (p *Packed) Hasher() Hasher { return p.hasher }

// MayContain answers false only if the key is certainly not in the member. Where the directory cannot be believed it
// answers true, and so for a member that does not exist: nothing is known of it.
func (p *Packed) MayContain(member uint64, key []byte) bool {
	return p.MayContainHash(member, p.hasher.Hash(key))
}

// MayContainHash is MayContain by the 64 bits of a key.
func (p *Packed) MayContainHash(member, h uint64) bool {
	if member >= p.members {
		return true
	}
	first, end, ok := p.place(member)
	if !ok {
		return true
	}
	hit := first < end && p.look(p.blocks[first*p.size:end*p.size], end-first, h)
	runtime.KeepAlive(p)
	return hit
}

// place is the blocks of a member, if the directory can be believed. An entry in a damaged chunk, whose bits are all taken as
// set, is larger than any number of blocks.
func (p *Packed) place(member uint64) (first, end uint64, ok bool) {
	first = binary.LittleEndian.Uint64(p.directory[8*member:])
	end = binary.LittleEndian.Uint64(p.directory[8*member+8:])
	all := uint64(len(p.blocks)) / p.size
	ok = first <= end && end <= all && (member != 0 || first == 0) && (member+1 != p.members || end == all)
	return first, end, ok
}

func (p *Packed) look(blocks []byte, count, h uint64) bool {
	if p.kind == KindSplitBlock {
		at := (h >> 32) * count >> 32 * p.size
		return testSplit(blocks[at:at+p.size], h)
	}
	for line := 0; line < p.lines; line++ {
		at := hash.MulHi(h, count) * p.size
		if !testBlock(blocks[at:at+p.size], h, p.lanes) {
			return false
		}
		h = hash.SplitMix64(h)
	}
	return true
}
