package conform

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"bloomery"
)

// made reports whether filters of a kind are made here; those of others come out of containers only.
func made(kind bloomery.Kind) bool {
	facts, _ := kind.Facts()
	for _, call := range facts.Can {
		if call == "insert" {
			return true
		}
	}
	return false
}

// assembled is a container with a payload, put together by the page alone (spec/container.md 1 and 2), of keys under XXH3.
func assembled(kind bloomery.Kind, s bloomery.Shape, payload []byte) []byte {
	le := binary.LittleEndian
	offset := 128
	if len(payload) >= 65536 {
		offset = 4096
	}
	b := make([]byte, offset)
	copy(b, "\x89BLM\r\n\x1a\n\x01\x00")
	b[10], b[11], b[16], b[17] = byte(kind), byte(s.Profile), byte(bloomery.XXH3), 12
	le.PutUint32(b[20:], s.Hashes)
	le.PutUint64(b[24:], s.Units)
	le.PutUint64(b[40:], bloomery.Hasher{}.Check())
	le.PutUint64(b[72:], uint64(offset))
	le.PutUint64(b[80:], uint64(len(payload)))
	ones := uint64(0)
	for _, v := range payload {
		for ; v != 0; v &= v - 1 {
			ones++
		}
	}
	le.PutUint64(b[88:], ones)
	copy(b[100:124], s.Parameters[:])
	le.PutUint32(b[124:], bloomery.Checksum(b[:124]))
	gap := append([]byte(nil), b[128:]...)
	b = append(b, payload...)
	b = append(b, make([]byte, (64-len(payload)%64)%64)...)
	var tail []byte
	for body := b[offset:]; len(body) > 0; {
		n := len(body)
		if n > 4096 {
			n = 4096
		}
		tail = le.AppendUint32(tail, bloomery.Checksum(body[:n]))
		body = body[n:]
	}
	tail = le.AppendUint32(tail, bloomery.Checksum(append(gap, tail...)))
	return append(b, tail...)
}

// aboveLevel2 are the members of rows that say what a filter counts, lists or rates: a port of level 2 leaves them out
// (spec/conformance.md). Later kinds keep theirs in the last one.
var aboveLevel2 = []string{
	"copies", "erased", "nonzero", "stuck", "counts", "bits", "occupied", "classes", "realised", "estimated", "rotate_every", "list", "used",
	"what", "start", "steps", "level3",
}

// leaveOut removes what is above the level of this port.
func (r shapeRow) leaveOut() {
	for _, name := range aboveLevel2 {
		delete(r, name)
	}
}

// readVectors runs whole filters of a kind that is only read: what they hold is in their bytes.
func readVectors(kind bloomery.Kind, cases []shapeRow, t *tally) error {
	for n, c := range cases {
		row := readRow{prefix: "k"}
		c.leaveOut()
		if err := c.plain(kind); err != nil {
			return err
		}
		for name, into := range map[string]interface{}{
			"prefix": &row.prefix, "inserted": &row.inserted, "maybe": &row.maybe, "ones": &row.ones, "hex": &row.hex, "found": &row.found,
		} {
			if err := c.take(name, into); err != nil {
				return err
			}
		}
		s, err := c.shape(kind)
		if err != nil {
			return err
		}
		b := assembled(kind, s, row.hex)
		read, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
		if err == nil {
			err = read.Verify()
		}
		if err != nil {
			t.expect(false, "case %d: %v", n, err)
			continue
		}
		t.row(func(r *tally) { row.check(r, n, read.Filter, b) })
	}
	return nil
}

type readRow struct {
	prefix          string
	inserted, maybe int
	ones            *uint64
	found           *foundRow // of kinds that forget
	hex             hexBytes
}

func (row *readRow) check(t *tally, n int, f bloomery.Filter, b []byte) {
	same := func(what string, got, want interface{}) {
		t.expect(fmt.Sprint(got) == fmt.Sprint(want), "case %d: %s %v, not %v", n, what, got, want)
	}
	absent, _ := byteKeys(texts("x", 1000))
	same("maybe", f.MayContainMany(absent, make([]bool, len(absent))), row.maybe)
	present, _ := byteKeys(texts(row.prefix, row.inserted))
	answers := make([]bool, len(present))
	if found := f.MayContainMany(present, answers); row.found == nil {
		same("found", found, row.inserted)
	} else {
		same("found", found, row.found.many)
		t.expect(row.found.which == "" || row.found.which == digits(answers), "case %d: found %s", n, digits(answers))
	}
	if row.ones != nil {
		same("ones", f.Ones(), *row.ones)
	}
	again, err := bloomery.EncodeContainer(f, bloomery.Meta{})
	t.expect(err == nil && bytes.Equal(again, b), "case %d, written again: %v %x", n, err, again)
}

// A foundRow is how many of the keys are possibly present of a filter that forgets, or which.
type foundRow struct {
	which string
	many  int
}

func (f *foundRow) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &f.which) == nil {
		f.many = strings.Count(f.which, "1")
		return nil
	}
	return json.Unmarshal(data, &f.many)
}
