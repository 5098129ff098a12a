package bloomery_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"bloomery"
)

// packedFile is a packed set of filters like a maker's: member i has (i + 1) mod 3 times its blocks and, if any, the key "k" and i.
func packedFile(t testing.TB, m maker, members int) []byte {
	var blocks, directory []byte
	like := made(t, m)
	size := int(like.SizeInBytes())
	for i := 0; i < members; i++ {
		directory = binary.LittleEndian.AppendUint64(directory, uint64(len(blocks)/size))
		shape := like.Shape()
		shape.Units = uint64(i+1) % 3
		if shape.Units == 0 {
			continue
		}
		f, err := bloomery.Make(like.Kind(), shape, like.Hasher(), 0)
		if err != nil {
			t.Fatal(err)
		}
		fillWith(t, f, []uint64{f.Hasher().HashString(fmt.Sprint("k", i))})
		b := encoded(t, f)
		blocks = append(blocks, b[128:128+f.SizeInBytes()]...)
	}
	directory = binary.LittleEndian.AppendUint64(directory, uint64(len(blocks)/size))
	payload := append(blocks, directory...)

	head := make([]byte, 4096)
	le := binary.LittleEndian
	head[10], head[11], head[16], head[17] = 129, byte(like.Shape().Profile), byte(like.Hasher().ID()), 12
	head[19], head[20] = byte(like.Kind()), byte(like.Hashes())
	le.PutUint64(head[24:], uint64(members))
	le.PutUint64(head[32:], like.Hasher().Seed())
	le.PutUint64(head[40:], like.Hasher().Check())
	le.PutUint64(head[72:], 4096)
	le.PutUint64(head[80:], uint64(len(payload)))
	padded := (len(payload) + 63) / 64 * 64
	b := append(append(head, payload...), make([]byte, padded-len(payload)+4*((padded+4095)/4096)+4)...)
	return resealed(b)
}

var halfLine = block(bloomery.HalfLine, 1, bloomery.Hasher{})

func openPacked(t *testing.T, b []byte) *bloomery.Container {
	t.Helper()
	c, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if err != nil || c.Packed == nil {
		t.Fatal(err)
	}
	return c
}

func TestPackedMembers(t *testing.T) {
	const members = 2000
	p := openPacked(t, packedFile(t, halfLine, members)).Packed
	if p.Members() != members || !p.MayContain(members, []byte("k1")) {
		t.Fatal("of a member that is not there nothing is known")
	}
	wrong := 0
	for i := 0; i < members; i++ {
		key := []byte(fmt.Sprint("k", i))
		if p.MayContain(uint64(i), key) != (i%3 != 2) {
			t.Fatalf("member %d", i)
		}
		if i > 0 && p.MayContain(uint64(i-1), key) {
			wrong++
		}
	}
	if wrong > 10 {
		t.Error(wrong, "keys are found in the member before")
	}
}

// Entries that cannot be believed make their members answer "possibly present", and no others.
func TestPackedDirectory(t *testing.T) {
	const members = 30
	whole := packedFile(t, halfLine, members)
	at := 4096 + 32*members // 30 members have as many blocks
	for _, c := range []struct {
		entry int
		value uint64
		trust []int // members that must answer "possibly present"
	}{
		{0, 1, []int{0}}, {members, 29, []int{members - 1}}, {members, 31, []int{members - 1}},
		{7, 1 << 63, []int{6, 7}}, {7, 0, []int{6}}, {1, 1 << 40, []int{0, 1}},
	} {
		b := append([]byte(nil), whole...)
		binary.LittleEndian.PutUint64(b[at+8*c.entry:], c.value)
		p := openPacked(t, resealed(b)).Packed
		for _, m := range c.trust {
			if !p.MayContain(uint64(m), []byte("nobody")) {
				t.Errorf("entry %d is %d: member %d denies", c.entry, c.value, m)
			}
		}
		if p.MayContain(17, []byte("nobody")) {
			t.Errorf("entry %d is %d: member 17 says possibly present", c.entry, c.value)
		}
	}
}

func TestPackedDamage(t *testing.T) {
	const members = 2000
	whole := packedFile(t, halfLine, members)
	i, _ := bloomery.Inspect(whole, int64(len(whole)))
	directory := int(i.PayloadLength) - 8*(members+1)
	for chunk := 0; chunk < int(i.Chunks()); chunk++ {
		b := append([]byte(nil), whole...)
		b[4096+4096*chunk+10] ^= 4
		c := openPacked(t, b)
		if c.Damaged != 1 {
			t.Fatal(c.Damaged)
		}
		for m := 0; m < members; m++ {
			key := []byte(fmt.Sprint("k", m))
			if m%3 != 2 && !c.Packed.MayContain(uint64(m), key) {
				t.Fatalf("chunk %d: member %d denies its key", chunk, m)
			}
			first, last := directory+8*m, directory+8*m+15 // the two entries of the member
			if (first/4096 == chunk || last/4096 == chunk) && !c.Packed.MayContain(uint64(m), []byte("nobody")) {
				t.Fatalf("chunk %d: member %d believes a damaged entry", chunk, m)
			}
		}
	}
}

// Members have the profiles of spec/container.md 6: lanes of 16 bits are not among them.
func TestPackedProfiles(t *testing.T) {
	b := packedFile(t, block(bloomery.Lanes16, 1, bloomery.Hasher{}), 6)
	_, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if e, ok := err.(*bloomery.Error); !ok || e.Code != bloomery.Corrupt || e.Offset != 11 {
		t.Error(err)
	}
}
