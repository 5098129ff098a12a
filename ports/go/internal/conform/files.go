package conform

import (
	"fmt"

	"bloomery"
	"bloomery/dialect"
)

func (m *machine) encode(l line) (string, error) {
	f, err := m.filter(l.args[1])
	if err != nil {
		return "", err
	}
	var b []byte
	switch l.args[2] {
	case "native":
		var meta bloomery.Meta
		if meta.AskedFPR, err = l.real("fpr"); err != nil {
			return "", err
		}
		if meta.Keys, err = l.number("keys"); err != nil {
			return "", err
		}
		if word, ok := l.options["sentinels"]; ok {
			keys, err := parseKeys(word)
			if err != nil {
				return "", errScript{err.Error()}
			}
			if !takes(f.Hasher().Source(), keys) {
				return "", errOtherKeys
			}
			meta.Sentinels = bloomery.SentinelsOf(hashesOf(keys, f.Hasher()))
		}
		b, err = bloomery.EncodeContainer(f, meta)
	case "portable":
		p, ok := f.(*bloomery.PortableBloom)
		if !ok {
			return "", errScript{"only a portable filter has bare bytes"}
		}
		b, err = p.MarshalBinary()
	default:
		return "", errScript{"no such form: " + l.args[2]}
	}
	if err != nil {
		return "", err
	}
	m.vars[l.args[0]] = b
	return summary(b), nil
}

// dialectOptions reads variant, part and form.
func dialectOptions(options map[string]string) (o dialect.Options, err error) {
	o.Variant = options["variant"]
	if _, ok := options["part"]; ok {
		part, err := line{options: options}.number("part")
		if err != nil {
			return o, err
		}
		o.Part = &part
	}
	switch options["form"] {
	case "", "bytes":
	case "text":
		o.Form = dialect.Text
	case "integer":
		o.Form = dialect.Integer
	default:
		return o, errScript{"no such form of keys: " + options["form"]}
	}
	return o, nil
}

// decodeForm reads bytes in a FORM: what to ask, and what decode prints of it.
func decodeForm(b []byte, form string, options map[string]string) (v interface{}, tells string, err error) {
	switch form {
	case "portable":
		source, err := parseSource(options, true)
		if err != nil {
			return nil, "", err
		}
		if source == bloomery.AnySource {
			source = bloomery.Bytes
		}
		f, err := bloomery.DecodePortableOf(b, source)
		if err != nil {
			return nil, "", err
		}
		return f, accepted(f), nil
	case "native":
		var o bloomery.ReadOptions
		if o.Source, err = parseSource(options, true); err != nil {
			return nil, "", err
		}
		if text, ok := options["secret"]; ok {
			if o.Secret, err = parseSecret(text); err != nil {
				return nil, "", errScript{err.Error()}
			}
		}
		c, err := bloomery.DecodeContainer(b, o)
		if err != nil {
			return nil, "", err
		}
		return content(c), accepted(c), nil
	case "parquet":
		o, err := dialectOptions(options)
		if err != nil {
			return nil, "", err
		}
		f, err := dialect.Read(form, append([]byte(nil), b...), o)
		if err != nil {
			return nil, "", err
		}
		return f, accepted(f), nil
	}
	return nil, "", errScript{"no such form: " + form}
}

func (m *machine) decode(l line) (string, error) {
	b, err := m.bytes(l.args[1])
	if err != nil {
		return "", err
	}
	v, tells, err := decodeForm(b, l.args[2], l.options)
	if err != nil {
		return "", err
	}
	m.vars[l.args[0]] = v
	return "ok " + tells, nil
}

func (m *machine) inspect(l line) (string, error) {
	b, err := m.bytes(l.args[0])
	if err != nil {
		return "", err
	}
	i, err := bloomery.Inspect(b, int64(len(b)))
	return fmt.Sprintf("kind=%s hashes=%d units=%d payload=%d+%d sentinels=%d notes=%d keys=%d", i.Kind, i.Hashes, i.Units,
		i.PayloadOffset, i.PayloadLength, i.Sentinels, i.NotesLength, i.Keys), err
}
