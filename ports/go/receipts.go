package bloomery

import (
	"bytes"
	"encoding/binary"
	"math"

	"bloomery/internal/fault"
)

// Filters of kinds that erase keys issue receipts (spec/hash.md 8). This package issues and uses none, but it keeps the record of those
// that were used: without it a receipt could be used again, and delete another key.

const (
	receiptsTag      = 3
	maxReceiptRanges = 4095
)

// identityOf is the number that the receipts of a filter are for; not ok if the kind has none.
func identityOf(kind Kind, p *Parameters) (identity uint64, ok bool) {
	for _, f := range factsOf(kind).Parameters {
		if f.Name == "identity" {
			return p.Get(f), true
		}
	}
	return 0, false
}

// readReceipts returns the record of a container's filter; nil if there is none.
func (c *Container) readReceipts() ([]byte, error) {
	identity, keeps := identityOf(c.Info.Kind, &c.Info.Parameters)
	if !keeps {
		return nil, nil
	}
	at := c.Info.notes()
	for _, n := range c.Notes {
		if n.Tag == receiptsTag {
			if !areReceipts(n.Data, identity) {
				return nil, fault.At(Corrupt, int(at), "a record of receipts that no filter wrote")
			}
			return n.Data, nil
		}
		at += noteHeader + uint64(len(n.Data))
	}
	return nil, nil
}

// areReceipts reports whether a record is as spec/container.md 7 has it: how many receipts were issued, and ascending ranges of
// numbers that were used, with others between them.
func areReceipts(b []byte, identity uint64) bool {
	if identity == 0 || len(b) < 8 || len(b)%16 != 8 || len(b) > 8+16*maxReceiptRanges {
		return false
	}
	issued := binary.LittleEndian.Uint64(b)
	if issued == 0 || issued == math.MaxUint64 {
		return false
	}
	before := uint64(0)
	for b = b[8:]; len(b) > 0; b = b[16:] {
		first, end := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		if first <= before || first >= end || end > issued+1 {
			return false
		}
		before = end
	}
	return true
}

// withReceipts are the notes of a file of a filter: those of the caller, and the record of its receipts. Notes that were read may have
// it already; one that says something else is refused.
func withReceipts(notes []Note, f Filter) ([]Note, error) {
	s := f.Shape()
	if _, keeps := identityOf(f.Kind(), &s.Parameters); !keeps {
		return notes, nil
	}
	own := f.contents().receipts
	for _, n := range notes {
		if n.Tag != receiptsTag {
			continue
		}
		if !bytes.Equal(n.Data, own) {
			return nil, fault.New(InvalidArgument, "a note about receipts that contradicts the filter")
		}
		return notes, nil
	}
	if own == nil {
		return notes, nil
	}
	all := append([]Note(nil), notes...)
	at := 0
	if len(all) > 0 && all[0].Tag == sourceTag {
		at = 1
	}
	all = append(all, Note{})
	copy(all[at+1:], all[at:])
	all[at] = Note{receiptsTag, own}
	return all, nil
}
