package conform

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"bloomery"
)

// made reports whether filters of a kind are made here; those of others come out of containers only.
func made(kind bloomery.Kind) bool {
	facts, _ := kind.Facts()
	for _, call := range facts.Can {
		if call == "insert" || call == "try_insert" {
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

// A countNumber is a number, or text in hexadecimal where it is too large for one.
type countNumber uint64

func (c *countNumber) UnmarshalJSON(data []byte) (err error) {
	var v uint64
	if text := ""; json.Unmarshal(data, &text) == nil {
		v, err = strconv.ParseUint(text, 16, 64)
	} else {
		err = json.Unmarshal(data, &v)
	}
	*c = countNumber(v)
	return err
}

// readVectors runs whole filters of a kind that is only read: what they hold is in their bytes.
func readVectors(kind bloomery.Kind, cases []shapeRow, t *tally) error {
	for n, c := range cases {
		row := readRow{prefix: "k"}
		if err := c.plain(kind); err != nil {
			return err
		}
		for name, into := range map[string]interface{}{
			"prefix": &row.prefix, "inserted": &row.inserted, "copies": &row.copies, "erased": &row.erased, "maybe": &row.maybe,
			"ones": &row.ones, "nonzero": &row.nonzero, "stuck": &row.stuck, "counts": &row.counts, "hex": &row.hex, "bits": &row.bits,
			"occupied": &row.occupied, "classes": &row.classes, "realised": &row.realised, "estimated": &row.estimated,
			"found": &row.found, "rotate_every": new(int), "list": &row.list, "used": &row.used,
			"what": new(string),
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
	prefix                          string
	inserted, copies, erased, maybe int
	ones                            *uint64
	nonzero, stuck                  *uint64  // of counting filters
	occupied, classes               *float64 // of cuckoo filters: slots in use, and 2 D - C of spec/model.md 9
	realised, estimated             *rateText
	found                           *foundRow // of kinds that forget
	list                            [][2]uint64
	used                            uint64 // of quotient filters: slots
	counts                          []countNumber
	hex, bits                       hexBytes
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
	counter, err := bloomery.As[bloomery.Counter](f)
	asked, _ := byteKeys(texts(row.prefix, len(row.counts)))
	for i, want := range row.counts {
		if err != nil {
			t.expect(false, "case %d: %v", n, err)
			return
		}
		same("count", counter.Count(asked[i]), uint64(want))
	}
	if row.ones != nil {
		same("ones", f.Ones(), *row.ones)
	}
	if counting, ok := f.(*bloomery.Counting); ok {
		same("cells in use", uint64(math.Round(f.Fill()*float64(counting.Cells()))), *row.nonzero)
		same("stuck cells", counting.StuckCells(), *row.stuck)
		bits, err := counting.ToBloom()
		t.expect(err == nil && bytes.Equal(payload(bits), row.bits), "case %d: other bits: %v", n, err)
		same("rate", f.RealisedFPR(), bits.RealisedFPR())
	}
	if cuckoo, ok := f.(*bloomery.Cuckoo); ok {
		same("slots in use", f.EstimatedKeys(), *row.occupied)
		pairs := float64(cuckoo.Buckets()) * float64(uint64(1)<<cuckoo.TagBits()-1)
		same("classes", math.Round(f.RealisedFPR()*pairs), *row.classes)
	}
	if quotient, ok := f.(*bloomery.Quotient); ok {
		t.expect(row.checkList(quotient), "case %d: another list", n)
	}
	if stable, ok := f.(*bloomery.Stable); ok {
		same("cells in use", uint64(math.Round(f.Fill()*float64(stable.Cells()))), *row.nonzero)
	}
	near := func(what string, got float64, want *rateText) {
		t.expect(want == nil || math.Abs(got-want.value) <= want.tolerance*want.value, "case %d: %s %v, not %v", n, what, got, want)
	}
	near("rate", f.RealisedFPR(), row.realised)
	near("keys", f.EstimatedKeys(), row.estimated)
	again, err := bloomery.EncodeContainer(f, bloomery.Meta{})
	t.expect(err == nil && bytes.Equal(again, b), "case %d, written again: %v %x", n, err, again)
}
