package bloomery

import (
	"encoding/binary"
	"runtime"

	"bloomery/internal/model"
)

// packedKind is its row in the table of kinds. Members are of a kind whose row has member.
var packedKind = kindRow{
	load: loadPacked, unitsFit: membersFit, payloadFits: packedPayloadFits, packs: true, streamed: true,
	holds: func(of *kindRow) bool { return of.member != nil },
}

// A Packed is a set of many small filters of one kind (spec/container.md 6). It is read, not written.
type Packed struct {
	members   uint64
	profile   model.Shape
	size      uint64 // bytes of a block
	look      func([]byte, uint64, model.Shape, uint64) bool
	hasher    Hasher
	blocks    []byte
	directory []byte
	mem       *region // where the bytes lie, if not on the heap
	static    *staticMembers
}

func membersFit(i *Info) bool {
	return i.Units >= 1 && i.PayloadLength >= 8 && i.Units <= i.PayloadLength/8-1
}

func packedPayloadFits(i *Info) bool {
	return i.PayloadLength%8 == 0 && (i.PayloadLength-8*(i.Units+1))%(blockBits(i)/8) == 0
}

func loadPacked(c *Container, a array, h Hasher, _ *damageMap) error {
	i := &c.Info
	cut := i.PayloadLength - 8*(i.Units+1)
	s, _ := i.Profile.shape()
	c.Packed = &Packed{
		members: i.Units, profile: s, size: blockBits(i) / 8, look: rowOf(i.Members).member, hasher: h, blocks: a.bits[:cut],
		directory: a.bits[cut:], mem: a.mem,
	}
	return nil
}

// Members returns the number of filters.
func (p *Packed) Members() uint64 { return p.members }

// Hasher returns the hasher of all members.
func (p *Packed) Hasher() Hasher { return p.hasher }

// MayContain answers false only if the key is definitely not in the member. Where the directory cannot be believed it
// answers true, and so for a member that does not exist: nothing is known of it.
func (p *Packed) MayContain(member uint64, key []byte) bool {
	return p.MayContainHash(member, p.hasher.Hash(key))
}

// MayContainHash is MayContain by the 64 bits of a key.
func (p *Packed) MayContainHash(member, h uint64) bool {
	if member >= p.members {
		return true
	}
	if p.static != nil {
		hit := p.static.mayContain(member, h)
		runtime.KeepAlive(p)
		return hit
	}
	first, end, ok := p.place(member)
	if !ok {
		return true
	}
	hit := first < end && p.look(p.blocks[first*p.size:end*p.size], end-first, p.profile, h)
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
