// Package conform runs the vectors and scripts of spec/conformance.md against this module. The program cmd/conform and the
// module's own tests are two faces of it.
package conform

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"bloomery"
)

// A key is one key of a script: bytes, an integer, or 64 bits that are hashed already.
type key struct {
	sort  byte // 'b', 'u' or 'h'
	bytes []byte
	value uint64
}

// takes reports whether a filter of a source takes the keys. One of bytes takes every sort, so that a script may mix them.
func takes(s bloomery.Source, keys []key) bool {
	for _, k := range keys {
		own := byte('b')
		switch s {
		case bloomery.Bytes:
			own = k.sort
		case bloomery.Integers:
			own = 'u'
		case bloomery.Hashes:
			own = 'h'
		}
		if k.sort != own {
			return false
		}
	}
	return true
}

var errOtherKeys = &bloomery.Error{Code: bloomery.Incompatible, Offset: bloomery.NoOffset, What: "keys of another source"}

// hash is of a key that the filter takes.
func (k key) hash(h bloomery.Hasher) uint64 {
	switch k.sort {
	case 'u':
		return h.Of(bloomery.Integers).HashUint64(k.value)
	case 'h':
		return k.value
	}
	return h.Hash(k.bytes)
}

// pattern is n bytes, byte i being i mod 251.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i % 251)
	}
	return b
}

const maxKeys = 1 << 24 // of one word; a script is text that somebody wrote

// parseKeys reads one word of KEYS.
func parseKeys(word string) ([]key, error) {
	bad := fmt.Errorf("not keys: %s", word)
	if sort, rest, ok := strings.Cut(word, ":"); ok {
		var k key
		var err error
		switch sort {
		case "t":
			k = key{sort: 'b', bytes: []byte(rest)}
		case "x":
			k.sort = 'b'
			k.bytes, err = hex.DecodeString(rest)
		case "p":
			var n uint64
			n, err = strconv.ParseUint(rest, 10, 24)
			k = key{sort: 'b', bytes: pattern(int(n))}
		case "u":
			k.sort = 'u'
			k.value, err = strconv.ParseUint(rest, 10, 64)
		case "h":
			k.sort = 'h'
			if k.value, err = strconv.ParseUint(rest, 16, 64); len(rest) != 16 {
				err = bad
			}
		default:
			err = bad
		}
		if err != nil {
			return nil, bad
		}
		return []key{k}, nil
	}
	open := strings.IndexByte(word, '[')
	if open < 0 || !strings.HasSuffix(word, "]") {
		return nil, bad
	}
	prefix := word[:open]
	if strings.Trim(prefix, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return nil, bad
	}
	from, to, ok := strings.Cut(word[open+1:len(word)-1], "..")
	a, err1 := strconv.ParseUint(from, 10, 64)
	b, err2 := strconv.ParseUint(to, 10, 64)
	if !ok || err1 != nil || err2 != nil || b < a || b-a >= maxKeys {
		return nil, bad
	}
	keys := make([]key, 0, b-a+1)
	for i := a; ; i++ {
		keys = append(keys, key{sort: 'b', bytes: strconv.AppendUint([]byte(prefix), i, 10)})
		if i == b {
			return keys, nil
		}
	}
}

// parseHasher reads a HASHER.
func parseHasher(word string) (bloomery.Hasher, error) {
	name, rest, given := strings.Cut(word, ":")
	seed := func(make func(uint64) bloomery.Hasher) (bloomery.Hasher, error) {
		if !given {
			return make(0), nil
		}
		v, err := strconv.ParseUint(rest, 16, 64)
		if err != nil || len(rest) != 16 {
			return bloomery.Hasher{}, fmt.Errorf("not a seed: %s", word)
		}
		return make(v), nil
	}
	switch {
	case name == "xxh3":
		return seed(bloomery.NewXXH3)
	case name == "xxh64":
		return seed(bloomery.NewXXH64)
	case word == "fnv1a-splitmix":
		return bloomery.NewFNVSplitMix(), nil
	case name == "siphash13":
		if secret, err := parseSecret(rest); err == nil {
			return bloomery.NewSipHash13(*secret), nil
		}
	}
	return bloomery.Hasher{}, fmt.Errorf("not a hasher: %s", word)
}

// parseSource reads the option source: bytes if it is not given. Only a reader may ask for any.
func parseSource(options map[string]string, reader bool) (bloomery.Source, error) {
	name, ok := options["source"]
	if !ok {
		return bloomery.Bytes, nil
	}
	if name == "any" && reader {
		return bloomery.AnySource, nil
	}
	s, ok := bloomery.ParseSource(name)
	if !ok {
		return s, errScript{"no such source: " + name}
	}
	return s, nil
}

func parseSecret(text string) (*[16]byte, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != 16 {
		return nil, fmt.Errorf("not a secret: %s", text)
	}
	var secret [16]byte
	copy(secret[:], b)
	return &secret, nil
}
