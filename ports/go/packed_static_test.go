package bloomery_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"bloomery"
)

var staticKinds = []bloomery.Kind{bloomery.KindRibbon, bloomery.KindFuse, bloomery.KindXor}

const staticEntry = 48

// staticFile is a packed set of filters of a kind; member i has the key "k" and i.
func staticFile(t testing.TB, kind bloomery.Kind, members int) []byte {
	var payload, directory []byte
	le := binary.LittleEndian
	facts, _ := kind.Facts()
	shapes := smallShapes(facts)
	var like bloomery.Filter
	for i := 0; i < members; i++ {
		var f bloomery.Filter
		for try, taken := 0, 0; taken == 0; try++ { // a shape without slots takes none
			var err error
			if f, err = bloomery.MakeHere(kind, shapes[(i+try)%len(shapes)], bloomery.Hasher{}, 9); err != nil {
				t.Fatal(kind, err)
			}
			taken = len(fillWith(t, f, []uint64{f.Hasher().HashString(fmt.Sprint("k", i))}))
		}
		b := encoded(t, f)
		at, n := le.Uint64(b[72:]), le.Uint64(b[80:])
		payload = append(payload, make([]byte, -len(payload)&7)...)
		payload = append(payload, b[at:at+n]...)
		directory = le.AppendUint64(directory, uint64(len(payload)))
		directory = append(directory, b[24:32]...)
		directory = append(directory, b[20:24]...)
		directory = append(directory, 0, 0, 0, 0)
		directory = append(directory, b[100:124]...)
		like = f
	}
	payload = append(payload, make([]byte, -len(payload)&7)...)
	payload = append(payload, directory...)
	head := make([]byte, 4096)
	head[10], head[16], head[17], head[19] = 130, byte(like.Hasher().ID()), 12, byte(kind)
	le.PutUint64(head[24:], uint64(members))
	le.PutUint64(head[40:], like.Hasher().Check())
	le.PutUint64(head[72:], 4096)
	le.PutUint64(head[80:], uint64(len(payload)))
	padded := (len(payload) + 63) / 64 * 64
	b := append(append(head, payload...), make([]byte, padded-len(payload)+4*((padded+4095)/4096)+4)...)
	return resealed(b)
}

func staticSamples(t testing.TB) (samples []sample) {
	const members = 20
	for _, kind := range staticKinds {
		samples = append(samples, sample{"packed " + kind.String(), bloomery.KindPackedStatic, staticFile(t, kind, members), func(c *bloomery.Container) string {
			for i := uint64(0); i < members; i++ {
				if !c.Packed.MayContain(i, []byte(fmt.Sprint("k", i))) {
					return fmt.Sprint("member ", i, " has lost its key")
				}
			}
			return ""
		}})
	}
	return samples
}

func TestStaticMembers(t *testing.T) {
	const members = 300
	for _, kind := range staticKinds {
		p := openPacked(t, staticFile(t, kind, members)).Packed
		found := 0
		for i := uint64(0); i < members; i++ {
			if !p.MayContain(i, []byte(fmt.Sprint("k", i))) {
				t.Fatal(kind, "member ", i, " has lost its key")
			}
			if p.MayContain(i, []byte("absent")) {
				found++
			}
		}
		if found > members*3/4 {
			t.Error(kind, "answers true for everything:", found)
		}
		if !p.MayContain(members, []byte("k0")) {
			t.Error("a member that does not exist was believed")
		}
	}
}

// An entry that lies under correct checksums: the member answers true, or as a filter of these bytes; others as before.
func TestStaticDirectoryLies(t *testing.T) {
	const members = 5
	for _, kind := range staticKinds {
		whole := staticFile(t, kind, members)
		le := binary.LittleEndian
		directory := 4096 + int(le.Uint64(whole[80:])) - members*staticEntry
		for member := 0; member < members; member++ {
			for field := 0; field < staticEntry; field += 4 {
				for _, lie := range []uint32{0, 1, 7, 1 << 31, 1<<32 - 1} {
					b := append([]byte(nil), whole...)
					le.PutUint32(b[directory+staticEntry*member+field:], lie)
					p := openPacked(t, resealed(b)).Packed
					for i := 0; i < members; i++ {
						hit := p.MayContain(uint64(i), []byte(fmt.Sprint("k", i)))
						if !hit && i != member && i != member+1 {
							t.Fatal(kind, "member", i, "lost its key by entry", member, field, lie)
						}
					}
					if field == 20 && lie != 0 && !p.MayContain(uint64(member), []byte("absent")) {
						t.Fatal(kind, "an entry with a word that must be zero was believed")
					}
				}
			}
		}
	}
}
