package bloomery

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"

	"bloomery/dialect"
	"bloomery/internal/fault"
)

// foreignKind is its row in the table of kinds.
var foreignKind = kindRow{
	load: loadForeign, unitsFit: func(i *Info) bool { return i.Units == 0 }, payloadFits: func(*Info) bool { return true },
	notes: []uint16{dialectTag}, readNotes: readForeignNote,
}

// A foreignNote is the note that names a dialect and its options (spec/container.md 5).
type foreignNote struct {
	name    string
	options dialect.Options
}

func readForeignNote(c *Container) (err error) {
	c.dialect, err = parseForeign(c.Notes, int(c.Info.notes()))
	return err
}

func parseForeign(notes []Note, at int) (foreignNote, error) {
	var text string
	for _, n := range notes {
		if n.Tag == dialectTag {
			text = string(n.Data)
		}
	}
	if text == "" {
		return foreignNote{}, fault.At(Corrupt, at, "no note names the dialect")
	}
	words := strings.Split(text, " ")
	f := foreignNote{name: words[0]}
	unknown := fault.At(Unsupported, at, "the dialect, or an option of it, is not known: "+text)
	if !dialect.Known(f.name) {
		return f, unknown
	}
	order := []string{"variant", "bits", "hashes", "seed", "form", "part"}
	for _, w := range words[1:] {
		name, value, ok := strings.Cut(w, "=")
		for len(order) > 0 && order[0] != name {
			order = order[1:]
		}
		if !ok || value == "" || len(order) == 0 {
			return f, unknown
		}
		order = order[1:]
		if name == "variant" {
			f.options.Variant = value
			continue
		}
		number, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return f, unknown
		}
		switch name {
		case "hashes":
			if number > math.MaxUint32 {
				return f, unknown
			}
			hashes := uint32(number)
			f.options.Hashes = &hashes
		case "form":
			if number > uint64(dialect.Integer) {
				return f, unknown
			}
			f.options.Form = dialect.Form(number)
		case "part":
			if number == math.MaxUint64 {
				return f, unknown
			}
			f.options.Part = &number
		}
	}
	return f, nil
}

// loadForeign reads the dialect's bytes, which it copies to the heap: a dialect knows nothing of mapped memory. Where they
// are refused, offsets become those of the file.
func loadForeign(c *Container, payload array, _ Hasher, damage *damageMap) error {
	f := c.dialect
	f.options.Damaged = damage.spans()
	var err error
	c.Foreign, err = dialect.Read(f.name, append([]byte(nil), payload.bits...), f.options)
	runtime.KeepAlive(c)
	if e, ok := err.(*Error); ok {
		moved := *e
		if moved.Offset >= 0 {
			moved.Offset += int64(c.Info.PayloadOffset)
		}
		return &moved
	}
	return err
}

// EncodeForeign puts another system's filter into a container, byte for byte, with the options that are needed to read it
// again. What the dialect refuses is refused.
func EncodeForeign(name string, image []byte, o dialect.Options) ([]byte, error) {
	o.Damaged = nil
	f, err := dialect.Read(name, image, o)
	if err != nil {
		return nil, err
	}
	note := name + " variant=" + f.Variant()
	if o.Form != dialect.Bytes {
		note += fmt.Sprintf(" form=%d", o.Form)
	}
	if o.Part != nil {
		note += fmt.Sprintf(" part=%d", *o.Part)
	}
	h := NewXXH3(0)
	i := Info{Kind: KindForeign, Hash: h.ID(), Check: h.Check(), Ones: onesIn(image)}
	var b bytes.Buffer
	if _, err := writeContainer(&b, i, image, nil, []Note{{dialectTag, []byte(note)}}); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
