package conform

import (
	"fmt"
	"strconv"

	"bloomery"
	"bloomery/dialect"
)

// byteKeys are the bytes of keys, if all of them are bytes.
func byteKeys(keys []key) ([][]byte, bool) {
	out := make([][]byte, len(keys))
	for i, k := range keys {
		if k.sort != 'b' {
			return nil, false
		}
		out[i] = k.bytes
	}
	return out, true
}

func hashesOf(keys []key, h bloomery.Hasher) []uint64 {
	out := make([]uint64, len(keys))
	for i, k := range keys {
		out[i] = k.hash(h)
	}
	return out
}

func (m *machine) insert(l line) (string, error) {
	f, err := m.filter(l.args[0])
	if err != nil {
		return "", err
	}
	keys, err := l.keys(1)
	if err != nil {
		return "", err
	}
	if !takes(f.Hasher().Source(), keys) {
		return "", errOtherKeys
	}
	if l.verb == "insert-batch" {
		return "ok", insertMany(f, keys)
	}
	in, err := as[bloomery.Inserter](f)
	if err != nil {
		return "", err
	}
	for _, k := range keys {
		if k.sort == 'b' {
			in.Insert(k.bytes)
		} else {
			in.InsertHash(k.hash(f.Hasher()))
		}
	}
	return "ok", nil
}

// insertMany inserts keys through the batch call.
func insertMany(f bloomery.Filter, keys []key) error {
	in, err := as[bloomery.BatchInserter](f)
	if err != nil {
		return err
	}
	if bytes, plain := byteKeys(keys); plain {
		in.InsertMany(bytes)
	} else {
		in.InsertManyHashes(hashesOf(keys, f.Hasher()))
	}
	return nil
}

// query is query, query-batch and count.
func (m *machine) query(l line) (string, error) {
	keys, err := l.keys(1)
	if err != nil {
		return "", err
	}
	member, err := l.number("member")
	if err != nil {
		return "", err
	}
	answers, err := ask(m.vars[l.args[0]], keys, member, l.verb == "query-batch")
	if err != nil {
		return "", err
	}
	if l.verb != "count" {
		return digits(answers), nil
	}
	n := 0
	for _, a := range answers {
		if a {
			n++
		}
	}
	return strconv.Itoa(n), nil
}

// ask answers for keys, one by one or through the batch call.
func ask(v interface{}, keys []key, member uint64, batch bool) ([]bool, error) {
	out := make([]bool, len(keys))
	bytes, plain := byteKeys(keys)
	switch f := v.(type) {
	case bloomery.Filter:
		switch {
		case !takes(f.Hasher().Source(), keys):
			return nil, errOtherKeys
		case batch && plain:
			f.MayContainMany(bytes, out)
		case batch:
			f.MayContainManyHashes(hashesOf(keys, f.Hasher()), out)
		default:
			for i, k := range keys {
				if k.sort == 'b' {
					out[i] = f.MayContainString(string(k.bytes))
				} else {
					out[i] = f.MayContainHash(k.hash(f.Hasher()))
				}
			}
		}
	case *bloomery.Packed:
		if member >= f.Members() {
			return nil, errScript{"no such member"}
		}
		if !takes(f.Hasher().Source(), keys) {
			return nil, errOtherKeys
		}
		for i, k := range keys {
			out[i] = f.MayContainHash(member, k.hash(f.Hasher()))
		}
	case dialect.Filter:
		if !plain {
			return nil, errScript{"foreign filters take bytes"}
		}
		for i, k := range bytes {
			out[i] = f.MayContain(k)
		}
	default:
		return nil, errScript{fmt.Sprintf("nothing to ask: %T", v)}
	}
	return out, nil
}
