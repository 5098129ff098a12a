package conform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"bloomery"
	"bloomery/dialect"
)

// containerVectors runs whole containers: read, asked, and, where a filter of ours is in it, written again.
func containerVectors(data []byte, t *tally) error {
	var file struct {
		comment
		Cases []struct {
			Kind, Maybe, Profile string
			Container            hexBytes
		}
	}
	if err := strict(data, &file); err != nil {
		return err
	}
	for _, c := range file.Cases {
		t.row(func(r *tally) {
			containerVector(r, strings.TrimSpace(c.Kind+" "+c.Profile), c.Kind, c.Maybe, c.Container)
		})
	}
	return nil
}

func containerVector(t *tally, what, kind, maybe string, b []byte) {
	i, err := bloomery.Inspect(b, int64(len(b)))
	if err != nil {
		t.expect(false, "%s: %v", what, err)
		return
	}
	if i.Kind == bloomery.KindForeign && !readHere(b, i) {
		t.skipped++
		return
	}
	read, err := bloomery.DecodeContainer(b, bloomery.ReadOptions{})
	if err != nil || i.Kind.String() != kind || read.Damaged != 0 {
		t.expect(false, "%s: %v", what, err)
		return
	}
	if read.Packed != nil {
		for m := 0; m < 9; m++ {
			hit := read.Packed.MayContain(uint64(m/3), []byte(fmt.Sprintf("k%d", m%3)))
			t.expect(hit == (m/3 == m%3), "%s: member %d, k%d: %v", what, m/3, m%3, hit)
		}
		return
	}
	present, _ := ask(content(read), texts("k", 10), 0, false)
	absent, _ := ask(content(read), texts("x", 64), 0, false)
	facts, _ := i.Kind.Facts() // of a kind that forgets some of the keys may be gone
	t.expect((digits(present) == "1111111111" || facts.Forgets) && digits(absent) == maybe, "%s: %s", what, digits(absent))
	if read.Filter != nil {
		again, err := bloomery.EncodeContainer(read.Filter, bloomery.Meta{})
		t.expect(err == nil && bytes.Equal(again, b), "%s, written again: %x", what, again)
	}
}

// readHere reports whether the dialect that a container names is offered.
func readHere(b []byte, i bloomery.Info) bool {
	return bytes.Contains(b[i.PayloadOffset+i.PayloadLength:], []byte("parquet"))
}

// oddKeys are those that accepted files are asked for: k0 .. k9 and x0 .. x15.
func oddKeys() []key { return append(texts("k", 10), texts("x", 16)...) }

func containerHostileVectors(data []byte, t *tally) error {
	var file struct {
		comment
		Bases map[string]hexBytes `json:"bases"`
		Cases []struct {
			outcome
			Base   string               `json:"base"`
			Defect string               `json:"defect"`
			Length *int                 `json:"length"`
			Edits  [][2]json.RawMessage `json:"edits"`
		} `json:"cases"`
	}
	if err := strict(data, &file); err != nil {
		return err
	}
	for n, c := range file.Cases {
		b := append([]byte(nil), file.Bases[c.Base]...)
		if c.Length != nil {
			b = append(b, make([]byte, *c.Length)...)[:*c.Length]
		}
		for _, e := range c.Edits {
			var at int
			var text hexBytes
			if json.Unmarshal(e[0], &at) != nil || json.Unmarshal(e[1], &text) != nil || at+len(text) > len(b) {
				return fmt.Errorf("case %d: an edit outside the file", n)
			}
			copy(b[at:], text)
		}
		v, tells, err := decodeForm(b, "native", nil)
		if elsewhere(file.Bases[c.Base]) && isUnsupportedAtNotes(b, err) && c.Error != bloomery.Unsupported.String() {
			t.skipped++ // what decides is behind the note that names the dialect
			continue
		}
		c.check(t, fmt.Sprintf("case %d, %s, %s", n, c.Base, c.Defect), oddKeys(), v, tells, err)
	}
	return nil
}

// elsewhere reports whether a container holds the bytes of a dialect that is not offered.
func elsewhere(b []byte) bool {
	i, err := bloomery.Inspect(b, int64(len(b)))
	return err == nil && i.Kind == bloomery.KindForeign && !readHere(b, i)
}

func isUnsupportedAtNotes(b []byte, err error) bool {
	var e *bloomery.Error
	if !errors.As(err, &e) || e.Code != bloomery.Unsupported {
		return false
	}
	i, err := bloomery.Inspect(b, int64(len(b)))
	return err == nil && uint64(e.Offset) == uint64(len(b))-4-uint64(i.NotesLength)
}

// dialectVectors runs the files that other systems would write.
func dialectVectors(data []byte, t *tally) error {
	var file struct {
		comment
		Edges []hexBytes `json:"edges"`
		Cases []struct {
			Dialect, Variant, Keys, Seed, Maybe string
			N, Bits, Hashes                     uint64
			P                                   float64
			Read                                map[string]interface{}
			Image                               hexBytes
		} `json:"cases"`
	}
	if err := strict(data, &file); err != nil {
		return err
	}
	for n, c := range file.Cases {
		if c.Dialect == "portable" || !dialect.Known(c.Dialect) {
			t.skipped++
			continue
		}
		options := map[string]string{}
		for name, v := range c.Read {
			options[name] = join(v)
		}
		var keys []key
		if c.Keys == "edges" {
			for _, e := range file.Edges {
				keys = append(keys, key{sort: 'b', bytes: e})
			}
		} else {
			keys = texts("k", 10)
		}
		v, tells, err := decodeForm(c.Image, c.Dialect, options)
		want := fmt.Sprintf("dialect=%s variant=%s bits=%d parts=1", c.Dialect, c.Variant, c.Bits)
		o := outcome{Accepted: want, Answers: strings.Repeat("1", len(keys)) + c.Maybe}
		asked := append(keys, texts("x", len(c.Maybe))...)
		o.check(t, fmt.Sprintf("case %d, %x", n, c.Image), asked, v, tells, err)
	}
	return nil
}

// dialectFileVectors runs files that are only read, and hostile ones.
func dialectFileVectors(data []byte, t *tally) error {
	var file struct {
		comment
		Cases []struct {
			outcome
			Dialect string            `json:"dialect"`
			What    string            `json:"what"`
			Asked   string            `json:"asked"`
			Read    map[string]string `json:"read"`
			Image   hexBytes          `json:"image"`
		} `json:"cases"`
	}
	if err := strict(data, &file); err != nil {
		return err
	}
	for n, c := range file.Cases {
		if !dialect.Known(c.Dialect) {
			t.skipped++
			continue
		}
		asked := oddKeys()
		if c.Asked != "" {
			var err error
			if asked, err = (line{args: strings.Split(c.Asked, " ")}).keys(0); err != nil {
				return err
			}
		}
		v, tells, err := decodeForm(c.Image, c.Dialect, c.Read)
		c.check(t, fmt.Sprintf("case %d, %s, %s", n, c.Dialect, c.What), asked, v, tells, err)
	}
	return nil
}
