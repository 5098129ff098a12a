// Package dialect reads the Bloom filters of Apache Parquet in their own bytes (spec/dialects/parquet.md). Every number of theirs is
// checked against the length of the bytes before it is used. A dialect is named by the user, never guessed: several share their header
// and differ in the hash.
package dialect

import "bloomery/internal/fault"

// A Filter is another system's filter. Lookups may run side by side.
type Filter interface {
	// Dialect and Variant name the format.
	Dialect() string
	Variant() string
	// MayContain answers false only if the key was definitely not inserted.
	MayContain(key []byte) bool
	// Bits are the bits of all parts.
	Bits() uint64
	// Hashes are the cells that a lookup reads in one part.
	Hashes() uint32
	// Parts are the filters that the bytes hold.
	Parts() int
}

// A Form says what a key was before it became bytes.
type Form uint8

// The forms of spec/dialects.md 0. Parquet hashes Integer in another way, in files.
const (
	Bytes Form = iota
	Text
	Integer
)

// A Span is the bytes from From up to, not including, To.
type Span struct{ From, To uint64 }

// Options are what the bytes do not say.
type Options struct {
	Variant string  // empty: as the bytes say
	Part    *uint64 // look up only in this filter of several; nil: in all
	Hashes  *uint32 // refused if the bytes say another number; nil: not checked
	Form    Form

	// Damaged are bytes that are known to be wrong, in ascending order: those of damaged chunks of a container. Cells in
	// them answer "possibly present"; the image is written to for that.
	Damaged []Span
}

// A layout is where the bytes of an image lie that give the filter its form, those that are bits only insertion sets, and
// those of parts that answer every key once one byte of them is damaged. Nobody looks at other bytes.
type layout struct {
	form, cells, parts []Span
}

type parsed interface {
	Filter
	layout() layout
	// doubt makes part i answer every key.
	doubt(i int)
}

// Known reports whether a dialect is read here.
func Known(name string) bool { return name == "parquet" }

// Read makes a filter of an image, which it keeps and does not copy. An error has the byte offset.
func Read(name string, image []byte, o Options) (Filter, error) {
	switch {
	case !Known(name):
		return nil, fault.New(fault.Unsupported, "the dialect is not read here")
	case o.Form > Integer || o.Form == Text:
		return nil, fault.New(fault.InvalidArgument, "the dialect takes no keys of that form")
	}
	f, err := readParquet(image, o)
	if err != nil {
		return nil, err
	}
	if o.Hashes != nil && *o.Hashes != f.Hashes() {
		return nil, fault.New(fault.InvalidArgument, "the bytes tell another number of hashes")
	}
	if o.Part != nil && *o.Part >= uint64(f.Parts()) {
		return nil, fault.New(fault.InvalidArgument, "there is no such part")
	}
	if len(o.Damaged) > 0 {
		l := f.layout()
		for _, s := range l.form {
			if touches(o.Damaged, s) {
				return nil, fault.At(fault.Corrupt, int(o.Damaged[0].From), "bytes that give the filter its form are damaged")
			}
		}
		for _, s := range l.cells {
			setDamaged(image, o.Damaged, s)
		}
		for i, s := range l.parts {
			if touches(o.Damaged, s) {
				f.doubt(i)
			}
		}
	}
	return f, nil
}

// touches reports whether any damaged byte lies in a span.
func touches(damaged []Span, s Span) bool {
	for _, d := range damaged {
		if d.From < s.To && s.From < d.To {
			return true
		}
	}
	return false
}

// setDamaged sets all bits of a span that lie in damaged bytes.
func setDamaged(image []byte, damaged []Span, s Span) {
	for _, d := range damaged {
		if d.From < s.From {
			d.From = s.From
		}
		if d.To > s.To {
			d.To = s.To
		}
		for i := d.From; i < d.To; i++ {
			image[i] = 0xff
		}
	}
}

// bitCells is what filters share whose damaged cells count as set: there is nothing else to doubt.
type bitCells struct{}

func (bitCells) doubt(int) {}
